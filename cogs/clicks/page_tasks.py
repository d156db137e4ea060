"""Background tasks that edit pages, at most one for each message."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from bot.ids import MessageId


class PageTasks:
    """Running tasks by the message that they edit; all have the same `name`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: dict[MessageId, asyncio.Task[None]] = {}

    def begin(self, message_id: MessageId, work: Coroutine[None, None, None]) -> None:
        """Run `work`, which edits this message, in place of the message's previous task."""
        self.cancel(message_id)
        task = asyncio.create_task(work, name=self._name)
        self._tasks[message_id] = task
        task.add_done_callback(lambda done: self._forget(message_id, done))

    def _forget(self, message_id: MessageId, done: asyncio.Task[None]) -> None:
        if self._tasks.get(message_id) is done:
            del self._tasks[message_id]

    def cancel(self, message_id: MessageId) -> None:
        """Cancel the task of a message, if any."""
        task = self._tasks.pop(message_id, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Cancel all tasks, and wait for their end."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
