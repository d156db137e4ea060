"""Clicks and commands that are being answered: the bot finishes them before it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any


class UnderWay:
    """The tasks that answer clicks and commands, until they are done."""

    def __init__(self) -> None:
        self.closing = False
        """Whether the bot is about to end: nothing new is begun."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def note(self) -> None:
        """Note that the current task answers somebody."""
        task = asyncio.current_task()
        if task is not None and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Begin nothing new, and return when all is done; what takes longer is cancelled."""
        self.closing = True
        await finished(self._tasks - {asyncio.current_task()}, seconds)


async def finished(work: Iterable[Awaitable[Any]], seconds: float) -> None:
    """Return when all of this is done, and its errors are forgotten; cancel what takes longer.

    What does not end when it is cancelled is not waited for.
    """
    tasks = {asyncio.ensure_future(each) for each in work}
    late = tasks
    for _ in range(2):
        if late:
            _, late = await asyncio.wait(late, timeout=seconds)
        for task in late:
            task.cancel()
    for task in tasks - late:
        if not task.cancelled():
            task.exception()  # asyncio complains of exceptions that nobody has looked at
