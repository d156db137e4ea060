"""Tells how the bot is for as long as it runs: at a port, or else in the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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
    tasks = [asyncio.create_task(loop_lag.measure(current), name="loop-lag")]
    try:
        if settings.metrics_port is None:
            tasks.append(asyncio.create_task(line.tell(current), name="figures"))
            yield current
        else:
            async with served(current, settings.metrics_address, settings.metrics_port):
                yield current
    finally:
        for task in tasks:
            task.cancel()
