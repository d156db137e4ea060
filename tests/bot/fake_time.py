"""Simulated time for a `Clock`: `now` and `sleep` that advance only on request."""

from __future__ import annotations

import asyncio
import heapq
from datetime import datetime, timedelta
from itertools import count

from tests.bot.states import NOON


class FakeTime:
    """Simulated time of day with a sleep that follows it."""

    def __init__(self, start: datetime = NOON) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def now(self) -> datetime:
        """Return the time of day."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return once time has advanced by `seconds` seconds."""
        awake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        due = self.seconds_from_now(seconds)
        heapq.heappush(self._sleepers, (due, next(self._numbers), awake))
        await awake

    def seconds_from_now(self, seconds: float) -> datetime:
        """Return the moment in `seconds` seconds."""
        return self._now + timedelta(seconds=seconds)

    @property
    def alarms(self) -> list[datetime]:
        """Return the wake-up times of pending sleeps, earliest first."""
        return sorted(due for due, _, awake in self._sleepers if not awake.done())

    def jump(self, when: datetime) -> None:
        """Jump to this time at once; sleeps that are due end now."""
        self._now = max(self._now, when)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, awake = heapq.heappop(self._sleepers)
            if not awake.done():
                awake.set_result(None)

    def pretend(self, when: datetime) -> None:
        """Set this time at once; sleeps end only when time advances again."""
        self._now = when

    async def run(self, seconds: float) -> None:
        """Advance time; each sleep ends at its moment and its task runs until it waits again."""
        end = self.seconds_from_now(seconds)
        await settle()
        while self.alarms and self.alarms[0] <= end:
            self.jump(self.alarms[0])
            await settle()
        self.jump(end)
        await settle()


async def settle() -> None:
    """Let all tasks run until they wait for something."""
    for _ in range(20):
        await asyncio.sleep(0)
