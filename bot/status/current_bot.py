"""The running bot, and the lag of its event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bot.client import TichuBot


class CurrentBot:
    """Holds the running bot; after a failed start another one takes its place."""

    def __init__(self) -> None:
        self.bot: TichuBot | None = None
        """`None` while none runs."""

    @contextmanager
    def now(self, bot: TichuBot) -> Iterator[None]:
        """Hold this bot until the block exits."""
        self.bot = bot
        try:
            yield
        finally:
            self.bot = None


EVERY_S: Final = 0.5
"""The time between two measurements, in seconds."""


async def measure_loop_lag(current: CurrentBot) -> None:
    """Measure the lag of this event loop until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_S
        await asyncio.sleep(EVERY_S)
        if current.bot is not None:
            current.bot.metrics.loop_lag.note(max(0.0, loop.time() - due))
