"""Teams of four: two teams play the same deals at two tables, with the seats swapped.

Each difference of points becomes IMPs by the table of the Laws of Duplicate Bridge 2017 (Law 78B),
and their sum victory points by the continuous scale of the World Bridge Federation (2013), which is
made for matches of teams. IMPs fit Tichu: between two tables of Expert computers, a deal had a
standard deviation of 5.3 IMPs, so the end of the scale is a margin of 2.8 standard deviations.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple

from bot.club.competition import (
    Boards,
    Competition,
    EntrantNumber,
    Line,
    Match,
    Pairing,
    TieBreak,
)
from bot.club.formats.standings import lines
from bot.club.formats.turns import turns_of

_IMPS: Final = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""Smallest difference of points for 1 IMP, for 2, and so on."""
_RATIO: Final = ((sqrt(5) - 1) / 2) ** 3
"""Value of a further IMP at the end of the scale, relative to the first one."""


TEAMS: Final = ((EntrantNumber(1), EntrantNumber(4)), (EntrantNumber(2), EntrantNumber(3)))
"""Entrants of both teams: the seeds that make them equally strong."""


class Teams:
    """Rules of a match of two teams of two pairs at two tables, in one round or several."""

    tie_breaks: tuple[TieBreak, ...] = ()
    entrants = range(4, 5)

    def length(self, competition: Competition) -> int:
        """Return the planned number of rounds, or one."""
        return competition.planned or 1

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the next round, in which each team has the first seats at one table.

        The seats of each table change from round to round.
        """
        position = len(competition.rounds)
        if position >= self.length(competition):
            return ()
        tables = ((1, 2), (3, 4)) if position % 2 == 0 else ((2, 1), (4, 3))
        return tuple(tuple((EntrantNumber(number),) for number in table) for table in tables)

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the pairs of the team with more victory points, then those of the other.

        The differences of all rounds count together. Without a deal that both tables have played
        each team has 10.
        """
        margin = deals = 0
        for position, matches in enumerate(competition.rounds):
            score = compare(*map(_boards, matches))
            margin += score.imps if position % 2 == 0 else -score.imps
            deals += len(score.points)
        points = victory_points(margin, deals)
        scores = {number: points[team] for team, pair in enumerate(TEAMS) for number in pair}
        values = {number: (score, score) for number, score in scores.items()}
        return lines(turns_of(competition), scores, values)


def _boards(match: Match) -> Boards:
    """Return the points of each deal; none without a result."""
    return match.result.boards if match.result is not None else ()


class TeamScore(NamedTuple):
    """Score of a match of two teams, for the first one."""

    points: tuple[int, ...]
    """Points of both tables together by deal: those of the team less those of the other."""
    imps: int
    """Sum of the IMPs."""
    victory_points: tuple[Fraction, Fraction]
    """Victory points of both teams, together 20."""


def compare(first: Boards, second: Boards) -> TeamScore:
    """Return the score of the team that had the first seats at the first table.

    At the second table it had the second seats. Only deals that both tables have played count.
    """
    points = tuple(
        mine - theirs + others[1] - others[0]
        for (mine, theirs), others in zip(first, second, strict=False)
    )
    total = sum(map(imps, points))
    return TeamScore(points, total, victory_points(total, len(points)))


def imps(difference: int) -> int:
    """Return the IMPs for a difference of points."""
    count = bisect_right(_IMPS, abs(difference))
    return count if difference > 0 else -count


def victory_points(margin: int, boards: int) -> tuple[Fraction, Fraction]:
    """Return the victory points for a margin of IMPs in a match of this many deals.

    15 IMPs times the square root of the number of deals are 20 to 0. They have two decimals.
    """
    if not margin:
        return Fraction(10), Fraction(10)
    share = min(1.0, abs(margin) / (15 * sqrt(boards)))
    more = Fraction(round(1000 * (1 - _RATIO**share) / (1 - _RATIO)), 100)
    return (10 + more, 10 - more) if margin > 0 else (10 - more, 10 + more)
