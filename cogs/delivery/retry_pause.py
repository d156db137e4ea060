"""Pause between a failed request and its next try."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

from bot.runtime.background import log_failure
from bot.runtime.clock import Clock
from cogs.delivery.failed_requests import EARLY_RETRY_S, pause_s


class RetryPause:
    """Pause before the next try, longer after each failure; at its end it calls `over`."""

    def __init__(self, clock: Clock, over: Callable[[], None]) -> None:
        self.failures = 0
        self._clock = clock
        self._over = over
        self._started_at = self._ends_at = clock.now()
        self._task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """True during a pause."""
        return self._task is not None

    def begin(self, error: Exception) -> float:
        """Start a pause after another failure; return its seconds."""
        self.failures += 1
        self._started_at, seconds = self._clock.now(), pause_s(self.failures, error)
        self._start(seconds)
        return seconds

    def shorten(self) -> None:
        """End the pause early, but not within `EARLY_RETRY_S` of its start."""
        earliest = self._started_at + timedelta(seconds=EARLY_RETRY_S)
        if self._task is not None and earliest < self._ends_at:
            self._task.cancel()
            self._start(max(0.0, (earliest - self._clock.now()).total_seconds()))

    def reset(self) -> None:
        """Record a success."""
        self.failures = 0

    def cancel(self) -> None:
        """End the pause without calling `over`."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _start(self, seconds: float) -> None:
        self._ends_at = self._clock.now() + timedelta(seconds=seconds)
        self._task = asyncio.create_task(self._sleep(seconds), name="pause")
        self._task.add_done_callback(log_failure)

    async def _sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._task = None
        self._over()
