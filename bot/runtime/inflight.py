"""Clicks and commands in flight: answered a few at a time, and finished before the bot exits.

If hundreds of people click within a second and all clicks share the processor, all answers are
late. So at most `MOST_TURNS` of them are answered at once, in order of arrival. The others wait,
and their answers can be deferred in time.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Iterable
from typing import Any

from bot.runtime.throttled_log import ThrottledLog

log = logging.getLogger(__name__)

MOST_TURNS = 64
"""Number of clicks and commands that are answered at once."""
DEFERRED_FROM = 150
"""Number of waiting clicks and commands from which further ones are deferred at once."""
MOST_WAITING = 1000
"""Number of clicks and commands that may wait for their turn."""
LONGEST_TURN_S = 2.0
"""Time after which a turn ends although its answer is not sent, in seconds.

Otherwise a few answers that wait for Discord or for the disk would hold up all others.
"""
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
        self.waiting = 0
        """Number of clicks and commands that wait for their turn."""
        self._turns = asyncio.Semaphore(MOST_TURNS)
        self.deferrals = asyncio.Semaphore(MOST_TURNS)
        """Limit of deferrals in flight, so that hundreds do not open a connection each."""
        self._expired_log = ThrottledLog(log, "clicks dropped")
        self._in_turn: dict[asyncio.Task[Any], float] = {}
        """Tasks that have a turn, and when it began, as a time of the event loop."""

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

    # --- turns -----------------------------------------------------------------------------------

    @property
    def must_wait(self) -> bool:
        """True if `wait_for_turn` would wait now."""
        return self._turns.locked()

    @property
    def is_overloaded(self) -> bool:
        """True if so many wait that further clicks and commands should be deferred at once."""
        return self.waiting >= DEFERRED_FROM

    @property
    def is_full(self) -> bool:
        """True if no more clicks and commands may wait."""
        return self.waiting >= MOST_WAITING

    async def wait_for_turn(self, task: asyncio.Task[Any]) -> None:
        """Wait until this task may go on.

        Its turn ends with the task, or after `LONGEST_TURN_S` as soon as another task arrives.
        """
        loop = asyncio.get_running_loop()
        if self.must_wait:
            for other, began in list(self._in_turn.items()):
                if loop.time() - began > LONGEST_TURN_S:
                    self._end_turn(other)
        self.waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self.waiting -= 1
        self._in_turn[task] = loop.time()
        task.add_done_callback(self._end_turn)

    def log_expired(self) -> None:
        """Log that a click or command was dropped because its time limit was over."""
        self._expired_log.failure("no turn within three seconds")

    def _end_turn(self, task: asyncio.Task[Any]) -> None:
        if self._in_turn.pop(task, None) is not None:
            self._turns.release()

    # --- shutdown --------------------------------------------------------------------------------

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
