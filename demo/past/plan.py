"""The plan of the past matches: when each was played, which game, and who sat where.

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
"""All these days before the demo begins are in its present season (`demo.serve.STARTS`)."""
ALL_DAYS = 105
"""The first match was played so many days before the demo begins."""
_HOURS = (3, 7)
"""Two matches fit into a day: they begin so many hours before the time of day of the demo."""

_RECENT = {"nanjing": 16, "trichu": 4, "tientsin": 2, "grandseigneur": 2}
_OLDER = {"nanjing": 24, "trichu": 4, "tientsin": 2, "grandseigneur": 2}
_LONG = (2, 6, 10, 14, 18, 26, 36)
"""The matches of Nanjing that go to 1,000 points, counted from 0; the others go to 500."""


class Plan(NamedTuple):
    """A match that is to be played. What has no sentence here is as in `PastMatch`."""

    table: TableId
    options: TableOptions
    seats: tuple[str | None, ...]
    days: int
    hours: int
    rounds: int | None
    """The match is stopped in the round after so many; `None` if it is played to its end."""


def plans(rng: Random) -> list[Plan]:
    """All matches, the oldest first. Their tables are 1, 2, 3 ..."""
    days = range(1, ALL_DAYS + 1)
    recent = _evenings(days[:RECENT_DAYS], _RECENT, rng)
    older = _evenings(days[RECENT_DAYS:], _OLDER, rng)
    played: Counter[str] = Counter()
    of_game: Counter[str] = Counter()
    matches = []
    for table, (day, hour, game) in enumerate(older + recent, start=1):
        options, people, computers = _kind(game, of_game[game])
        names = _least(people, played, rng)
        played.update(names)
        seats: list[str | None] = [*names, *[None] * computers]
        rng.shuffle(seats)
        rounds = 2 if of_game[game] % 12 == 5 else None
        of_game[game] += 1
        matches.append(Plan(table, options, tuple(seats), day, hour, rounds))
    return matches


def _evenings(
    days: Sequence[int], games: dict[str, int], rng: Random
) -> list[tuple[int, int, str]]:
    """For each match days and hours ago, and its game: evenly spread, the oldest first.

    `days` are the days to choose from, `games` the number of matches of each game.
    """
    names = [name for name, number in games.items() for _ in range(number)]
    rng.shuffle(names)
    times = [(day, hour) for day in reversed(days) for hour in reversed(_HOURS)]
    ends = [number * len(times) // len(names) for number in range(len(names) + 1)]
    return [
        (*times[rng.randrange(first, last)], name)
        for name, (first, last) in zip(names, pairwise(ends), strict=True)
    ]


def _kind(game: str, number: int) -> tuple[TableOptions, int, int]:
    """The `number`-th match of a game (from 0): its options, people and computer players."""
    if game == "trichu":
        return TableOptions(rules=Options(variant=game, rounds=6 if number % 2 else 3)), 3, 0
    if game == "tientsin":
        return TableOptions(rules=Options(variant=game, target=500)), 6, 0
    if game == "grandseigneur":
        players = 5 + number
        return TableOptions(rules=Options(variant=game, rounds=4, players=players)), players, 0
    target = 1000 if number in _LONG else 500
    if number == 30:
        return TableOptions(rules=Options(target=target), hints=True), 4, 0
    if number % 10 == 4:
        return TableOptions(rules=Options(target=target), computers="novice"), 2, 2
    if number % 10 == 7:
        return TableOptions(rules=Options(target=target)), 3, 1
    return TableOptions(rules=Options(target=target)), 4, 0


def _least(number: int, played: Counter[str], rng: Random) -> list[str]:
    """The `number` people who have played least so far; among equals the random source decides."""
    names = list(STYLES)
    rng.shuffle(names)
    return sorted(names, key=lambda name: played[name])[:number]
