"""Process of a player of another commit; `bench.commits` runs it in that commit's worktree.

All imports below are that commit's own modules, so only names that all commits share may be used.
After the line ``ready`` each line of input is a JSON object with a position, a seat and the state
of `random.Random`. Each line of output has the action, or null, and its processor time in
milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import sys
from time import process_time
from typing import Any

from bench.contestants import contestant
from engine.notation import write_action
from engine.position import read_position
from engine.view import view


def main(name: str) -> None:
    """Answer until the input ends."""
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # keeps other output out of the answers
        player: Any = contestant(name)
        if prepare := getattr(player, "prepare", None):
            prepare()
        print("ready", file=answers, flush=True)
        for line in sys.stdin:
            question = json.loads(line)
            seen = view(read_position(question["position"]), question["seat"])
            version, numbers, spare = question["chance"]
            rng = random.Random()
            rng.setstate((version, tuple(numbers), spare))
            begin = process_time()
            action = player.choose(seen, rng)
            spent = round(1000 * (process_time() - begin), 3)
            text = None if action is None else write_action(action)
            print(json.dumps({"action": text, "milliseconds": spent}), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
