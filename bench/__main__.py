"""`python -m bench`: how fast the rules are, how long a click takes, what a move costs.

Prints one line for each figure; compare figures of one run, machines differ.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from bench.engine import rounds_per_second
from bench.stack import Replies, reply_times, requests_per_move


def main() -> int:
    """Run all benchmarks and print their figures. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for the engine (default: 5)")
    parser.add_argument("--tables", type=int, default=200, help="tables at once (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    speed = rounds_per_second(arguments.seconds, arguments.seed)
    print(
        f"engine: {speed.rounds_per_second:,.0f} random Nanjing rounds a second on one core "
        f"({speed.actions_per_second:,.0f} actions a second)"
    )
    _print(asyncio.run(reply_times(1, 200, arguments.seed, at_once=False)))
    _print(asyncio.run(reply_times(arguments.tables, 600, arguments.seed, at_once=False)))
    _print(asyncio.run(reply_times(arguments.tables, 600, arguments.seed, at_once=True)))
    requests = asyncio.run(requests_per_move(3, arguments.seed))
    print(f"requests per move, four open hands, {requests.moves} moves:")
    for kind, count in requests.by_kind.most_common():
        print(f"  {count / requests.moves:5.2f} {kind}")
    return 0


def _print(replies: Replies) -> None:
    tables = "1 table" if replies.tables == 1 else f"{replies.tables} tables"
    how = "one click at a time" if replies.at_once == 1 else f"{replies.at_once} clicks at once"
    print(
        f"click to reply, {tables}, {how}: median {replies.median:.1f} ms, "
        f"95 % within {replies.slow:.1f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
