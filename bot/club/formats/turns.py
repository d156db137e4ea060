"""Results and seats of each entrant, round by round: what formats compute pairings from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from bot.club.competition import Competition, Ending, EntrantNumber, Match, Pairing, Result

_LOSS, _DRAW, _WIN = Fraction(0), Fraction(1, 2), Fraction(1)


class Turn(NamedTuple):
    """A match that is over, or a bye, as one entrant sees it."""

    round: int
    """Position of the round, from 0."""
    opponent: EntrantNumber | None
    """The opponent; `None` for a bye."""
    first: bool
    """True if the entrant's side was named first and sat on seats 0 and 2."""
    ending: Ending
    """End of the match."""
    score: Fraction
    """1 for a win or a bye, 1/2 for a draw, 0 otherwise."""
    points: int
    """Points of the entrant less those of the opponent."""


Turns = dict[EntrantNumber, tuple[Turn, ...]]
"""Turns of each entrant, in the order of the rounds."""


def turns_of(competition: Competition) -> Turns:
    """Return the turns of all entrants."""
    turns: dict[EntrantNumber, list[Turn]] = {each.number: [] for each in competition.entrants}
    for position, matches in enumerate(competition.rounds):
        for match in matches:
            for number, turn in _turns(position, match):
                turns[number].append(turn)
    return {number: tuple(each) for number, each in turns.items()}


def score_of(turns: tuple[Turn, ...]) -> Fraction:
    """Return the score of an entrant."""
    return sum((turn.score for turn in turns), _LOSS)


def seat_difference(turns: tuple[Turn, ...]) -> int:
    """Return how much more often an entrant was first than second at a table."""
    seats = [turn.first for turn in turns if turn.ending == "played"]
    return 2 * sum(seats) - len(seats)


def in_seats(one: EntrantNumber, other: EntrantNumber, turns: Turns) -> Pairing:
    """Return a pairing whose first side is the one that was named first less often.

    After equal counts the sides alternate: the one that was first more recently is second. Equal
    histories leave it to the parity of the number, as in the first round of Berger tables.
    """

    def key(number: EntrantNumber) -> tuple[int, ...]:
        seats = [turn.first for turn in reversed(turns[number]) if turn.ending == "played"]
        return (seat_difference(turns[number]), *seats)

    mine, theirs = key(one), key(other)
    is_first = mine < theirs if mine != theirs else one % 2 == 1
    return ((one,), (other,)) if is_first else ((other,), (one,))


def _turns(position: int, match: Match) -> Iterator[tuple[EntrantNumber, Turn]]:
    """Yield the turns of a match of pairs that is over."""
    if match.result is None:
        return
    numbers = [side[0] for side in match.sides]
    for side, number in enumerate(numbers):
        opponent = numbers[1 - side] if len(numbers) == 2 else None
        ending, totals = match.result.ending, match.result.totals
        points = totals[side] - totals[1 - side] if ending == "played" else 0
        score = _score(match.result, side)
        yield number, Turn(position, opponent, side == 0, ending, score, points)


def _score(result: Result, side: int) -> Fraction:
    """Return the score of a side."""
    if result.winner is None:  # a draw, a forfeit by both, or void
        return _DRAW if result.ending == "played" else _LOSS
    return _WIN if result.winner == side else _LOSS
