"""What the picture of a rating through time shows, on a profile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from babel.dates import format_skeleton

from bot.pictures.descriptions import RatingChart, rating_chart
from bot.score_records import Played
from bot.text import Say

FEWEST_DAYS = 2
"""One day makes no line."""
MOST_SEASONS = 12
"""Over more months than this the chart shows no month lines."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


def described(played: Played, name: str, say: Say) -> RatingChart | None:
    """The most likely rating at the end of each day, in a band whose lower edge people read.

    `None` for fewer than `FEWEST_DAYS`.
    """
    if len(played.ratings) < FEWEST_DAYS:
        return None
    points = tuple(
        (_EPOCH + day * _DAY, rating.mu, rating.mu - rating.shown) for day, rating in played.ratings
    )
    first, last = points[0][0], points[-1][0]
    return rating_chart(name, points, _seasons(first, last, say), say)


def _seasons(first: datetime, last: datetime, say: Say) -> tuple[tuple[datetime, str], ...]:
    """The beginnings of the months after the first day, with their names; none of too many."""
    found, month = [], first.replace(day=1)
    while (month := (month + 31 * _DAY).replace(day=1)) <= last:
        found.append((month, str(format_skeleton("yMMM", month, locale=say.language))))
    return tuple(found) if len(found) <= MOST_SEASONS else ()
