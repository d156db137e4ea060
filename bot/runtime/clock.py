"""Alarms at absolute times, one for each key, and sleeps that end in time.

The clock is told how to sleep and what time it is. So tests and the demo let it run in the virtual
time of the simulated Discord. While a machine is suspended, what counts the seconds of a sleep
stands still, but the time of day does not. So nobody sleeps for more than `LONGEST_NAP_S` without
looking at the time of day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)

LONGEST_NAP_S: Final = 60.0
"""Longest sleep in seconds between two looks at the time of day."""

Key: TypeAlias = int
"""Names an alarm: the number of a table, or 0 for an alarm that belongs to none."""
Sleep = Callable[[float], Awaitable[object]]
"""Waits for the given number of seconds."""
Now = Callable[[], datetime]
"""Returns the present time, with a time zone."""
Ring = Callable[[], Awaitable[None]]
"""Handler of an alarm that fires."""


@dataclass(slots=True, eq=False)
class _Alarm:
    """An alarm that is set."""

    when: datetime
    """The time at which it fires; it may be postponed while its task waits."""
    ring: Ring
    """Its handler."""
    waiting: asyncio.Task[None] = field(init=False, repr=False)
    """The task that waits for it."""


class Clock:
    """Alarms by key, such as the number of a table. A key has one alarm at most."""

    def __init__(self, now: Now, sleep: Sleep = asyncio.sleep) -> None:
        self.now = now
        self._nap = sleep
        self._alarms: dict[Key, _Alarm] = {}

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` seconds, or earlier if by the time of day they are over."""
        end, left = self.now() + timedelta(seconds=seconds), seconds
        while left > LONGEST_NAP_S:
            await self._nap(LONGEST_NAP_S)
            left = min(left - LONGEST_NAP_S, (end - self.now()).total_seconds())
        await self._nap(max(0.0, left))

    def set(self, key: Key, when: datetime | None, ring: Ring) -> None:
        """Set the alarm of `key`, in place of an earlier one: `ring` is awaited at `when`.

        If `when` is past, that is at once. If it is `None`, the alarm is cancelled.
        """
        alarm = self._alarms.get(key)
        if alarm is not None and when is not None and when >= alarm.when:
            alarm.when, alarm.ring = when, ring  # its task checks the time again anyway
            return
        self.cancel(key)
        if when is not None:
            alarm = self._alarms[key] = _Alarm(when, ring)
            alarm.waiting = asyncio.create_task(self._wait(key, alarm), name=f"alarm-{key}")

    def cancel(self, key: Key) -> None:
        """Cancel the alarm of `key`, if it is set."""
        if (alarm := self._alarms.pop(key, None)) is not None:
            alarm.waiting.cancel()

    def cancel_all(self) -> None:
        """Cancel every alarm."""
        for alarm in self._alarms.values():
            alarm.waiting.cancel()
        self._alarms.clear()

    async def _wait(self, key: Key, alarm: _Alarm) -> None:
        """Wait until it is time for the alarm, then ring."""
        while (left := (alarm.when - self.now()).total_seconds()) > 0:
            await self._nap(min(left, LONGEST_NAP_S))
        # From here on the alarm is no longer set: `ring` may set the next one.
        del self._alarms[key]
        try:
            await alarm.ring()
        except Exception as error:  # noqa: BLE001 - not lost silently; its text may name cards
            log.error("unhandled exception in timer %s:\n%s", key, kinds_and_frames(error))
