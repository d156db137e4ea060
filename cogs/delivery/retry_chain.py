"""Sends a table's requests one after another, and retries failed ones.

A chain has lanes, which are kinds of work. It works off one lane after the other until nothing is
left. A temporary failure pauses the whole chain. If the bot lacks a permission, only that lane
pauses, because a bot that may not send may still edit. `failed_requests.py` classifies errors and
defines the pauses. The chain retries without end; a lane decides when to drop its work.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from bot.ids import TableId
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames, set_log_context
from bot.storage import StorageError
from cogs.delivery.failed_requests import is_not_allowed, log_text
from cogs.delivery.retry_pause import RetryPause

log = logging.getLogger(__name__)


class Lane(Protocol):
    """One kind of work."""

    @property
    def pending(self) -> bool:
        """True if there is work."""

    async def work(self) -> Exception | None:
        """Do the pending work; return the error if the rest must be retried.

        Expected errors are returned, not raised.
        """


class RetryChain:
    """Works off the lanes of one table, one request at a time.

    `idle` is called when no work is left. `refused` is called with the error when the bot lacks a
    permission, and with `None` when all refused lanes have succeeded again.
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
        self._chain_pause = RetryPause(clock, self.wake)
        self._idle = idle
        self._refused = refused
        self._work: asyncio.Task[None] | None = None
        self._closing = False

    def wake(self) -> None:
        """Start to work, unless the chain is already working, pausing or closing."""
        if self._work is None and not self._chain_pause.running and not self._closing:
            self._work = asyncio.create_task(self._run(), name=self._name)

    def try_early(self) -> None:
        """Shorten the pauses of refused lanes, because they may be allowed now."""
        for _, lane_pause in self._lanes:
            lane_pause.shorten()

    def stop(self) -> None:
        """Cancel the current work and start no more."""
        self._closing = True
        if self._work is not None:
            self._work.cancel()

    async def drain(self) -> None:
        """Finish the request in flight; retry nothing."""
        self._closing = True
        if self._work is not None:
            await asyncio.wait([self._work])
        for pause in (self._chain_pause, *(lane_pause for _, lane_pause in self._lanes)):
            pause.cancel()

    def _ready(self) -> list[tuple[Lane, RetryPause]]:
        """Return the lanes that have work and are not pausing."""
        return [(lane, pause) for lane, pause in self._lanes if lane.pending and not pause.running]

    async def _run(self) -> None:
        """Work until no lane is ready, or until a temporary failure."""
        set_log_context(table=self._table_id)
        failure: Exception | None = None
        try:
            while failure is None and (ready := self._ready()):
                for lane, lane_pause in ready:
                    error = await self._work_lane(lane)
                    if error is None:
                        self._record_success(lane_pause)
                    elif is_not_allowed(error):
                        self._begin_pause(lane_pause, error)
                        self._refused(error)
                    else:
                        failure = error
        finally:
            self._work = None
        if failure is not None:
            self._begin_pause(self._chain_pause, failure)
            return
        self._chain_pause.reset()
        if not any(lane.pending for lane, _ in self._lanes):
            self._idle()

    async def _work_lane(self, lane: Lane) -> Exception | None:
        """Run a lane; return its error, even an unhandled exception, which is logged."""
        try:
            return await lane.work()
        except Exception as error:  # noqa: BLE001 - its text may name cards
            trail = kinds_and_frames(error)
            log.error("table %s: unhandled exception:\n%s", self._table_id, trail)
            return error

    def _record_success(self, pause: RetryPause) -> None:
        """Record that the lane of this pause has done its work."""
        was_refused = pause.failures > 0
        pause.reset()
        if was_refused and not any(lane_pause.failures for _, lane_pause in self._lanes):
            self._refused(None)

    def _begin_pause(self, pause: RetryPause, error: Exception) -> None:
        """Begin a pause and log it; of several refusals in a row only the first is a warning."""
        seconds = pause.begin(error)
        repeated_refusal = pause is not self._chain_pause and pause.failures > 1
        level = logging.INFO if repeated_refusal else logging.WARNING
        if isinstance(error, StorageError):
            level = min(level, error.level)
        message = "table %s: requests to its channel paused for %.0f s (%s)"
        log.log(level, message, self._table_id, seconds, log_text(error))
