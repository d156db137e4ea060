"""One request after the other for one table, and what has failed once more after a pause.

A chain has lanes, which are kinds of work. It works off one lane after the other until nothing is
left. `cogs.delivery.trouble` says how long it pauses after an error.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from bot.runtime.clock import Clock
from cogs.delivery.trouble import pause_s, told

log = logging.getLogger(__name__)


class Lane(Protocol):
    """One kind of work."""

    @property
    def pending(self) -> bool:
        """Whether something is to be done."""

    async def work(self) -> Exception | None:
        """Do what is pending; the error after which the rest is to be tried again, if any.

        It raises nothing.
        """


class RetryChain:
    """Never two requests at once; `idle` is called when nothing is left to be done."""

    def __init__(
        self, clock: Clock, name: str, lanes: Sequence[Lane], idle: Callable[[], None]
    ) -> None:
        self._clock = clock
        self._name = name
        self._lanes = lanes
        self._idle = idle
        self._failures = 0
        self._work: asyncio.Task[None] | None = None
        self._pause: asyncio.Task[None] | None = None
        self._closing = False

    def wake(self) -> None:
        """Begin to work, unless that is under way or pauses before its next retry."""
        if self._work is None and self._pause is None and not self._closing:
            self._work = asyncio.create_task(self._run(), name=self._name)

    async def drain(self) -> None:
        """Finish what is under way; nothing is retried any more."""
        if self._pause is not None:
            self._pause.cancel()
        self._closing = True
        if self._work is not None:
            await self._work

    @property
    def _pending(self) -> bool:
        return any(lane.pending for lane in self._lanes)

    async def _run(self) -> None:
        """Work until nothing is left, or until an error asks for a pause and a retry."""
        trouble: Exception | None = None
        try:
            while trouble is None and self._pending:
                for lane in self._lanes:
                    trouble = await lane.work() or trouble
        finally:
            self._work = None
        if trouble is None:
            self._failures = 0
            self._idle()
        elif not self._closing:
            self._failures += 1
            seconds = pause_s(self._failures, trouble)
            log.warning("%s waits %.0f s (%s)", self._name, seconds, told(trouble))
            self._pause = asyncio.create_task(self._retry_after(seconds))

    async def _retry_after(self, seconds: float) -> None:
        """Pause, then begin to work again with what has failed."""
        try:
            await self._clock.sleep(seconds)
        finally:
            self._pause = None
        self.wake()
