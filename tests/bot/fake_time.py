"""Time that stands still until a test moves it on: `now` and `sleep` for a `Clock`."""

from __future__ import annotations

import asyncio
import heapq
from datetime import datetime, timedelta
from itertools import count

from tests.bot.states import NOON


class FakeTime:
    """The time of day and a sleep that follows it."""

    def __init__(self, start: datetime = NOON) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def now(self) -> datetime:
        """The time of day."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Return once time has moved on by `seconds` seconds."""
        awake: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        due = self.seconds_from_now(seconds)
        heapq.heappush(self._sleepers, (due, next(self._numbers), awake))
        await awake

    def seconds_from_now(self, seconds: float) -> datetime:
        """A moment to come."""
        return self._now + timedelta(seconds=seconds)

    @property
    def alarms(self) -> list[datetime]:
        """When somebody will wake, the earliest first."""
        return sorted(due for due, _, awake in self._sleepers if not awake.done())

    def jump(self, when: datetime) -> None:
        """Make it so late at once; whoever should have woken by then wakes now."""
        self._now = max(self._now, when)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, awake = heapq.heappop(self._sleepers)
            if not awake.done():
                awake.set_result(None)

    def pretend(self, when: datetime) -> None:
        """Make it so late at once; nobody wakes before time moves on again."""
        self._now = when

    async def run(self, seconds: float) -> None:
        """Let time pass; everybody wakes at their moment, and has done what needs no waiting."""
        end = self.seconds_from_now(seconds)
        await settle()
        while self.alarms and self.alarms[0] <= end:
            self.jump(self.alarms[0])
            await settle()
        self.jump(end)
        await settle()


async def settle() -> None:
    """Let all tasks go on until they wait for something."""
    for _ in range(20):
        await asyncio.sleep(0)
