"""Competitions of the tests of formats, with results written in short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.club.competition import Competition, Entrant, EntrantNumber, Format, Match, Pairing, Result

BYE = Result("bye", 0)
DRAW = Result("played", None, (500, 500))
VOID = Result("void")
NOBODY_CAME = Result("forfeit")

Scores = Mapping[tuple[int, int], Result]
"""Results by numbers of both entrants; all others are won by the lower number."""


def new(count: int, *, planned: int | None = None, lots: bytes = b"lots") -> Competition:
    """Return a competition before its first round."""
    entrants = tuple(Entrant(EntrantNumber(each), 1500) for each in range(1, count + 1))
    return Competition(entrants, planned=planned, lots=lots)


def won(points: int = 100) -> Result:
    """Return a win of the entrant who is named first."""
    return Result("played", 0, (points, 0))


def lost(points: int = 100) -> Result:
    """Return a defeat of the entrant who is named first."""
    return Result("played", 1, (0, points))


def forfeited(by: int) -> Result:
    """Return a match to which this one did not come: 0 who is named first, or 1."""
    return Result("forfeit", 1 - by)


def numbers(pairings: tuple[Pairing, ...]) -> list[tuple[int, ...]]:
    """Return pairings as numbers in the order of the seats."""
    return [tuple(int(side[0]) for side in sides) for sides in pairings]


def pairs(pairings: tuple[Pairing, ...]) -> set[tuple[int, ...]]:
    """Return pairings as numbers in ascending order."""
    return {tuple(sorted(each)) for each in numbers(pairings)}


def played(
    competition: Competition, pairings: list[tuple[int, ...]], results: Scores | None = None
) -> Competition:
    """Return the competition after a round with these pairings and results."""
    matches = []
    for each in pairings:
        sides = tuple((EntrantNumber(number),) for number in each)
        matches.append(Match(sides, BYE if len(each) == 1 else _result(each, results or {})))
    return replace(competition, rounds=(*competition.rounds, tuple(matches)))


def next_round(
    rules: Format, competition: Competition, results: Scores | None = None
) -> Competition:
    """Return the competition after the round that the format pairs."""
    return played(competition, numbers(rules.pair(competition)), results)


def without(competition: Competition, *gone: int) -> Competition:
    """Return the competition after these have withdrawn, and all others not."""
    entrants = (each._replace(withdrawn=each.number in gone) for each in competition.entrants)
    return replace(competition, entrants=tuple(entrants))


def places(rules: Format, competition: Competition) -> dict[int, int]:
    """Return the place of each entrant."""
    return {int(line.entrant): line.place for line in rules.standings(competition)}


def _result(each: tuple[int, ...], results: Scores) -> Result:
    """Return the result from the view of who is named first in the pairing."""
    one, other = each
    if (one, other) in results:
        return results[one, other]
    if (other, one) in results:
        return results[other, one].swapped
    return won() if one < other else lost()
