"""Store of the reminders of the deal of the day: who gets one when, and the last day sent."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select, update

from bot.ids import UserId
from bot.records import Minute
from bot.storage import schema
from bot.storage.boards import day_number
from bot.storage.database import Database

_settings, _rounds, _boards = schema.personal_settings, schema.solo_rounds, schema.boards
_MARKING = "marking a reminder"


class ReminderTime(NamedTuple):
    """Time of the day at which somebody gets their reminder."""

    zone: str
    """Name of the time zone."""
    minute: Minute
    """Local minute of the day."""


class ReminderStore:
    """Store of the last reminder of each person; the times are personal settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def times(self) -> list[ReminderTime]:
        """Return all times of the day at which anybody gets a reminder."""
        row = _settings.c
        query = select(row.zone, row.daily_reminder).where(row.daily_reminder.is_not(None))
        found = await self._database.read(
            lambda connection: connection.execute(query.distinct()).all()
        )
        return [ReminderTime(*each) for each in found]

    async def people(self, time: ReminderTime, day: date) -> list[UserId]:
        """Return the people who are due to be reminded of this day's deal at this time."""
        row = _settings.c
        query = select(row.user_id).where(*_due(time, day)).order_by(row.user_id)
        return await self._database.read(lambda connection: list(connection.scalars(query)))

    async def mark(self, user_id: UserId, time: ReminderTime, day: date) -> bool:
        """Store that a person is reminded of this day's deal; return false if they must not be."""
        of_user = update(_settings).where(_settings.c.user_id == user_id, *_due(time, day))
        marking = of_user.values(reminded_on=day.isoformat())
        changed = await self._database.write(
            _MARKING, lambda connection: connection.execute(marking).rowcount
        )
        return bool(changed)

    async def unmark(self, user_id: UserId, day: date) -> None:
        """Remove the mark of this day, because the reminder was not sent."""
        row = _settings.c
        of_user = update(_settings).where(
            row.user_id == user_id, row.reminded_on == day.isoformat()
        )
        await self._database.write(
            _MARKING, lambda connection: connection.execute(of_user.values(reminded_on=None))
        )


def _due(time: ReminderTime, day: date) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for people who are due to be reminded of this day's deal.

    They have neither been reminded of it nor begun it.
    """
    row, rounds = _settings.c, _rounds.c
    not_reminded = or_(row.reminded_on.is_(None), row.reminded_on < day.isoformat())
    begun = (
        select(rounds.id)
        .join(_boards, _boards.c.id == rounds.board_id)
        .where(_boards.c.day == day_number(day), rounds.user_id == row.user_id, ~rounds.practice)
    )
    return row.zone == time.zone, row.daily_reminder == time.minute, not_reminded, ~begun.exists()
