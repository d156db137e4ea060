"""Tallies of rounds and matches by person, the counters of the leaderboards.

A round counts if at least two people played it. With computer players alone only the rating changes
(`bot.rating.ratings`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from bot.ids import UserId
from bot.records import MatchRecord, RoundRecord
from bot.score_records import Day, Period, SortKeys, Tally

FEWEST_ROUNDS, FEWEST_MATCHES, FEWEST_CALLS = 20, 5, 10
"""Minimum numbers to be listed, so that nobody leads after one lucky evening."""
LAST_DAYS = 30
"""Number of days in the period `LATELY`, including today."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def sort_keys(tally: Tally, rating: float) -> SortKeys:
    """Return the sort keys of a person, `None` for leaderboards on which they are not listed."""
    enough_rounds = tally.rounds >= FEWEST_ROUNDS
    return SortKeys(
        rating=rating if enough_rounds else None,
        wins=float(tally.wins) if enough_rounds and tally.wins else None,
        win_rate=tally.wins / tally.matches if tally.matches >= FEWEST_MATCHES else None,
        points=tally.points / 100 / tally.rounds if enough_rounds else None,
        calls=tally.calls_made / tally.calls if tally.calls >= FEWEST_CALLS else None,
    )


def round_tallies(record: RoundRecord) -> Iterator[tuple[UserId, Tally]]:
    """Yield the people credited with a round, and their tallies."""
    if not record.rated or _credited_count(record) < 2:
        return
    for seat in record.seats:
        if seat.counts_for is not None:
            yield (
                seat.counts_for,
                Tally(
                    rounds=1,
                    points=seat.margin or 0,
                    calls=int(seat.call is not None),
                    calls_made=int(bool(seat.call_made)),
                ),
            )


def match_tallies(record: MatchRecord) -> Iterator[tuple[UserId, Tally]]:
    """Yield the people credited with a match, and their tallies.

    A stopped match yields nobody.
    """
    if not record.rated or record.reason != "finished" or _credited_count(record) < 2:
        return
    for seat in record.seats:
        if seat.counts_for is not None:
            yield seat.counts_for, Tally(matches=1, wins=int(seat.won))


def _credited_count(record: RoundRecord | MatchRecord) -> int:
    """Return the number of people credited with a round or a match."""
    return len({seat.counts_for for seat in record.seats} - {None})


def day_of(moment: datetime) -> Day:
    """Return the day of a moment, in UTC, counted since 1970."""
    return (moment - _EPOCH) // timedelta(days=1)


def first_recent_day(moment: datetime) -> Day:
    """Return the first day of the period `LATELY` at this moment."""
    return day_of(moment) - LAST_DAYS + 1


def season_of(moment: datetime) -> Period:
    """Return the calendar month (UTC) of a moment, such as ``2026-11``."""
    return f"{moment.astimezone(UTC):%Y-%m}"


def span_of(season: Period) -> tuple[datetime, datetime]:
    """Return the beginning of a season, and the beginning of the next one."""
    year, month = map(int, season.split("-"))
    next_year, next_month = (year + 1, 1) if month == 12 else (year, month + 1)
    return (
        datetime(year, month, 1, tzinfo=UTC),
        datetime(next_year, next_month, 1, tzinfo=UTC),
    )


def last_season(moment: datetime) -> Period:
    """Return the last season that was over at this moment."""
    begin, _ = span_of(season_of(moment))
    return season_of(begin - timedelta(days=1))
