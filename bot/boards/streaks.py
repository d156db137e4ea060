"""The streak of a person in the deal of the day, from the store."""

from __future__ import annotations

from datetime import date

from bot.ids import UserId
from bot.standings.streaks import Streak, streak
from bot.storage import Store


async def streak_of(store: Store, user_id: UserId, today: date) -> Streak:
    """Return the streak of a person; days on which the computers were updated are excused."""
    played, updated = await store.daily_standings.played_days(user_id)
    return streak(played, updated, today)
