"""`python -m tests.engine.write_transcripts`: rewrite our own transcripts.

They record today's behaviour of the engine; only a deliberate change of a rule or of the notation
may change them. The transcripts of the independent engine are never rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from random import Random

from bench.walks import Walk, walks
from engine import Options
from tests.engine.transcripts import DATA, write_transcript

ROUNDS = 3
GAMES = {
    "own-nanjing.txt": (58, Options()),
    "own-clockwise.txt": (10, Options(direction="clockwise", target=300)),
    "own-penalty.txt": (43, Options(wish_policy="penalty", target=500)),
    "own-trichu.txt": (1, Options("trichu", direction="clockwise", wish_policy="penalty")),
    "own-tientsin.txt": (2, Options("tientsin", direction="clockwise", wish_policy="penalty")),
    "own-grandseigneur.txt": (
        3,
        Options("grandseigneur", direction="clockwise", players=7, rounds=6),
    ),
}


def transcript(name: str) -> str:
    """Return the text of one of our own transcripts."""
    seed, options = GAMES[name]
    lines = ["= a seeded random game, written by write_transcripts.py", ""]
    return "\n".join([*lines, *write_transcript(_first_rounds(seed, options))]) + "\n"


def _first_rounds(seed: int, options: Options) -> Iterator[Walk]:
    """Return the first rounds of a walk, up to the last result."""

    def wanted(walk: Walk) -> bool:
        number = walk.match.round.number if walk.match.round is not None else 0
        return number <= ROUNDS

    return takewhile(wanted, walks(Random(seed), options))


if __name__ == "__main__":
    for game in GAMES:
        (DATA / game).write_text(transcript(game), "utf-8")
