"""Painters without a process: instant, drawing in place, or controlled by a test."""

from __future__ import annotations

import asyncio

from bot.pictures.process import Drawing
from tests.simcord_clicks import from_outside

DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)
"""PNG of one black pixel."""


class Ready:
    """Painter with one instant picture; `asked` collects the requested drawings."""

    def __init__(self) -> None:
        self.asked: list[Drawing] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the dot."""
        self.asked.append(drawing)
        return DOT


class Inline(Ready):
    """Painter that draws in the event loop."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the drawn picture."""
        from bot.pictures.drawing import draw  # not loaded by tests that need no Pillow

        self.asked.append(drawing)
        return draw(drawing)


class Slow(Ready):
    """Painter that waits for a picture or an error of the test."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work: list[asyncio.Future[bytes | None]] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return what the test provides."""
        self.asked.append(drawing)
        picture: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self.at_work.append(picture)
        return await from_outside(picture, "a picture")
