"""Timers at absolute times, one for each key, and sleeps that follow the wall clock.

Time and sleep are injected, so tests and the demo run in the virtual time of the simulated Discord.
While a machine is suspended, the monotonic clock of a sleep stops but the wall clock goes on. So no
single sleep is longer than `LONGEST_NAP_S`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias, TypeVar

from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)

T = TypeVar("T")

LONGEST_NAP_S: Final = 60.0
"""Maximum time between two looks at the wall clock, in seconds."""

Key: TypeAlias = int
"""Key of a timer: the number of a table, or 0 for a timer without a table."""
Sleep = Callable[[float], Awaitable[object]]
"""Function that waits for a number of seconds."""
Now = Callable[[], datetime]
"""Function that returns the current time, with a time zone."""
Handler = Callable[[], Awaitable[None]]
"""Handler of a timer."""


@dataclass(slots=True, eq=False)
class _Timer:
    """A timer with the task that waits for it."""

    when: datetime
    """Time at which it fires; it may be postponed while its task waits."""
    handler: Handler
    waiting: asyncio.Task[None] = field(init=False, repr=False)
    """Task that waits until the timer fires."""


class Clock:
    """Timers by key, such as the number of a table. A key has at most one timer."""

    def __init__(self, now: Now, sleep: Sleep = asyncio.sleep) -> None:
        self.now = now
        self._sleep_once = sleep
        self._timers: dict[Key, _Timer] = {}

    async def sleep(self, seconds: float) -> None:
        """Wait `seconds` seconds, or less if the wall clock has passed the end before."""
        end, remaining = self.now() + timedelta(seconds=seconds), seconds
        while remaining > LONGEST_NAP_S:
            await self._sleep_once(LONGEST_NAP_S)
            remaining = min(remaining - LONGEST_NAP_S, (end - self.now()).total_seconds())
        await self._sleep_once(max(0.0, remaining))

    async def wait_for(self, work: Awaitable[T], seconds: float) -> T:
        """Return the result of `work`. Raise `TimeoutError` if it takes longer than `seconds`.

        Unlike `asyncio.wait_for`, it follows this clock.
        """
        task, timeout = asyncio.ensure_future(work), asyncio.ensure_future(self.sleep(seconds))
        either: set[asyncio.Future[Any]] = {task, timeout}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timeout.cancel()
            if not task.done():
                task.cancel()
        if not task.done():
            raise TimeoutError
        return task.result()

    def set(self, key: Key, when: datetime | None, handler: Handler) -> None:
        """Set the timer of `key` to await `handler` at `when`, instead of an earlier timer.

        A timer in the past fires immediately. If `when` is `None`, the timer is only cancelled.
        """
        timer = self._timers.get(key)
        if timer is not None and when is not None and when >= timer.when:
            timer.when, timer.handler = when, handler  # its task checks the time again anyway
            return
        self.cancel(key)
        if when is not None:
            timer = self._timers[key] = _Timer(when, handler)
            timer.waiting = asyncio.create_task(self._wait(key, timer), name=f"timer-{key}")

    def cancel(self, key: Key) -> None:
        """Cancel the timer of `key`, if it is set."""
        if (timer := self._timers.pop(key, None)) is not None:
            timer.waiting.cancel()

    def cancel_all(self) -> None:
        """Cancel all timers."""
        for timer in self._timers.values():
            timer.waiting.cancel()
        self._timers.clear()

    async def _wait(self, key: Key, timer: _Timer) -> None:
        """Wait until a timer fires, then await its handler."""
        while (remaining := (timer.when - self.now()).total_seconds()) > 0:
            await self._sleep_once(min(remaining, LONGEST_NAP_S))
        # Removed before the handler runs, because it may set the next timer of this key.
        del self._timers[key]
        try:
            await timer.handler()
        except Exception as error:  # noqa: BLE001 - not lost silently; its text may name cards
            log.error("unhandled exception in timer %s:\n%s", key, kinds_and_frames(error))
