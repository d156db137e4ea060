"""Clicks and commands in flight, which the bot finishes before it exits."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Iterable
from typing import Any

_CANCELLED_S = 0.2
"""Maximum wait for cancelled tasks, in seconds."""


class InFlight:
    """Tasks that answer clicks and commands, until they are done."""

    def __init__(self) -> None:
        self.closing = False
        """True if the bot is about to exit: it accepts no more clicks."""
        self._end = math.inf
        """Deadline of the shutdown, as a time of the event loop."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def close_within(self, seconds: float) -> None:
        """Accept no more clicks, and set the deadline of the shutdown."""
        self.closing = True
        self._end = asyncio.get_running_loop().time() + seconds

    def remaining(self, most: float) -> float:
        """Return the seconds until the deadline of the shutdown, at most `most` and at least 0."""
        return max(0.0, min(most, self._end - asyncio.get_running_loop().time()))

    def add_current_task(self) -> None:
        """Add the current task, which answers a click or command."""
        task = asyncio.current_task()
        if task is not None and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def wait(self, seconds: float) -> None:
        """Wait until all tasks are done; cancel those that take longer."""
        await wait_for_all(self._tasks - {asyncio.current_task()}, seconds)


async def wait_for_all(work: Iterable[Awaitable[Any]], seconds: float) -> None:
    """Wait `seconds` until all work is done, then cancel the rest; ignore all errors.

    Cancelled work that does not end soon is abandoned.
    """
    tasks = {asyncio.ensure_future(each) for each in work}
    unfinished = tasks
    if unfinished:
        _, unfinished = await asyncio.wait(unfinished, timeout=seconds)
    for task in unfinished:
        task.cancel()
    if unfinished:
        _, unfinished = await asyncio.wait(unfinished, timeout=_CANCELLED_S)
    for task in tasks - unfinished:
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not warn
