"""Changes of ratings and leaderboards by rounds and matches.

Storage reads the rows of all people concerned into `Books`, calls `Ledger.enter` to change them,
and writes them back in the same transaction. Every entry is made twice: for the server, and for all
servers together (`WORLD`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from bot.ids import GuildId, UserId
from bot.rating.ratings import BEGINNER, new_ratings
from bot.rating.tallies import day_of, match_tallies, round_tallies, season_of, sort_keys
from bot.records import MatchRecord, RoundRecord
from bot.score_records import (
    EVER,
    LATELY,
    WORLD,
    Account,
    Books,
    Day,
    Ended,
    LineKey,
    LineStats,
    Period,
    Person,
    RowKeys,
    Scope,
    SortKeys,
    Tally,
    Variant,
)
from engine import VARIANTS


class Ledger:
    """The rules of ratings and leaderboards; a stateless implementation of `ScoreRules`."""

    def required_rows(self, ended: Sequence[Ended]) -> RowKeys:
        """Return the keys of the rows that may change."""
        people = chain.from_iterable(
            _credited_people(scope, record)
            for guild_id, record in ended
            for scope in (guild_id, WORLD)
        )
        seasons = {season_of(record.ended_at) for _, record in ended}
        days = frozenset(day_of(record.ended_at) for _, record in ended)
        return RowKeys(frozenset(people), frozenset({EVER, LATELY} | seasons), days)

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter rounds and matches into the books, in this order."""
        for guild_id, record in ended:
            if isinstance(record, RoundRecord):
                _update_ratings(books, guild_id, record)
                _add_tallies(books, guild_id, record, round_tallies(record))
            else:
                _add_tallies(books, guild_id, record, match_tallies(record))

    def sort_keys(self, stats: LineStats) -> SortKeys:
        """Return the sort keys of a line; `None` where it is not listed."""
        return sort_keys(stats.tally, stats.rating)

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """Return whether everybody plays against the dealer in this game."""
        return VARIANTS[variant].dealer_opposes_all


LEDGER = Ledger()
"""The rules of ratings and leaderboards."""


def _update_ratings(books: Books, guild_id: GuildId, record: RoundRecord) -> None:
    """Update the ratings of everybody credited with a round."""
    day = day_of(record.ended_at)
    for scope in (guild_id, WORLD):
        before = {
            person.user_id: books.accounts[person]
            for person in _credited_people(scope, record)
            if person in books.accounts
        }
        ratings = {user_id: account.rating for user_id, account in before.items()}
        for user_id, rating in new_ratings(record, ratings).items():
            person = Person(scope, record.variant, user_id)
            rounds = before[user_id].rounds if user_id in before else 0
            books.accounts[person] = Account(rating, rounds + 1)
            books.rating_days[person, day] = rating
            for period in _periods(books, record):
                line = LineKey(person, period)
                if line in books.standings:
                    books.standings[line] = books.standings[line]._replace(rating=rating.shown)


def _add_tallies(
    books: Books,
    guild_id: GuildId,
    record: RoundRecord | MatchRecord,
    entries: Iterable[tuple[UserId, Tally]],
) -> None:
    """Add tallies of a round or match to its people's lines.

    `entries` are pairs of a person and the tally to add. The books must already contain the ratings
    after the round, because a new line copies its rating from them.
    """
    day = day_of(record.ended_at)
    for user_id, tally in entries:
        for scope in (guild_id, WORLD):
            person = Person(scope, record.variant, user_id)
            if day >= books.first_recent_day:
                books.tallies[person, day] = books.tallies.get((person, day), Tally()).plus(tally)
            for period in _periods(books, record):
                line = LineKey(person, period)
                stats = books.standings.get(line)
                if stats is None:
                    stats = LineStats(Tally(), _displayed_rating(books, person))
                books.standings[line] = stats._replace(tally=stats.tally.plus(tally))


def _displayed_rating(books: Books, person: Person) -> float:
    """Return the displayed rating of this person."""
    account = books.accounts.get(person)
    return (account.rating if account is not None else BEGINNER).shown


def _periods(books: Books, record: RoundRecord | MatchRecord) -> tuple[Period, ...]:
    """Return the periods in which a round or match counts, by the time of its end."""
    day: Day = day_of(record.ended_at)
    season = season_of(record.ended_at)
    return (EVER, season, LATELY) if day >= books.first_recent_day else (EVER, season)


def _credited_people(scope: Scope, record: RoundRecord | MatchRecord) -> list[Person]:
    """Return everybody credited with a round or a match, in this scope."""
    users = {seat.counts_for for seat in record.seats if seat.counts_for is not None}
    return [Person(scope, record.variant, user_id) for user_id in sorted(users)]
