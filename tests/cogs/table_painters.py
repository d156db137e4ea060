"""Painters of tables that need no process: at once, only when a test lets them, or never."""

from __future__ import annotations

import asyncio

from bot.pictures.process import Drawing, Painter
from bot.pictures.table.scene import TableScene
from tests.simcord_clicks import from_outside


class ByKind:
    """Has tables drawn by one painter, charts by another."""

    def __init__(self, charts: Painter, tables: Painter | None) -> None:
        self._charts = charts
        self._tables = tables

    async def draw(self, drawing: Drawing) -> bytes | None:
        """The picture; of a table `None` if there is no painter of tables."""
        painter = self._tables if isinstance(drawing, TableScene) else self._charts
        return None if painter is None else await painter.draw(drawing)


class TablesAtOnce:
    """Draws every table at once; `asked` is what was to be drawn, in order."""

    def __init__(self) -> None:
        self.asked: list[Drawing] = []

    async def draw(self, drawing: Drawing) -> bytes | None:
        """A file that is the same for the same scene only."""
        self.asked.append(drawing)
        return picture_of(drawing)


class TablesSlowly(TablesAtOnce):
    """Draws until the test says that it is done, or has failed."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work: list[asyncio.Future[None]] = []
        self.most_at_once = 0

    async def draw(self, drawing: Drawing) -> bytes | None:
        """The same as the painter that is never slow."""
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
        """What is being drawn now is done."""
        for done in self.at_work:
            done.set_result(None)


def picture_of(drawing: Drawing) -> bytes:
    """The file that these painters make of a drawing."""
    return repr(drawing).encode()
