"""Streaks: days in a row on which a person has finished the deal of the day."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta

from bot.board_records import Streak
from bot.ids import UserId
from bot.storage import Store
from players.boards import VERSION

_DAY = timedelta(days=1)


def streak(played: Collection[date], excused: Collection[date], today: date) -> Streak:
    """Return the streak of a person who finished the deals of the days in `played`.

    A streak may miss one day in each calendar month. Days that are `excused` and today, which is
    not over, are never missed.
    """
    if not played:
        return Streak()
    days = since_missed = longest = 0
    missed: date | None = None
    day = min(played)
    while day <= today:
        if day in played:
            days, since_missed = days + 1, since_missed + 1
            longest = max(longest, days)
        elif day not in excused and day != today:
            if missed is not None and (missed.year, missed.month) == (day.year, day.month):
                days = since_missed  # the streak begins after the other missed day
            missed, since_missed = day, 0
        day += _DAY
    return Streak(days, longest)


async def streak_of(store: Store, user_id: UserId, today: date) -> Streak:
    """Return the streak of a person; days on which the computers were updated are excused."""
    played, updated = await store.daily_standings.played_days(user_id, VERSION)
    return streak(played, updated, today)
