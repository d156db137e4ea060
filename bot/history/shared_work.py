"""Heavy work that several people may request at the same time, done once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from bot.errors import Reason, Refused

MOST = 64
"""Maximum number of pieces of work that run or wait."""

_T = TypeVar("_T")


class SharedWork:
    """Queue that runs one task of work at a time, and shares it among requests with its key.

    At most `most` pieces run or wait. Work in a thread still uses the CPU time of the same Python,
    and its reads use one of the few database connections, so more than one at a time would delay
    clicks.
    """

    def __init__(self, *, most: int = MOST) -> None:
        self._most = most
        self._turn = asyncio.Lock()
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    async def result(self, key: Hashable, work: Callable[[], Awaitable[_T]]) -> _T:
        """Return the result of `work`, or that of the task in flight with the same `key`.

        Raise its exception, or `Refused` (``busy``) if the queue is full.
        """
        task: asyncio.Task[_T] | None = self._tasks.get(key)
        if task is None:
            if len(self._tasks) >= self._most:
                raise Refused(Reason.BUSY)
            task = asyncio.create_task(self._run_in_turn(work), name="shared-work")
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._remove(key, done))
        return await asyncio.shield(task)

    async def _run_in_turn(self, work: Callable[[], Awaitable[_T]]) -> _T:
        async with self._turn:
            return await work()

    def _remove(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        """Remove a finished task; retrieve its exception, so that asyncio does not warn."""
        del self._tasks[key]
        if not task.cancelled():
            task.exception()
