"""One alarm for each table, at an absolute time. Sleeping and the time of day come from outside.

Tests and the demo give a sleep that follows the simulated Discord's virtual time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[object]]
Now = Callable[[], datetime]
Ring = Callable[[], Awaitable[None]]


class Clock:
    """Alarms by key; setting one replaces the key's earlier one."""

    def __init__(self, now: Now, sleep: Sleep = asyncio.sleep) -> None:
        self.now = now
        self.sleep = sleep
        self._alarms: dict[int, tuple[datetime, asyncio.Task[None]]] = {}

    def set(self, key: int, when: datetime | None, ring: Ring) -> None:
        """Let `ring` be awaited at `when` (at once if that is past); `None` cancels the alarm."""
        old = self._alarms.get(key)
        if old is not None:
            if old[0] == when:
                return
            del self._alarms[key]
            old[1].cancel()
        if when is not None:
            task = asyncio.create_task(self._wait(key, when, ring), name=f"alarm-{key}")
            self._alarms[key] = when, task

    def cancel_all(self) -> None:
        """Cancel every alarm."""
        for _, task in self._alarms.values():
            task.cancel()
        self._alarms.clear()

    async def _wait(self, key: int, when: datetime, ring: Ring) -> None:
        while (left := (when - self.now()).total_seconds()) > 0:
            await self.sleep(left)
        # From here on the alarm is no longer set: `ring` may set the next one.
        del self._alarms[key]
        try:
            await ring()
        except Exception:  # an alarm that fails must not be lost silently
            log.exception("the alarm of table %s failed", key)
