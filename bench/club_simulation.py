"""Random tournaments and seasons of `bench.club`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from bot.club.competition import Competition, Entrant, EntrantNumber, Match, Pairing, Result

_FORFEITS = (Result("forfeit", 0), Result("forfeit", 1), Result("forfeit"))


def must(condition: object, text: str) -> None:
    """Raise `AssertionError` with the text unless the condition holds."""
    if not condition:
        raise AssertionError(text)


def new_competition(count: int, rng: Random, planned: int | None = None) -> Competition:
    """Return a competition of this many entrants before its first round."""
    entrants = tuple(
        Entrant(EntrantNumber(number), 1800 - 10 * number) for number in range(1, count + 1)
    )
    return Competition(
        entrants, planned=planned, third_place=rng.random() < 0.5, lots=rng.randbytes(32)
    )


def with_results(competition: Competition, pairings: Sequence[Pairing], rng: Random) -> Competition:
    """Return the competition after a round with random results."""
    matches = [Match(sides, random_result(competition, sides, rng)) for sides in pairings]
    return replace(competition, rounds=(*competition.rounds, tuple(matches)))


def random_result(competition: Competition, sides: Pairing, rng: Random) -> Result:
    """Return a random result; the stronger side wins more often."""
    if len(sides) == 1:
        return Result("bye", 0)
    chance = rng.random()
    if chance < 0.02:
        return Result("void")
    if chance < 0.06:
        return rng.choice(_FORFEITS)
    if chance < 0.10:
        return Result("played", None, (700, 700))
    one, other = (competition.entrants[side[0] - 1].rating for side in sides)
    winner = int(rng.random() >= 1 / (1 + 10 ** ((other - one) / 400)))
    losing = rng.randrange(-200, 1000, 5)
    return Result("played", winner, (losing, 1000) if winner else (1000, losing))


def with_absences(competition: Competition, gone: set[EntrantNumber], rng: Random) -> Competition:
    """Return the competition with other absent entrants, and more who have withdrawn for good."""
    for each in competition.entrants:
        if rng.random() < 0.01 and len(competition.entrants) - len(gone) > 2:
            gone.add(each.number)
    entrants = (
        each._replace(withdrawn=each.number in gone or rng.random() < 0.02)
        for each in competition.entrants
    )
    return replace(competition, entrants=tuple(entrants))
