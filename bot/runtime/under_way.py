"""Clicks and commands that are being answered: the bot finishes them before it ends."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Iterable
from typing import Any

_LET_GO_S = 0.2
"""How long what was cancelled is waited for, in seconds."""


class UnderWay:
    """The tasks that answer clicks and commands, until they are done."""

    def __init__(self) -> None:
        self.closing = False
        """Whether the bot is about to end: nothing new is begun."""
        self._end = math.inf
        """When all must be done, by the clock of the event loop."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def close_within(self, seconds: float) -> None:
        """Begin nothing new; all that is still to be done must end within `seconds` seconds."""
        self.closing = True
        self._end = asyncio.get_running_loop().time() + seconds

    def left(self, most: float) -> float:
        """How many seconds one step of the end may take: `most` or less, 0 when time is up."""
        return max(0.0, min(most, self._end - asyncio.get_running_loop().time()))

    def note(self) -> None:
        """Note that the current task answers somebody."""
        task = asyncio.current_task()
        if task is not None and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Return when all is answered; what takes longer is cancelled."""
        await finished(self._tasks - {asyncio.current_task()}, seconds)


async def finished(work: Iterable[Awaitable[Any]], seconds: float) -> None:
    """Return when all of this is done, and its errors are forgotten; cancel what takes longer.

    What does not end soon when it is cancelled is not waited for.
    """
    tasks = {asyncio.ensure_future(each) for each in work}
    late = tasks
    if late:
        _, late = await asyncio.wait(late, timeout=seconds)
    for task in late:
        task.cancel()
    if late:
        _, late = await asyncio.wait(late, timeout=_LET_GO_S)
    for task in tasks - late:
        if not task.cancelled():
            task.exception()  # asyncio complains of exceptions that nobody has looked at
