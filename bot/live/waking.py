"""Tables that were read back are inactive until Discord is there or someone acts at one.

An inactive table has no timer, and nothing about it is in flight.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.live.events import EventDispatcher
from bot.live.registry import Live
from bot.runtime.clock import Now
from bot.table.deadlines import after_downtime, kept_waiting


class Waking:
    """Activates tables that were read back."""

    def __init__(self, now: Now, events: EventDispatcher) -> None:
        self._now = now
        self._events = events

    def wake(self, live: Live) -> None:
        """Dispatch `Restored` for a table, unless it is active. Its handlers start its timers.

        Deadlines that expired during downtime get a grace period. Last clicks are stored only for
        people who play alone, so after a restart everyone else counts as present. Undelivered
        messages are part of the event, so they are sent before anything new.
        """
        event, live.asleep = live.asleep, None
        if event is not None:
            now = self._now()
            late = kept_waiting(live.state, now)
            live.state = after_downtime(live.state, now)
            if "idle" not in live.state.timers.deadlines:
                live.clicks = dict.fromkeys(live.state.user_ids(), now)
            self._events.dispatch(replace(event, state=live.state, late=late))

    @asynccontextmanager
    async def locked(self, live: Live) -> AsyncIterator[None]:
        """Lock a table, activate it, and hold the lock for the block."""
        async with live.lock:
            self.wake(live)
            yield
