"""Painters that need no process: ready at once, really drawing, or only when a test lets them."""

from __future__ import annotations

import asyncio

from bot.pictures.process import Drawing
from tests.simcord_clicks import from_outside

DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)
"""A picture of one black pixel."""


class Ready:
    """Always has the same picture at hand; `asked` is what should have been drawn."""

    def __init__(self) -> None:
        self.asked: list[Drawing] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        """A dot."""
        self.asked.append(drawing)
        return DOT


class Inline(Ready):
    """Draws where it is asked, while everybody waits."""

    async def draw(self, drawing: Drawing) -> bytes | None:
        """The picture itself."""
        from bot.pictures.drawing import draw  # as the bot, most tests do without Pillow

        self.asked.append(drawing)
        return draw(drawing)


class Slow(Ready):
    """Draws until the test has the picture, or an error."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work: list[asyncio.Future[bytes | None]] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        """What the test gives."""
        self.asked.append(drawing)
        picture: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self.at_work.append(picture)
        return await from_outside(picture, "a picture")
