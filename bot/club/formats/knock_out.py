"""Knock-out: who loses a match is out, from the standard draw by seeds."""

from __future__ import annotations

from fractions import Fraction

from bot.club.competition import Competition, EntrantNumber, Line, Match, Pairing, TieBreak
from bot.club.formats.standings import lines
from bot.club.formats.turns import Turns, in_seats, score_of, turns_of

_THIRD = Fraction(1, 2)
"""Value of the match for the third place in the order of the standings; a round counts one."""


class KnockOut:
    """Rules of a knock-out.

    The first round has as many places as a power of two. The highest seeds have its byes, and the
    two highest can meet only in the final. The winners of two neighbouring matches meet next.
    """

    tie_breaks: tuple[TieBreak, ...] = ("reached",)
    entrants = range(4, 65)

    def length(self, competition: Competition) -> int:
        """Return the number of rounds until one entrant is left."""
        return (len(competition.roster) - 1).bit_length()

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the next round in the order of the draw; the match for the third place is last."""
        position, length = len(competition.rounds), self.length(competition)
        if position >= length:
            return ()
        active = {each.number for each in competition.active}
        turns = turns_of(competition)
        if not position:
            return tuple(_match(pair, active, turns) for pair in _draw(competition, length))
        before = competition.rounds[-1]
        winners = [winner_of(match) for match in before]
        pairings = [
            _match(pair, active, turns) for pair in zip(winners[::2], winners[1::2], strict=True)
        ]
        if competition.third_place and position == length - 1:
            losers = tuple(number for match in before for number in _losers(match))
            if active.intersection(losers):
                pairings.append(_match(losers, active, turns))
        return tuple(pairings)

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the standings by the number of rounds that each entrant has survived."""
        turns = turns_of(competition)
        reached = dict.fromkeys(turns, Fraction(0))
        length = self.length(competition)
        for position, matches in enumerate(competition.rounds, start=1):
            for place, match in enumerate(matches):
                if match.result is not None:
                    is_third = position == length and place == 1
                    reached[winner_of(match)] += _THIRD if is_third else 1
        scores = {number: score_of(each) for number, each in turns.items()}
        values = {
            number: (each, Fraction(number not in competition.withdrawn), each)
            for number, each in reached.items()
        }
        return lines(turns, scores, values)


def _draw(competition: Competition, length: int) -> list[tuple[EntrantNumber, ...]]:
    """Return the pairs of the first round: 1 and 8, 4 and 5, 2 and 7, 3 and 6."""
    seeds = [0]
    for size in (2**power for power in range(1, length + 1)):
        seeds = [each for seed in seeds for each in (seed, size - 1 - seed)]
    roster = [each.number for each in competition.roster]
    return [
        tuple(roster[seed] for seed in pair if seed < len(roster))
        for pair in zip(seeds[::2], seeds[1::2], strict=True)
    ]


def _match(numbers: tuple[EntrantNumber, ...], active: set[EntrantNumber], turns: Turns) -> Pairing:
    """Return the pairing of these one or two entrants, a bye if only one is active.

    If none is, the higher seed keeps the place, so that the next opponent has the bye.
    """
    left = [number for number in numbers if number in active]
    if len(left) == 2:
        return in_seats(left[0], left[1], turns)
    return ((left[0] if left else min(numbers),),)


def winner_of(match: Match) -> EntrantNumber:
    """Return who goes on: the winner, or the higher seed after a draw or a void match."""
    numbers = [side[0] for side in match.sides]
    winner = match.result.winner if match.result else None
    return min(numbers) if winner is None else numbers[winner]


def _losers(match: Match) -> list[EntrantNumber]:
    """Return who does not go on; nobody after a bye."""
    winner = winner_of(match)
    return [side[0] for side in match.sides if side[0] != winner]
