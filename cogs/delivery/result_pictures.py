"""Result card of a finished match, added to its result once ready."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from bot.ids import MessageId, TableId
from bot.pictures.process import Painter
from bot.pictures.process_messages import fingerprint
from bot.records import RoundRecord
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.uploads import Picture, in_time
from cogs.pages.table.result import SCORE_FILE, Ratings
from cogs.pages.table.result_card import card_text_of, result_card

log = logging.getLogger(__name__)

Put = Callable[[Game, MessageId, Ratings, Picture], None]
"""Adds a picture to the result of a match, given its message and ratings."""


Rounds = Callable[[TableId], Awaitable[Sequence[RoundRecord]]]
"""Reads the stored rounds of a table."""


class ResultPictures:
    """Pictures that are being drawn; `put` adds a late one."""

    def __init__(self, painter: Painter, clock: Clock, put: Put, rounds: Rounds) -> None:
        self._rounds = rounds
        self._painter = painter
        self._clock = clock
        self._put = put
        self._drawing: dict[TableId, asyncio.Task[Picture | None]] = {}
        self._later: set[asyncio.Task[None]] = set()

    async def in_time(self, match: Game, words: Speaker) -> Picture | None:
        """Return the picture of this match, or `None` while it is late."""
        return await in_time(self._clock, self._begin(match, words))

    def later(
        self, match: Game, message_id: MessageId, ratings: Ratings, words: Speaker, wait: float
    ) -> None:
        """Add the missing picture to this message when it is drawn.

        `wait` is the shortest delay in seconds, after Discord did not accept a picture.
        """

        async def put() -> None:
            if wait:
                await self._clock.sleep(wait)
            picture = await self._begin(match, words)
            if picture is not None:
                self._put(match, message_id, ratings, picture)

        in_background(put(), f"picture-later-{match.id}", self._later)

    def _begin(self, match: Game, words: Speaker) -> asyncio.Task[Picture | None]:
        """Start drawing the match, or return the running task."""
        task = self._drawing.get(match.id)
        if task is None:
            task = asyncio.create_task(self._draw(match, words), name=f"picture-{match.id}")
            self._drawing[match.id] = task
            task.add_done_callback(lambda _: self._drawing.pop(match.id, None))
        return task

    async def _draw(self, match: Game, words: Speaker) -> Picture | None:
        try:
            card = result_card(match, await self._rounds(match.id), words)
            data = await self._painter.draw(card)
        except Exception as error:  # noqa: BLE001 - its text may name cards
            log.error(
                "table %s: unhandled exception while drawing:\n%s",
                match.id,
                kinds_and_frames(error),
            )
            return None
        if data is None:
            return None
        return Picture(fingerprint(card), SCORE_FILE, card_text_of(match, card, words), data)

    async def close(self) -> None:
        """Cancel all drawing."""
        tasks = [*self._drawing.values(), *self._later]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
