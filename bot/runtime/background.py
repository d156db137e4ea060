"""Background tasks, whose exceptions are logged without their text.

The text may name cards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bot.runtime.clock import Sleep
from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)

RESTART_PAUSE_S = 60.0
"""Pause before failed work is restarted, in seconds."""


def in_background(
    work: Coroutine[Any, Any, None], name: str, tasks: set[asyncio.Task[None]]
) -> asyncio.Task[None]:
    """Run `work` as a task, kept in `tasks` until it is done; log its exception."""
    task = asyncio.create_task(work, name=name)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    task.add_done_callback(log_failure)
    return task


def log_failure(task: asyncio.Task[Any]) -> None:
    """Log the exception of a finished task that nobody awaits, if it has one."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("unhandled exception in task %s:\n%s", task.get_name(), kinds_and_frames(error))


async def retry_until_done(
    work: Callable[[], Coroutine[Any, Any, object]],
    name: str,
    sleep: Sleep,
    pause_s: float = RESTART_PAUSE_S,
) -> None:
    """Run `work` until it returns; log an exception and restart it after a pause."""
    while True:
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - its text may name cards
            trail = kinds_and_frames(error)
            log.error(
                "unhandled exception in task %s, restarting in %.0f s:\n%s", name, pause_s, trail
            )
        else:
            return
        await sleep(pause_s)


def log_unhandled(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error reported by asyncio; set this as the exception handler of the event loop.

    The arguments of a callback are omitted from the message.
    """
    error, task = context.get("exception"), context.get("task") or context.get("future")
    name = f"{task.get_name()}: " if isinstance(task, asyncio.Task) else ""
    trail = "" if error is None else f":\n{kinds_and_frames(error)}"
    log.error("%s%s%s", name, context["message"].partition("(")[0], trail)
