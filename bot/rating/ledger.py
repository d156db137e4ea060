"""The books of ratings and leaderboards: entries for rounds and matches, in memory.

`bot.storage.rankings` fills in what is stored of those whom it concerns, and stores what changed.
Every entry is made twice: for the server, and for all servers together (`WORLD`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from bot.rating.ratings import Rating, rated
from bot.rating.tallies import EVER, LATELY, WORLD, Tally, day_of, of_match, of_round, season_of
from bot.records import MatchRecord, RoundRecord


class Person(NamedTuple):
    """Somebody in one game and one scope."""

    scope: int
    variant: str
    user_id: int


class Line(NamedTuple):
    """Somebody's line of a leaderboard: the period is a season, or `EVER`, or `LATELY`."""

    person: Person
    period: str


class Ledger:
    """The books; `lately_from` is the first day that still belongs to `LATELY`."""

    def __init__(self, lately_from: int) -> None:
        self.lately_from = lately_from
        self.ratings: dict[Person, Rating] = {}
        self.rounds: defaultdict[Person, int] = defaultdict(int)
        """So many rounds have changed a rating."""
        self.rating_days: dict[tuple[Person, int], Rating] = {}
        self.lines: dict[Line, Tally] = {}
        self.shown: dict[Line, float] = {}
        """The rating that stands on a line: of a season that is over, the one at its end."""
        self.tallies: defaultdict[tuple[Person, int], Tally] = defaultdict(Tally)
        """What was added on each day, as long as it belongs to `LATELY`."""

    def add_round(self, guild_id: int, record: RoundRecord) -> None:
        """Enter a round that ended on this server."""
        day, season = day_of(record.ended_at), season_of(record.ended_at)
        for scope in (guild_id, WORLD):
            before = {
                person.user_id: self.ratings[person]
                for person in persons(scope, record)
                if person in self.ratings
            }
            for user_id, rating in rated(record, before).items():
                person = Person(scope, record.variant, user_id)
                self.ratings[person] = self.rating_days[person, day] = rating
                self.rounds[person] += 1
                for period in self._periods(day, season):
                    self.shown[Line(person, period)] = rating.shown
        self._add(guild_id, record.variant, day, season, of_round(record))

    def add_match(self, guild_id: int, record: MatchRecord) -> None:
        """Enter a match that ended on this server."""
        day, season = day_of(record.ended_at), season_of(record.ended_at)
        self._add(guild_id, record.variant, day, season, of_match(record))

    def _add(
        self,
        guild_id: int,
        variant: str,
        day: int,
        season: str,
        entries: Iterable[tuple[int, Tally]],
    ) -> None:
        for user_id, more in entries:
            for scope in (guild_id, WORLD):
                person = Person(scope, variant, user_id)
                if day >= self.lately_from:
                    self.tallies[person, day] = self.tallies[person, day].plus(more)
                for period in self._periods(day, season):
                    line = Line(person, period)
                    self.lines[line] = self.lines.get(line, Tally()).plus(more)
                    self.shown.setdefault(line, self.ratings.get(person, Rating()).shown)

    def _periods(self, day: int, season: str) -> tuple[str, ...]:
        """The periods to which a day belongs."""
        return (EVER, season, LATELY) if day >= self.lately_from else (EVER, season)


def persons(scope: int, record: RoundRecord | MatchRecord) -> list[Person]:
    """Everybody for whom a round or a match counts."""
    users = {seat.counts_for for seat in record.seats if seat.counts_for is not None}
    return [Person(scope, record.variant, user_id) for user_id in sorted(users)]
