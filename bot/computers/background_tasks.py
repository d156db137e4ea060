"""Tasks that workers carry out while no question of a table waits.

At most one runs at a time. If a question finds no free worker, the running task is asked to finish
early, its result is discarded, and it runs again later. So a decision at a table waits at most for
some milliseconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from bot.computers.worker_pool import Work, WorkerFailed
from bot.errors import Reason, Refused
from bot.runtime.logs import kind_and_place

log = logging.getLogger(__name__)

TASK_SECONDS = 1.0
"""Longest time of a task on an idle machine, in seconds."""
_MOST_FAILURES = 2
"""Number of failures after which a task is refused."""
_LONGEST_WAIT_SECONDS = 300.0
"""Timeout of a task while tables keep all workers busy, or no worker starts, in seconds."""
_RETRY_SECONDS = 1.0
"""Pause before the next look for a free worker, in seconds.

The end of a question is noticed at once, but not the start of a worker.
"""


class Pool(Protocol):
    """Pool of workers that compute outside the event loop.

    `bot.computers.worker_pool.Workers` is one; tests have others that answer at once, or never.
    """

    @property
    def size(self) -> int:
        """Number of workers that are ready or busy."""

    @property
    def free(self) -> int:
        """Number of workers that are ready and idle."""

    @property
    def novices_sit_in(self) -> bool:
        """Return whether no Expert is ready and players should be notified."""

    def submit(self, work: Work) -> asyncio.Future[Any]:
        """Submit work to a free worker. The future fails if the worker does."""

    def cancel(self, future: asyncio.Future[Any]) -> None:
        """Ask the worker with this future to finish early."""


@dataclass(slots=True, repr=False, eq=False)
class _Waiting:
    """Task that waits for its result."""

    work: Work
    result: asyncio.Future[Any]
    """Result; cancelled when nobody waits for it."""
    failures: int = 0
    """Number of workers that failed."""


class BackgroundTasks:
    """Queue of tasks for the workers of `pool`, in the order of their arrival.

    A review has one task at a time, so that reviews take turns. `dispatch` of the scheduler assigns
    the questions, and then calls `start_next` or `interrupt`.
    """

    def __init__(self, pool: Pool | None, dispatch: Callable[[], None]) -> None:
        self._pool = pool
        self._dispatch = dispatch
        self._waiting: deque[_Waiting] = deque()
        self._running: asyncio.Future[Any] | None = None
        """Future of the running task."""
        self._interrupted = False
        """True if the running task was asked to finish early."""
        self._retry: asyncio.TimerHandle | None = None
        """Timer of the next look for a free worker."""

    @property
    def available(self) -> bool:
        """Return whether there are workers at all."""
        return self._pool is not None

    @property
    def running(self) -> bool:
        """Return whether a task occupies a worker."""
        return self._running is not None

    @property
    def waiting(self) -> int:
        """Number of tasks that wait for a worker."""
        return len(self._waiting)

    async def work(self, work: Work) -> Any:
        """Return the result of some work, which is repeated if it was interrupted.

        Raise `Refused` if there are no workers (``no-experts``), if two workers have failed or none
        was available for minutes (``busy``), or when the bot exits (``restarting``).
        """
        if self._pool is None:
            raise Refused(Reason.NO_EXPERTS)
        waiting = _Waiting(work, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._dispatch()
        try:
            async with asyncio.timeout(_LONGEST_WAIT_SECONDS):
                return await waiting.result
        except TimeoutError:
            raise Refused(Reason.BUSY) from None

    def start_next(self) -> None:
        """Submit the first waiting task, if none is running and a worker is free."""
        while self._waiting and self._waiting[0].result.done():  # nobody waits for it any more
            self._waiting.popleft()
        if self._pool is None or self.running or not self._waiting:
            return
        if not self._pool.free:
            if self._retry is None:
                loop = asyncio.get_running_loop()
                self._retry = loop.call_later(_RETRY_SECONDS, self._on_retry)
            return
        waiting = self._waiting.popleft()
        self._interrupted = False
        self._running = future = self._pool.submit(waiting.work)
        future.add_done_callback(lambda done: self._on_done(waiting, done))
        waiting.result.add_done_callback(lambda result: self._stop_if_cancelled(future, result))

    def _on_retry(self) -> None:
        self._retry = None
        self._dispatch()

    def interrupt(self) -> None:
        """Ask the running task to finish early, because a question waits for its worker."""
        if self._pool is not None and self._running is not None:
            self._interrupted = True
            self._pool.cancel(self._running)

    def _stop_if_cancelled(self, future: asyncio.Future[Any], result: asyncio.Future[Any]) -> None:
        """Ask the worker to finish early if nobody waits for the result any more."""
        if result.cancelled() and self._pool is not None and self._running is future:
            self._pool.cancel(future)

    def _on_done(self, waiting: _Waiting, done: asyncio.Future[Any]) -> None:
        """Store the result of a task, or put the task back at the head of the queue."""
        interrupted, self._running = self._interrupted, None
        error = done.exception()
        if self._pool is None:
            _refuse(waiting, Reason.RESTARTING)
            return
        if error is not None:
            log.warning("no result of a background task: %s", reason_of(error))
            waiting.failures += 1
        if waiting.failures >= _MOST_FAILURES:
            _refuse(waiting, Reason.BUSY)
        elif error is not None or interrupted:
            self._waiting.appendleft(waiting)
        elif not waiting.result.done():
            waiting.result.set_result(done.result())
        self._dispatch()

    def close(self) -> None:
        """Refuse all waiting tasks, because the bot is about to exit."""
        self._pool = None
        if self._retry is not None:
            self._retry.cancel()
        for waiting in self._waiting:
            _refuse(waiting, Reason.RESTARTING)
        self._waiting.clear()


def _refuse(waiting: _Waiting, reason: Reason) -> None:
    """Refuse a task, if somebody still waits for its result."""
    if not waiting.result.done():
        waiting.result.set_exception(Refused(reason))


def reason_of(error: BaseException) -> str:
    """Return the log text of an error, without anything that may contain cards."""
    return str(error) if isinstance(error, WorkerFailed) else kind_and_place(error)
