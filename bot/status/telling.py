"""Tells how the bot is for as long as it runs: at a port, or else in the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from bot.runtime.background import until_done
from bot.runtime.settings import Settings
from bot.status import line, loop_lag
from bot.status.current_bot import CurrentBot
from bot.status.pages import served


@asynccontextmanager
async def told(settings: Settings) -> AsyncIterator[CurrentBot]:
    """Tell how the bot is that is put into what this gives, for as long as the block runs.

    Raises `SettingsError` if METRICS_PORT cannot be had.
    """
    current = CurrentBot()
    work = {"loop-lag": loop_lag.measure}
    if settings.metrics_port is None:
        work["figures"] = line.tell
    tasks = [
        asyncio.create_task(until_done(partial(tell, current), name, asyncio.sleep), name=name)
        for name, tell in work.items()
    ]
    try:
        if settings.metrics_port is None:
            yield current
        else:
            async with served(current, settings.metrics_address, settings.metrics_port):
                yield current
    finally:
        for task in tasks:
            task.cancel()
