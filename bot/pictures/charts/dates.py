"""Which dates are written along an axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from babel.dates import format_skeleton

SHORT = timedelta(days=6)
"""If an axis spans less time than this, it has only the first and the last day."""
LONG = timedelta(days=150)
"""If it spans this much or more, it has months instead of days."""

Date = tuple[datetime, str]
"""A moment, and the date that is written there."""


def dates_along(
    first: datetime, last: datetime, language: str, fit: Callable[[list[Date]], bool]
) -> list[Date]:
    """As many round dates as `fit` in this range, at least two; else its first and last day."""
    skeleton = "yMMM" if last - first >= LONG else "MMMd"

    def dated(moments: list[datetime]) -> list[Date]:
        return [(at, str(format_skeleton(skeleton, at, locale=language))) for at in moments]

    first, last = first.astimezone(UTC), last.astimezone(UTC)
    ends = dated([first, last] if first.date() != last.date() else [last])
    if last - first < SHORT:
        return ends
    for moments in _choices(first, last):
        dates = dated(moments)
        if len(dates) > 1 and fit(dates):
            return dates
    return ends


def _choices(first: datetime, last: datetime) -> Iterator[list[datetime]]:
    """The days, weeks, months and years in a range, in larger and larger steps."""
    if last - first < LONG:
        midnight = datetime(first.year, first.month, first.day, tzinfo=UTC) + timedelta(days=1)
        days = (last - midnight).days + 1
        for step in (1, 2, 3, 7, 14):
            yield [midnight + timedelta(days=number) for number in range(0, days, step)]
    months = [
        datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        for number in range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    ]
    months = [month for month in months if first <= month <= last]
    for step in (1, 2, 3, 6, 12, 24, 60, 120, 240):
        yield [month for month in months if (12 * month.year + month.month - 1) % step == 0]
