"""Which bot runs now: after trouble at the start a new one takes its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.client import TichuBot


class CurrentBot:
    """Holds the bot that runs now."""

    def __init__(self) -> None:
        self.bot: TichuBot | None = None
        """`None` while none runs."""

    @contextmanager
    def now(self, bot: TichuBot) -> Iterator[None]:
        """Hold this one as long as the block runs."""
        self.bot = bot
        try:
            yield
        finally:
            self.bot = None
