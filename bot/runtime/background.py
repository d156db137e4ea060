"""Tasks in the background: what they raise is logged, without its text, which may name cards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from bot.runtime.clock import Sleep
from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)

AGAIN_S = 60.0
"""The pause before work that has raised an exception is begun again, in seconds."""


def in_background(
    work: Coroutine[Any, Any, None], name: str, tasks: set[asyncio.Task[None]]
) -> asyncio.Task[None]:
    """Run `work` as a task that is in `tasks` until it is done; log what it raises."""
    task = asyncio.create_task(work, name=name)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    task.add_done_callback(log_failure)
    return task


def log_failure(task: asyncio.Task[Any]) -> None:
    """Log the exception of a task that is done and that nobody awaits, if it has one."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("unhandled exception in task %s:\n%s", task.get_name(), kinds_and_frames(error))


async def until_done(
    work: Callable[[], Coroutine[Any, Any, object]],
    name: str,
    sleep: Sleep,
    pause_s: float = AGAIN_S,
) -> None:
    """Run `work` until it returns: if it raises, log that and run it again after a pause."""
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
    """Log what asyncio reports, as the exception handler of an event loop.

    Its message names a callback with its arguments, which are left out.
    """
    error, task = context.get("exception"), context.get("task") or context.get("future")
    name = f"{task.get_name()}: " if isinstance(task, asyncio.Task) else ""
    trail = "" if error is None else f":\n{kinds_and_frames(error)}"
    log.error("%s%s%s", name, context["message"].partition("(")[0], trail)
