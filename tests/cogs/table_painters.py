"""Painters of tables without a process: instant, controlled by a test, or none."""

from __future__ import annotations

import asyncio

from bot.pictures.hand.scene import HandScene
from bot.pictures.process import Drawing, Painter
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.scene import TableScene
from tests.simcord_clicks import from_outside


class ByKind:
    """Painter that passes tables and replays, hands, and charts to different painters."""

    def __init__(
        self, charts: Painter, tables: Painter | None, hands: Painter | None = None
    ) -> None:
        self._charts = charts
        self._tables = tables
        self._hands = hands

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the picture; `None` for a table, replay or hand without a painter of its own."""
        painter: Painter | None = self._charts
        if isinstance(drawing, TableScene | ReplayScene):
            painter = self._tables
        elif isinstance(drawing, HandScene):
            painter = self._hands
        return None if painter is None else await painter.draw(drawing)


class TablesAtOnce:
    """Painter that draws every table at once; `asked` collects the drawings in order."""

    def __init__(self) -> None:
        self.asked: list[Drawing] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return a file that is unique for the scene."""
        self.asked.append(drawing)
        return picture_of(drawing)


class TablesSlowly(TablesAtOnce):
    """Painter whose drawings finish or fail when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work: list[asyncio.Future[None]] = []
        self.most_at_once = 0

    async def draw(self, drawing: Drawing) -> bytes | None:
        """Return the same file as the instant painter, later."""
        done = asyncio.get_running_loop().create_future()
        self.at_work.append(done)
        self.asked.append(drawing)
        self.most_at_once = max(self.most_at_once, len(self.at_work))
        try:
            await from_outside(done, "a picture of a table")
        finally:
            self.at_work.remove(done)
        return picture_of(drawing)

    def finish(self) -> None:
        """Finish the current drawings."""
        for done in self.at_work:
            done.set_result(None)


def picture_of(drawing: Drawing) -> bytes:
    """Return the file that these painters make of a drawing."""
    return repr(drawing).encode()
