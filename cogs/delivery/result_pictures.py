"""Puts the picture of a finished match on its result, when it is ready; nobody waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.ids import MessageId
from bot.pictures.alt_texts import alt_text
from bot.pictures.process import Painter
from bot.runtime.logs import kinds_and_frames
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.result import Ratings, result_page
from cogs.pages.score_chart import score_chart

log = logging.getLogger(__name__)

Put = Callable[[Game, MessageId, Page, bytes], None]
"""Puts page and picture in the place of a message of the table, in its turn."""


class ResultPictures:
    """Pictures that are being drawn; `put` shows one that is ready."""

    def __init__(self, painter: Painter, put: Put) -> None:
        self._painter = painter
        self._put = put
        self._drawing: set[asyncio.Task[None]] = set()

    def begin(self, state: Game, message_id: MessageId, words: Speaker, ratings: Ratings) -> None:
        """Have the match drawn for this message; it may be gone by then."""
        drawing = self._draw(state, message_id, words, ratings)
        task = asyncio.create_task(drawing, name=f"picture-{state.id}")
        self._drawing.add(task)
        task.add_done_callback(self._drawing.discard)

    async def _draw(
        self, state: Game, message_id: MessageId, words: Speaker, ratings: Ratings
    ) -> None:
        try:
            chart = score_chart(state, words)
            picture = await self._painter.draw(chart)
        except Exception as error:  # noqa: BLE001 - its text may name cards
            log.error("table %s: no picture:\n%s", state.id, kinds_and_frames(error))
            return
        if picture is not None:
            drawn = alt_text(chart, words.say)
            page = result_page(state, words, ratings=ratings, drawn=drawn)
            self._put(state, message_id, page, picture)

    async def close(self) -> None:
        """Leave undone what is not drawn yet."""
        for task in self._drawing:
            task.cancel()
        await asyncio.gather(*self._drawing, return_exceptions=True)
