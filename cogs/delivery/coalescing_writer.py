"""Coalescing writer for one message: it writes the newest state and skips older ones.

At most one request is in flight. Changes during it are written together.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.runtime.background import in_background
from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)


class CoalescingWriter:
    """Calls `write` after `schedule`, and again if `schedule` was called meanwhile.

    `write` never runs twice at once. While it runs, its task is in `tasks`.
    """

    def __init__(
        self, write: Callable[[], Awaitable[None]], name: str, tasks: set[asyncio.Task[None]]
    ) -> None:
        self._write = write
        self._name = name
        self._tasks = tasks
        self._dirty = False
        self._task: asyncio.Task[None] | None = None

    def schedule(self) -> None:
        """Schedule a call of `write`."""
        self._dirty = True
        if self._task is None:
            self._task = in_background(self._run(), self._name, self._tasks)

    async def _run(self) -> None:
        try:
            while self._dirty:
                self._dirty = False
                await self._write()
        except Exception as error:  # noqa: BLE001 - its text may name cards
            log.error("unhandled exception in %s:\n%s", self._name, kinds_and_frames(error))
        finally:
            self._task = None
            if self._dirty:
                self.schedule()
