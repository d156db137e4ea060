"""League: a season of weeks in divisions, each a round robin whose fixtures can be postponed.

The divisions are parts of the seeding: in a first season that by rating, later the order of
`next_season`. All fixtures are drawn before the first week, and a week is a round. Two pairs may
play a fixture earlier, and later if both agree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from typing import Final, NamedTuple

from bot.club.competition import (
    Competition,
    EntrantNumber,
    Line,
    Match,
    Pairing,
    Result,
    Side,
)
from bot.club.formats.round_robin import RoundRobin, cycle_length, table_round

Divisions = tuple[tuple[EntrantNumber, ...], ...]
"""Entrants of each division, the highest division first."""

_RULES: Final = RoundRobin()
_FEWEST: Final = 4
"""Fewest entrants of a division."""


class Fixture(NamedTuple):
    """An open match of the season."""

    round: int
    """Position of its round, from 0."""
    match: int
    """Position in the round."""
    sides: Pairing
    """Both sides."""
    week: int
    """Week in which it is due, from 1."""


class League:
    """Rules of a season, in which all of a division meet once or twice."""

    tie_breaks = _RULES.tie_breaks
    entrants = range(_FEWEST, 65)

    def length(self, competition: Competition) -> int:
        """Return the number of weeks, which the division with the most rounds needs."""
        return max(_RULES.length(division) for division in divisions_of(competition))

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the fixtures of the next week, those of the highest division first.

        Earlier weeks need not be over. Fixtures of entrants who have withdrawn are kept.
        """
        week = len(competition.rounds)
        return tuple(
            tuple((number,) for number in pair)
            for division in divisions_of(competition)
            if week < _RULES.length(division)
            for pair in sorted(table_round(division, week), key=len, reverse=True)  # byes last
        )

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the tables of all divisions, one after the other; places go on."""
        lines = list[Line]()
        for table in tables(competition):
            lines += [line._replace(place=line.place + len(lines)) for line in table]
        return tuple(lines)


def split(order: Sequence[EntrantNumber], divisions: int) -> Divisions:
    """Return divisions of at least four whose sizes differ by at most one, larger ones first."""
    count = max(1, min(divisions, len(order) // _FEWEST))
    size, more = divmod(len(order), count)
    ends = accumulate((size + (place < more) for place in range(count)), initial=0)
    return tuple(tuple(order[start:end]) for start, end in pairwise(ends))


def divisions_of(competition: Competition) -> Iterator[Competition]:
    """Yield each division as a competition of its own."""
    roster = [each.number for each in competition.roster]
    for numbers in split(roster, competition.divisions):
        cycle = cycle_length(len(numbers))
        yield replace(
            competition,
            entrants=tuple(each for each in competition.entrants if each.number in numbers),
            rounds=tuple(
                tuple(match for match in matches if match.sides[0][0] in numbers)
                for matches in competition.rounds
            ),
            planned=cycle * (1 + competition.twice),
        )


def division_count(competition: Competition) -> int:
    """Return the number of divisions, which is less than planned with too few pairs."""
    return sum(1 for _ in divisions_of(competition))


def tables(competition: Competition) -> tuple[tuple[Line, ...], ...]:
    """Return the table of each division.

    Open fixtures of entrants who have withdrawn are forfeits.
    """
    return tuple(
        _RULES.standings(division) for division in divisions_of(_without_withdrawn(competition))
    )


def open_fixtures(competition: Competition) -> list[Fixture]:
    """Return the fixtures that can be played, in the order in which they are due.

    One is due in the week of its round, or in the earlier of the later weeks to which both sides
    agree to postpone it, but not after the last week.
    """
    weeks = len(competition.rounds)
    found = [
        Fixture(position, place, match.sides, max(position + 1, min(weeks, *match.until)))
        for position, matches in enumerate(_without_withdrawn(competition).rounds)
        for place, match in enumerate(matches)
        if match.result is None
    ]
    return sorted(found, key=lambda fixture: fixture.week)


def fixture_of(competition: Competition, one: Side, other: Side) -> Fixture | None:
    """Return the fixture that a match between these sides decides, or `None` if none is open."""
    found = (each for each in open_fixtures(competition) if {*each.sides} == {one, other})
    return next(found, None)


def champions(competition: Competition) -> tuple[EntrantNumber, ...]:
    """Return the winner of each division, for the hall of fame; the seed decides a tie."""
    return tuple(table[0].entrant for table in tables(competition))


def moves(
    rankings: Sequence[Sequence[EntrantNumber]], exchanged: int
) -> Iterator[tuple[Sequence[EntrantNumber], Sequence[EntrantNumber]]]:
    """Yield who leaves each division but the last for the one below, and who replaces them.

    These are the last and the best `exchanged`, but at most a third of a division.
    """
    for upper, lower in pairwise(rankings):
        number = min(exchanged, len(upper) // 3, len(lower) // 3)
        yield upper[len(upper) - number :], lower[:number]


def next_season(
    competition: Competition,
    exchanged: int,
    divisions: int,
    returning: Collection[EntrantNumber],
    newcomers: Sequence[EntrantNumber] = (),
) -> Divisions:
    """Return the divisions of the next season, each in the order of its seeds.

    The best `exchanged` of a division change places with the last of the one above, but at most a
    third of those who play on. The seed decides a tie. If a division has more room now, the best of
    those who would leave it stay; if it has less, more of its last leave it. Newcomers come last.
    """
    last = [
        [line.entrant for line in table if line.entrant in returning]
        for table in tables(competition)
    ]
    moving = [len(rising) for _, rising in moves(last, exchanged)]
    order = list[EntrantNumber]()
    for place, ranking in enumerate(last):
        rising = moving[place - 1] if place else 0
        falling = moving[place] if place < len(moving) else 0
        relegated = last[place - 1][-rising:] if rising else []
        promoted = last[place + 1][:falling] if falling else []
        stay = ranking[rising : len(ranking) - falling]
        half = len(stay) // 2
        order += [*relegated, *stay[:half], *promoted, *stay[half:]]
    seeds = {number: seed for seed, number in enumerate(chain(*last, newcomers))}
    return tuple(
        tuple(sorted(division, key=lambda number: seeds[number]))
        for division in split([*order, *newcomers], divisions)
    )


def _without_withdrawn(competition: Competition) -> Competition:
    """Return the competition in which withdrawn entrants have lost their open fixtures."""
    gone = competition.withdrawn

    def decided(match: Match) -> Match:
        is_gone = [side[0] in gone for side in match.sides]
        if match.result is not None or not any(is_gone):
            return match
        return match._replace(
            result=Result("forfeit", None if all(is_gone) else is_gone.index(False))
        )

    rounds = tuple(tuple(map(decided, matches)) for matches in competition.rounds)
    return replace(competition, rounds=rounds)
