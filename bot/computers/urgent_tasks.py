"""Tasks for the workers whose result a person waits for, such as the moves in a solo round.

They come before the questions of tables, which a Novice answers if they are late. One worker is
left for these questions, if there are several.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from bot.computers.background_tasks import Pool, reason_of
from bot.computers.worker_pool import Work
from bot.errors import Reason, Refused

log = logging.getLogger(__name__)

_LONGEST_WAIT_SECONDS = 10.0
"""Timeout of a task, in seconds."""


class UrgentTasks:
    """Queue of tasks for the workers of `pool`, in the order of their arrival.

    `dispatch` of the scheduler calls `start_next`, and then assigns the questions of tables.
    """

    def __init__(self, pool: Pool | None, dispatch: Callable[[], None]) -> None:
        self._pool = pool
        self._dispatch = dispatch
        self._waiting: deque[tuple[Work, asyncio.Future[Any]]] = deque()
        self._running = 0

    @property
    def waiting(self) -> int:
        """Number of tasks that wait for a worker."""
        return len(self._waiting)

    async def work(self, work: Work) -> Any:
        """Return the result of some work.

        Raise `Refused` if there are no workers (``no-solo-rounds``), if none is ready
        (``computers-not-ready``), or if the worker fails or takes too long (``busy``).
        """
        if self._pool is None:
            raise Refused(Reason.NO_SOLO_ROUNDS)
        if not self._pool.size:
            raise Refused(Reason.COMPUTERS_NOT_READY)
        result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, result))
        self._dispatch()
        try:
            async with asyncio.timeout(_LONGEST_WAIT_SECONDS):
                return await result
        except TimeoutError:
            raise Refused(Reason.BUSY) from None

    def start_next(self) -> None:
        """Submit waiting tasks to free workers."""
        while self._waiting and self._waiting[0][1].done():  # nobody waits for it any more
            self._waiting.popleft()
        if self._pool is None:
            return
        most = max(1, self._pool.size - 1)
        while self._waiting and self._pool.free and self._running < most:
            work, result = self._waiting.popleft()
            self._running += 1
            future = self._pool.submit(work)
            future.add_done_callback(lambda done, result=result: self._on_done(result, done))  # type: ignore[misc]

    def _on_done(self, result: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
        self._running -= 1
        error = done.exception()
        if error is not None and self._pool is not None:
            log.warning("no result of an urgent task: %s", reason_of(error))
        if not result.done():
            if error is None:
                result.set_result(done.result())
            else:
                result.set_exception(Refused(Reason.BUSY))
        self._dispatch()

    def close(self) -> None:
        """Refuse all waiting tasks, because the bot is about to exit."""
        self._pool = None
        for _, result in self._waiting:
            if not result.done():
                result.set_exception(Refused(Reason.RESTARTING))
        self._waiting.clear()
