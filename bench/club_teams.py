"""`python -m bench.club_teams N`: spread of the IMPs of N deals that two tables play.

All seats have the same computer player, so that chance alone makes the difference.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import pstdev

from bench.contestants import contestant
from bench.duplicate import Board, for_dealer, start
from bench.rounds import play_round, shuffled
from bot.club.competition import Boards
from bot.club.formats.teams import compare
from bot.runtime.progress import print_line, progress
from engine import Options


def play_deal(name: str, number: int) -> tuple[Boards, Boards]:
    """Return the points of a deal at two tables of this player."""
    players = [contestant(name)] * 4
    scores = list[Boards]()
    for table in range(2):
        match = start(Board(Options(), (name, name), 0, number, False), number % 4)
        deck = for_dealer(match, shuffled(match, Random(f"deal {number}")))
        match = play_round(match, players, deck, Random(f"play {number} {table}"))
        first, second = match.results[-1].score
        scores.append(((int(first), int(second)),))
    return scores[0], scores[1]


def main(argv: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.club_teams", description=__doc__)
    parser.add_argument("deals", type=int)
    parser.add_argument("--player", default="expert:60")
    arguments = parser.parse_args(argv)
    numbers = progress(range(arguments.deals), "deals", unit="deals")
    scores = [compare(*play_deal(arguments.player, number)) for number in numbers]
    points = pstdev(score.points[0] for score in scores)
    imps = [score.imps for score in scores]
    print_line(f"standard deviation: {points:.0f} points, {pstdev(imps):.1f} IMPs")
    print_line(f"equal results: {imps.count(0) / len(imps):.0%}; most: {max(map(abs, imps))} IMPs")


if __name__ == "__main__":
    main()
