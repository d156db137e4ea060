"""The picture of a finished match: on its result, at once or when it is ready."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.ids import MessageId, TableId
from bot.pictures.alt_texts import alt_text
from bot.pictures.process import Painter
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.uploads import Picture, in_time
from cogs.pages.result import SCORE_FILE, Ratings
from cogs.pages.score_chart import score_chart

log = logging.getLogger(__name__)

Put = Callable[[Game, MessageId, Ratings, Picture], None]
"""Puts a picture on the result of a match, which is this message with these ratings."""


class ResultPictures:
    """Pictures that are being drawn; `put` shows one that was late."""

    def __init__(self, painter: Painter, clock: Clock, put: Put) -> None:
        self._painter = painter
        self._clock = clock
        self._put = put
        self._drawing: dict[TableId, asyncio.Task[Picture | None]] = {}

    async def in_time(self, match: Game, words: Speaker) -> Picture | None:
        """The picture of this match, unless that takes long; then it is drawn on."""
        task = self._drawing.get(match.id)
        if task is None:
            task = asyncio.create_task(self._draw(match, words), name=f"picture-{match.id}")
            self._drawing[match.id] = task
            task.add_done_callback(lambda _: self._drawing.pop(match.id, None))
        return await in_time(self._clock, task)

    def later(self, match: Game, message_id: MessageId, ratings: Ratings) -> None:
        """Put the picture that was late on this message, when it is drawn."""

        def put(done: asyncio.Task[Picture | None]) -> None:
            if not done.cancelled() and (picture := done.result()) is not None:
                self._put(match, message_id, ratings, picture)

        if (task := self._drawing.get(match.id)) is not None:
            task.add_done_callback(put)

    async def _draw(self, match: Game, words: Speaker) -> Picture | None:
        try:
            chart = score_chart(match, words)
            data = await self._painter.draw(chart)
        except Exception as error:  # noqa: BLE001 - its text may name cards
            log.error("table %s: no picture:\n%s", match.id, kinds_and_frames(error))
            return None
        return (
            None if data is None else Picture(chart, SCORE_FILE, alt_text(chart, words.say), data)
        )

    async def close(self) -> None:
        """Leave undone what is not drawn yet."""
        tasks = list(self._drawing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
