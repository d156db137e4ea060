"""Standings in the deal of the day: mean match points over the days of a week or month."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from math import sqrt
from typing import Literal, NamedTuple

from bot.ids import UserId
from bot.score_records import Period, Preferences
from bot.standings.student import quantile

Span = Literal["week", "month"]
"""Length of a period: an ISO week, or a calendar month."""
FEWEST_DAYS = 4
"""Fewest days with match points to be listed."""
_UPPER_END = 0.975
"""Probability below the upper end of a 95 % interval."""


class Standing(NamedTuple):
    """Sums of a person's match points over the days of a period."""

    days: int = 0
    """Number of days, each with one board."""
    total: float = 0.0
    """Sum of the match points."""
    squares: float = 0.0
    """Sum of their squares."""
    chance: float = 0.0
    """Sum of `bot.standings.match_points.BoardMatchPoints.chance`."""

    @property
    def mean(self) -> float:
        """Mean of the match points."""
        return self.total / self.days

    @property
    def variance(self) -> float:
        """Variance of the mean.

        The variance of a day is estimated from the days, but is at least that by chance: from a few
        days with similar results it would be far too small.
        """
        estimate = (self.squares - self.total * self.mean) / (self.days - 1)
        return max(estimate, self.chance / self.days) / self.days

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the 95 % interval of the mean, from 0 to 100."""
        margin = _factor(self.days) * sqrt(self.variance)
        return max(0.0, self.mean - margin), min(100.0, self.mean + margin)


class DailyLine(NamedTuple):
    """Line of a leaderboard of the deal of the day."""

    place: int
    """Place from 1, shared by equal means; 0 if not listed."""
    user_id: UserId
    """User id of the person."""
    name: str
    """Display name of the person; empty if unknown."""
    standing: Standing
    """Sums of the person."""
    within_chance: bool = False
    """True if their lead over the next line may be chance."""


class DailyLeaders(NamedTuple):
    """A page of a leaderboard of the deal of the day, with the reader's own data."""

    number: int
    """Number of the page, from 0, at most the last one."""
    size: int
    """Number of all lines."""
    lines: tuple[DailyLine, ...]
    """Lines on this page."""
    own: DailyLine | None
    """Line of the reader; `None` before their first day of the period."""
    preferences: Preferences
    """Preferences of the reader."""


def is_within_chance(better: Standing, worse: Standing) -> bool:
    """Return whether the 95 % interval of the difference of two means reaches 0."""
    factor = _factor(min(better.days, worse.days))
    return better.mean - worse.mean <= factor * sqrt(better.variance + worse.variance)


def period_of(day: date, span: Span) -> Period:
    """Return the period of a day, such as ``2026-W48`` or ``2026-11``."""
    if span == "month":
        return f"{day:%Y-%m}"
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def last_day_before(day: date, span: Span) -> date:
    """Return the last day of the period before that of this day."""
    return day - timedelta(days=day.day if span == "month" else day.isoweekday())


@cache
def _factor(days: int) -> float:
    """Return the number of standard errors in half a 95 % interval from so many days."""
    return quantile(_UPPER_END, days - 1)
