"""`python -m demo.past --make`: plays the past matches of the demo's server, writes the file."""

from __future__ import annotations

import argparse
import sys
from random import Random

from bot.runtime.progress import progress
from demo.past.book import BOOK, write_book
from demo.past.plan import plans
from demo.past.playing import play

SEED = 7


def main() -> int:
    """Play all matches, which takes minutes, and write the file. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m demo.past", description=__doc__)
    parser.add_argument("--make", action="store_true", required=True, help="write the file anew")
    parser.parse_args()
    planned = plans(Random(SEED))
    matches = [play(plan, SEED) for plan in progress(planned, "past", unit="matches")]
    print(f"{len(matches)} matches are played, {BOOK.name}: {write_book(matches)} bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
