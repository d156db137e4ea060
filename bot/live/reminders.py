"""Sends reminders of the deal of the day, each at the time that its person has chosen.

A reminder is marked as sent before it is sent. So a crash in between can lose one, but nobody gets
two for one deal. After a temporary failure of Discord the mark is removed, and the reminder is sent
again a minute later; Discord recognizes it by its nonce. A reminder that is an hour late, or whose
deal is over, is not sent.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import date, datetime, timedelta
from typing import Final

import discord

from bot.boards.days import day_of, ends_at
from bot.ids import GuildId, UserId
from bot.live.events import EventDispatcher, ReminderDue
from bot.live.leases import Leases
from bot.runtime.clock import Clock
from bot.runtime.discord_requests import REQUEST_ERRORS, is_temporary
from bot.storage import StorageError, Store
from bot.storage.reminders import ReminderTime
from bot.table.quiet_hours import quiet_until, utc_time, zone_of
from players.boards import VERSION

log = logging.getLogger(__name__)

LATEST: Final = timedelta(hours=1)
"""Longest delay of a reminder, for example because the bot was offline."""
PAUSE_S: Final = 0.5
"""Pause between two reminders, in seconds: Discord limits how fast messages begin."""
_CLOSED: Final = (50007, 50278)
"""Codes of errors if a person accepts no direct messages, or shares no server with the bot."""
_DIRECT: Final = GuildId(0)
"""Direct messages belong to the shard of this server."""
_DAY: Final = timedelta(days=1)
_LOOK_EVERY_S: Final = 900.0
"""Interval of looks in seconds: people choose hours, and zones differ by quarters of an hour."""
_RETRY_S: Final = 60.0
"""Interval of looks after a failure, in seconds."""


class Reminders:
    """Dispatches `ReminderDue` for each reminder whose time has come.

    With several processes, only the one that serves direct messages does it.
    """

    def __init__(self, store: Store, clock: Clock, events: EventDispatcher, leases: Leases) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._leases = leases
        self._done_until = clock.now() - LATEST
        """Time up to which all reminders are sent."""

    async def run(self) -> None:
        """Send the reminders that are due, now and every quarter of an hour."""
        while True:
            try:
                all_sent = await self._send_due()
            except StorageError as error:
                text = "reminders: database unavailable, retrying in 1 min: %s"
                log.log(error.level, text, error)
                all_sent = False
            interval = _LOOK_EVERY_S if all_sent else _RETRY_S
            await self._clock.sleep(interval - self._clock.now().timestamp() % interval)

    async def _send_due(self) -> bool:
        """Send the reminders that are due now, one after another. Raises `StorageError`.

        Return false if some must be sent again soon.
        """
        if not self._leases.serves(_DIRECT):
            return True
        now = self._clock.now()
        since, all_sent = max(self._done_until, now - LATEST), True
        for time in await self._store.reminders.times():
            due_at = _last_due(time, now)
            if since < due_at:
                all_sent &= await self._send_all(time, due_at)
        if all_sent:
            self._done_until = now
        return all_sent

    async def _send_all(self, time: ReminderTime, due_at: datetime) -> bool:
        """Send all reminders of this time; return false if the rest must be sent again soon."""
        day = due_at.date()
        if not await self._can_be_begun(day):
            return True
        for user_id in await self._store.reminders.people(time, day):
            now = self._clock.now()
            if now - due_at > LATEST or day_of(now) != day:
                log.warning("reminders: the rest of %s is too late", due_at.isoformat())
                break
            settings = await self._store.personal_settings.get(user_id, fresh=True)
            if quiet_until(settings, now) is not None:
                continue
            if await self._store.reminders.mark(user_id, time, day):
                if not await self._send(user_id, day):
                    return False
                await self._clock.sleep(PAUSE_S)
        return True

    async def _can_be_begun(self, day: date) -> bool:
        """Return whether the computers play the deal of this day."""
        boards = await self._store.boards.days(day, day)
        return all(board.version in (None, VERSION) for board in boards)

    async def _send(self, user_id: UserId, day: date) -> bool:
        """Send one reminder; return false if it must be sent again soon."""
        sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._events.dispatch(ReminderDue(user_id, ends_at(day), sent)):
            raise RuntimeError("no handler for ReminderDue")
        try:
            await sent
        except REQUEST_ERRORS as error:
            if is_temporary(error):
                await self._store.reminders.unmark(user_id, day)
                return False
            code = error.code if isinstance(error, discord.HTTPException) else 0
            log.info("reminder rejected: %s %s", type(error).__name__, code)
            if code in _CLOSED:
                await self._store.personal_settings.refuse_reminder(user_id)
        return True


def _last_due(time: ReminderTime, now: datetime) -> datetime:
    """Return the last moment (UTC), not after `now`, at which it was this time of the day."""
    zone = zone_of(time.zone)
    today = now.astimezone(zone).date()
    due_at = utc_time(today, time.minute, zone)
    return due_at if due_at <= now else utc_time(today - _DAY, time.minute, zone)
