"""Plan of the past matches: dates, games and seats.

Everybody plays about equally often, so that all of them are on the leaderboards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from bot.ids import TableId
from bot.table.options import TableOptions
from demo.past.people import STYLES
from engine import Options

RECENT_DAYS = 23
"""Number of days before the demo in its current season (`demo.serve.STARTS`)."""
ALL_DAYS = 105
"""Number of days before the demo at which the first match may be played."""
_HOURS = (3, 7)
"""Two times of day at which a match may begin, in hours before the demo's."""

_RECENT = {"nanjing": 16, "trichu": 4, "tientsin": 2, "grandseigneur": 2}
"""Number of matches of each game in the current season."""
_OLDER = {"nanjing": 24, "trichu": 4, "tientsin": 2, "grandseigneur": 2}
"""Number of matches of each game before the current season."""
_LONG = (*range(8), *range(8, 40, 2))
"""Matches of Nanjing, from 0, that go to 1,000 points; the others go to 500."""


class Plan(NamedTuple):
    """Match to be played."""

    table: TableId
    """Number of its table."""
    options: TableOptions
    """Options of its table."""
    seats: tuple[str | None, ...]
    """Names by seat; `None` for a computer player."""
    days: int
    """Days before the demo at which the match begins, in addition to `hours`."""
    hours: int
    """Hours before the demo, in addition to `days`."""
    rounds: int | None
    """Number of finished rounds after which it is stopped; `None` for a whole match."""


class Lineup(NamedTuple):
    """Options of a match, and the numbers of people and computer players."""

    options: TableOptions
    people: int
    computers: int = 0


def plans(rng: Random) -> list[Plan]:
    """Return all matches, the oldest first. Their tables are 1, 2, 3 ..."""
    days = range(1, ALL_DAYS + 1)
    recent = _times(days[:RECENT_DAYS], _RECENT, rng)
    older = _times(days[RECENT_DAYS:], _OLDER, rng)
    played: Counter[str] = Counter()  # matches by person
    planned: Counter[str] = Counter()  # matches by game
    matches = []
    for table, (day, hour, game) in enumerate(older + recent, start=1):
        number = planned[game]
        lineup = _lineup(game, number)
        names = _least_active(lineup.people, played, rng)
        played.update(names)
        seats: list[str | None] = [*names, *[None] * lineup.computers]
        rng.shuffle(seats)
        rounds = 2 if number % 12 == 5 else None
        planned[game] += 1
        matches.append(Plan(TableId(table), lineup.options, tuple(seats), day, hour, rounds))
    return matches


def _times(days: Sequence[int], games: dict[str, int], rng: Random) -> list[tuple[int, int, str]]:
    """Return days and hours before the demo and the game of each match.

    The matches are spread evenly over `days`, the oldest first. `games` has the number of matches
    of each game.
    """
    names = [name for name, number in games.items() for _ in range(number)]
    rng.shuffle(names)
    times = [(day, hour) for day in reversed(days) for hour in reversed(_HOURS)]
    ends = [number * len(times) // len(names) for number in range(len(names) + 1)]
    return [
        (*times[rng.randrange(first, last)], name)
        for name, (first, last) in zip(names, pairwise(ends), strict=True)
    ]


def _lineup(game: str, number: int) -> Lineup:
    """Return the lineup of the `number`-th match of a game, from 0."""
    if game == "trichu":
        return Lineup(TableOptions(rules=Options(variant=game, rounds=6 if number % 2 else 3)), 3)
    if game == "tientsin":
        return Lineup(TableOptions(rules=Options(variant=game, target=500)), 6)
    if game == "grandseigneur":
        players = 5 + number
        rules = Options(variant=game, rounds=4, players=players)
        return Lineup(TableOptions(rules=rules), players)
    return _nanjing(number)


def _nanjing(number: int) -> Lineup:
    """Return the lineup of the `number`-th match of Nanjing, from 0.

    Some of them have computer players.
    """
    rules = Options(target=1000 if number in _LONG else 500)
    if number == 30:
        return Lineup(TableOptions(rules=rules, hints=True), 4)
    if number % 10 == 4:
        return Lineup(TableOptions(rules=rules, computers="novice"), 2, 2)
    if number % 10 == 7:
        return Lineup(TableOptions(rules=rules), 3, 1)
    return Lineup(TableOptions(rules=rules), 4)


def _least_active(number: int, played: Counter[str], rng: Random) -> list[str]:
    """Return the `number` people with the fewest matches; ties are in a random order."""
    names = list(STYLES)
    rng.shuffle(names)
    return sorted(names, key=lambda name: played[name])[:number]
