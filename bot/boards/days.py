"""Days of boards: calendar days in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from bot.board_records import BoardRecord

DRAWN_AHEAD = 7
"""Number of days for which boards are drawn, and their commitments public, in advance."""


def day_of(now: datetime) -> date:
    """Return the day at this time."""
    return now.astimezone(UTC).date()


def ends_at(day: date) -> datetime:
    """Return the time at which a day is over."""
    return datetime.combine(day + timedelta(days=1), time(), UTC)


def is_over(board: BoardRecord, now: datetime) -> bool:
    """Return whether the day or the challenge of a board is over."""
    return board.challenge_over if board.day is None else ends_at(board.day) <= now
