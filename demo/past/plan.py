"""Which matches the past has: when, which game, who sits where. Used to play them.

Everybody plays about as often as the others, so that all of them get onto the leaderboards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from bot.table.options import TableOptions
from demo.past.people import STYLES
from engine.options import Options

RECENT_DAYS = 23
"""As far back as the present season of the demo goes for certain (`demo.serve.STARTS`)."""
ALL_DAYS = 105
_HOURS = (3, 7)
"""A day has room for two matches, which began so many hours before the time of now."""

_RECENT = {"nanjing": 16, "trichu": 4, "tientsin": 2, "grandseigneur": 2}
_OLDER = {"nanjing": 24, "trichu": 4, "tientsin": 2, "grandseigneur": 2}
_LONG = (2, 6, 10, 14, 18, 26, 36)
"""Matches of Nanjing that go to 1,000 points."""


class Plan(NamedTuple):
    """A match that is to be played at a table; `seats` as in `demo.past.book.PastMatch`.

    With `rounds` it is broken off in the round after so many.
    """

    table: int
    options: TableOptions
    seats: tuple[str | None, ...]
    days: int
    hours: int
    rounds: int | None


def plans(chance: Random) -> list[Plan]:
    """All matches, the oldest first, at the tables 1, 2, 3 ..."""
    days = range(1, ALL_DAYS + 1)
    recent = _evenings(days[:RECENT_DAYS], _RECENT, chance)
    older = _evenings(days[RECENT_DAYS:], _OLDER, chance)
    played: Counter[str] = Counter()
    of_game: Counter[str] = Counter()
    found = []
    for table, (day, hour, game) in enumerate(older + recent, start=1):
        options, people, computers = _kind(game, of_game[game])
        names = _least(people, played, chance)
        played.update(names)
        seats: list[str | None] = [*names, *[None] * computers]
        chance.shuffle(seats)
        rounds = 2 if of_game[game] % 12 == 5 else None
        of_game[game] += 1
        found.append(Plan(table, options, tuple(seats), day, hour, rounds))
    return found


def _evenings(
    days: Sequence[int], games: dict[str, int], chance: Random
) -> list[tuple[int, int, str]]:
    """Days and hours ago for each match of these games, evenly spread, the oldest first."""
    names = [name for name, number in games.items() for _ in range(number)]
    chance.shuffle(names)
    times = [(day, hour) for day in reversed(days) for hour in reversed(_HOURS)]
    ends = [number * len(times) // len(names) for number in range(len(names) + 1)]
    return [
        (*times[chance.randrange(first, last)], name)
        for name, (first, last) in zip(names, pairwise(ends), strict=True)
    ]


def _kind(game: str, number: int) -> tuple[TableOptions, int, int]:
    """Options, people and computer players of the `number`-th match of a game, from 0."""
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


def _least(number: int, played: Counter[str], chance: Random) -> list[str]:
    """So many people who have played least so far; among equals chance decides."""
    names = list(STYLES)
    chance.shuffle(names)
    return sorted(names, key=lambda name: played[name])[:number]
