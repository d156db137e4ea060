"""Sends one request after another for one table; what failed is tried again after a pause.

A chain has lanes, which are kinds of work. It works off one lane after the other until nothing is
left. Temporary trouble stops the whole chain until the next try. If something is not allowed, only
its lane waits: who may not send may still edit. `failed_requests.py` says which errors are
which, and how long the pauses are. The chain never gives up; a lane decides when there is nothing
left to try.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from bot.ids import TableId
from bot.runtime.clock import Clock
from bot.runtime.log_context import work_on
from bot.runtime.logs import kinds_and_frames
from bot.storage import StorageError
from cogs.delivery.failed_requests import is_not_allowed, log_text
from cogs.delivery.retry_pause import RetryPause

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
    """Works off the lanes of one table in turn, so that no two requests run at once.

    `idle` is called when nothing is left to be done, `refused` with the error when something is not
    allowed, and with `None` when everything is again.
    """

    def __init__(
        self,
        clock: Clock,
        table_id: TableId,
        lanes: Sequence[Lane],
        idle: Callable[[], None],
        refused: Callable[[Exception | None], None],
    ) -> None:
        self._table_id = table_id
        self._name = f"channel of table {table_id}"
        self._lanes = [(lane, RetryPause(clock, self.wake)) for lane in lanes]
        self._trouble = RetryPause(clock, self.wake)
        self._idle = idle
        self._refused = refused
        self._work: asyncio.Task[None] | None = None
        self._closing = False

    def wake(self) -> None:
        """Begin to work, unless that is under way or pauses before its next retry."""
        if self._work is None and not self._trouble.running and not self._closing:
            self._work = asyncio.create_task(self._run(), name=self._name)

    def try_early(self) -> None:
        """Try again soon what was not allowed: it may be by now."""
        for _, lane_pause in self._lanes:
            lane_pause.shorten()

    def stop(self) -> None:
        """Break off what is under way, and begin nothing more."""
        self._closing = True
        if self._work is not None:
            self._work.cancel()

    async def drain(self) -> None:
        """Finish what is under way; nothing is retried any more."""
        self._closing = True
        if self._work is not None:
            await asyncio.wait([self._work])
        for pause in (self._trouble, *(lane_pause for _, lane_pause in self._lanes)):
            pause.cancel()

    def _ready(self) -> list[tuple[Lane, RetryPause]]:
        """The lanes with something to do that do not wait."""
        return [(lane, pause) for lane, pause in self._lanes if lane.pending and not pause.running]

    async def _run(self) -> None:
        """Work until nothing is left that need not wait."""
        work_on(table=self._table_id)
        trouble: Exception | None = None
        try:
            while trouble is None and (ready := self._ready()):
                for lane, lane_pause in ready:
                    error = await self._worked(lane)
                    if error is None:
                        self._allowed(lane_pause)
                    elif is_not_allowed(error):
                        self._pause(lane_pause, error)
                        self._refused(error)
                    else:
                        trouble = error
        finally:
            self._work = None
        if trouble is not None:
            self._pause(self._trouble, trouble)
            return
        self._trouble.reset()
        if not any(lane.pending for lane, _ in self._lanes):
            self._idle()

    async def _worked(self, lane: Lane) -> Exception | None:
        """Return the error of a lane, also one that it has raised by mistake: others go on."""
        try:
            return await lane.work()
        except Exception as error:  # noqa: BLE001 - its text may name cards
            trail = kinds_and_frames(error)
            log.error("table %s: unhandled exception:\n%s", self._table_id, trail)
            return error

    def _allowed(self, pause: RetryPause) -> None:
        """Note that a lane has done what it had to do."""
        before = pause.failures
        pause.reset()
        if before and not any(lane_pause.failures for _, lane_pause in self._lanes):
            self._refused(None)

    def _pause(self, pause: RetryPause, error: Exception) -> None:
        """Wait; of tries that are not allowed only the first is logged as a warning."""
        seconds = pause.begin(error)
        again = pause is not self._trouble and pause.failures > 1
        level = logging.INFO if again else logging.WARNING
        if isinstance(error, StorageError):
            level = min(level, error.level)
        name, why = f"table {self._table_id}: its channel", log_text(error)
        log.log(level, "%s waits %.0f s (%s)", name, seconds, why)
