"""Measures how late the event loop comes to what is due: then it is busy, or the machine is."""

from __future__ import annotations

import asyncio
from typing import Final

from bot.status.current_bot import CurrentBot

EVERY_S: Final = 0.5
"""The time between two measurements, in seconds."""


async def measure(current: CurrentBot) -> None:
    """Note the lag of this event loop until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_S
        await asyncio.sleep(EVERY_S)
        if current.bot is not None:
            current.bot.metrics.loop_lag.note(max(0.0, loop.time() - due))
