"""Duplicate: all tables of a round play the same deals, and results with the same cards compare.

The movement is a barometer Howell: everybody meets everybody by the Berger tables of FIDE, and the
same deals are in play at all tables at once. Pairs compete while they have the same seats, and so
the same cards. The seats are those of balanced Howell rotations by quadratic residues (Parker and
Mood, American Mathematical Monthly 62, 1955; Berlekamp and Hwang, Journal of Combinatorial Theory A
12, 1972): with 4, 7, 8, 11 and 12 pairs each two compete equally often. With 5, 6, 9 and 10 pairs a
search found the best seats, with which some compete in one round more or less than the mean.

Match points are those of the Laws of Duplicate Bridge 2017 (Law 78A), with the formula of Neuberg
for deals that were played at fewer tables. They ask only who was better, so points of Tichu need no
conversion. Victory points are for teams (`bot.club.formats.teams`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from bot.club.competition import Boards, Competition, EntrantNumber, Line, Match, Pairing, TieBreak
from bot.club.formats.round_robin import cycle_length, table_round
from bot.club.formats.standings import ranked
from bot.club.formats.turns import turns_of

_SEATS: Final[dict[int, tuple[str, ...]]] = {
    4: ("1",) * 3,
    5: ("00", "00", "00", "01", "01"),
    6: ("10",) * 5,
    7: ("110",) * 7,
    8: ("110",) * 7,
    9: ("1110", "1100", "1110", "1100", "1011", "1001", "1111", "0101", "1101"),
    10: ("1101",) * 9,
    11: ("10111",) * 11,
    12: ("10111",) * 11,
}
"""Seats by number of pairs: a text for each round, with a digit for each table but the first.

In the Berger table the first table has the last pair and a pair r, and the table of step s has the
pairs r + s and r - s. 1: the latter is second, if the last pair is first. With 3, 7 and 11 rounds
the steps with 1 are the quadratic residues.
"""
_AVERAGE: Final = Fraction(1, 2)
_PLUS: Final = Fraction(3, 5)
_MINUS: Final = Fraction(2, 5)


class Duplicate:
    """Rules of a duplicate of pairs, scored by match points."""

    tie_breaks: tuple[TieBreak, ...] = ("direct",)
    entrants = range(4, 13)

    def length(self, competition: Competition) -> int:
        """Return the planned number of rounds, or else that in which all meet once."""
        return competition.planned or cycle_length(len(competition.roster))

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the next round of the movement; who has no opponent in it sits out.

        Each repetition of the table swaps all seats.
        """
        position = len(competition.rounds)
        if position >= self.length(competition):
            return ()
        active = {each.number for each in competition.active}
        count = len(competition.roster)
        turn = position % cycle_length(count)
        second = "01"[turn % 2 == 0]  # the Berger table alternates the last pair
        pairings = list[Pairing]()
        for step, pair in enumerate(table_round(competition, position)):
            if step and _SEATS[count][turn][step - 1] == second:
                pair = pair[::-1]
            sides = tuple((number,) for number in pair if number in active)
            if sides:
                pairings.append(sides)
        return tuple(sorted(pairings, key=len, reverse=True))  # byes last

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the standings by the share of the match points in all deals.

        Byes and void matches count for nobody. What was not played has an artificial score by Law
        12C2: average (50 %) for deals that a match did not reach, average plus after a forfeit of
        the opponents, and average minus after one's own. Average plus is 60 %, or the mean of the
        pair's other deals if that is more; average minus is 40 %, or that mean if it is less.
        """
        played = {each.number: list[_Score]() for each in competition.entrants}
        tables = len(competition.roster) // 2
        for position, matches in enumerate(competition.rounds):
            for number, score in _round_scores(position, matches, tables):
                played[number].append(score)
        scores = {number: _by_law_12(each) for number, each in played.items()}
        shares = {
            (number, score.round): score.share for number, each in scores.items() for score in each
        }
        turns = {
            number: tuple(
                turn._replace(score=shares[number, turn.round])
                for turn in each
                if (number, turn.round) in shares
            )
            for number, each in turns_of(competition).items()
        }
        totals = {number: _mean(each) for number, each in scores.items()}
        return ranked(competition, turns, totals, self.tie_breaks)


class _Score(NamedTuple):
    """Score of a pair in a round."""

    round: int
    deals: int
    share: Fraction
    """Share of the match points."""
    artificial: bool = False


def match_points(differences: Sequence[int], tables: int) -> list[Fraction]:
    """Return the share of the match points for each of these results with the same cards.

    Two match points for each result that is worse and one for each equal one, out of all that are
    possible at this number of tables. If fewer have played the deal, each result counts as often as
    needed to make up the number (formula of Neuberg), so a single one has an average.
    """
    played = len(differences)
    return [
        Fraction(
            tables * sum((mine > other) * 2 + (mine == other) for other in differences) - played,
            played * (2 * tables - 2),
        )
        for mine in differences
    ]


def _round_scores(
    position: int, matches: Sequence[Match], tables: int
) -> Iterator[tuple[EntrantNumber, _Score]]:
    """Yield the scores of a round."""
    played = {
        place: match.result.boards
        for place, match in enumerate(matches)
        if match.result is not None and match.result.ending == "played"
    }
    deals = max(map(len, played.values()), default=0)
    if not deals:
        return
    shares = _shares(played, deals, tables)
    for place, match in enumerate(matches):
        if match.result is None:
            continue
        for side, (number,) in enumerate(match.sides):
            if match.result.ending == "played":
                share = shares[place] if side == 0 else 1 - shares[place]
                yield number, _Score(position, deals, share)
            elif match.result.ending == "forfeit":
                share = _PLUS if match.result.winner == side else _MINUS
                yield number, _Score(position, deals, share, artificial=True)


def _shares(played: Mapping[int, Boards], deals: int, tables: int) -> dict[int, Fraction]:
    """Return the share of the first side of each match, with averages for deals not reached."""
    totals = dict.fromkeys(played, Fraction())
    for deal in range(deals):
        reached = {
            place: boards[deal][0] - boards[deal][1]
            for place, boards in played.items()
            if deal < len(boards)
        }
        points = dict(zip(reached, match_points([*reached.values()], tables), strict=True))
        for place in played:
            totals[place] += points.get(place, _AVERAGE)
    return {place: total / deals for place, total in totals.items()}


def _by_law_12(scores: Sequence[_Score]) -> list[_Score]:
    """Return the scores of a pair with artificial ones that depend on its others."""
    mean = _mean([score for score in scores if not score.artificial])

    def share(score: _Score) -> Fraction:
        if not score.artificial:
            return score.share
        return max(_PLUS, mean) if score.share == _PLUS else min(_MINUS, mean)

    return [score._replace(share=share(score)) for score in scores]


def _mean(scores: Sequence[_Score]) -> Fraction:
    """Return the mean share of all deals; an average if there are none."""
    deals = sum(score.deals for score in scores)
    total = sum((score.deals * score.share for score in scores), Fraction())
    return total / deals if deals else _AVERAGE
