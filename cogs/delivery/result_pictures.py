"""Result cards of finished matches, added to their results once they are drawn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.history.highlights import MatchFacts
from bot.ids import MessageId, TableId
from bot.pictures.process import Painter
from bot.pictures.process_messages import fingerprint
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.delivery.uploads import Picture, result_in_time
from cogs.pages.table.result import SCORE_FILE, Ratings
from cogs.pages.table.result_card import card_text_of, result_card

log = logging.getLogger(__name__)

AddPicture = Callable[[Game, MessageId, Ratings, Picture], None]
"""Function that adds a picture to the result of a match, given its message and ratings."""


LoadFacts = Callable[[Game], Awaitable[MatchFacts]]
"""Loads the facts of a finished match; raises `ReplayError`."""


class ResultPictures:
    """Draws the pictures of finished matches; `add_picture` adds a late one to its message."""

    def __init__(
        self, painter: Painter, clock: Clock, add_picture: AddPicture, load_facts: LoadFacts
    ) -> None:
        self._load_facts = load_facts
        self._loading = asyncio.Lock()
        """Lock for one replay at a time, because each of them slows clicks."""
        self._painter = painter
        self._clock = clock
        self._add_picture = add_picture
        self._drawing: dict[TableId, asyncio.Task[Picture | None]] = {}
        self._later: set[asyncio.Task[None]] = set()

    async def draw_in_time(self, match: Game, words: Speaker) -> Picture | None:
        """Return the picture of this match, or `None` if it is not drawn in time."""
        return await result_in_time(self._clock, self._start_drawing(match, words))

    def add_later(
        self, match: Game, message_id: MessageId, ratings: Ratings, words: Speaker, delay_s: float
    ) -> None:
        """Add the missing picture to this message once it is drawn, but not before `delay_s`."""

        async def add() -> None:
            if delay_s:
                await self._clock.sleep(delay_s)
            picture = await self._start_drawing(match, words)
            if picture is not None:
                self._add_picture(match, message_id, ratings, picture)

        in_background(add(), f"picture-later-{match.id}", self._later)

    def _start_drawing(self, match: Game, words: Speaker) -> asyncio.Task[Picture | None]:
        """Start drawing the match, or return the running task."""
        task = self._drawing.get(match.id)
        if task is None:
            task = asyncio.create_task(self._draw(match, words), name=f"picture-{match.id}")
            self._drawing[match.id] = task
            task.add_done_callback(lambda _: self._drawing.pop(match.id, None))
        return task

    async def _draw(self, match: Game, words: Speaker) -> Picture | None:
        try:
            async with self._loading:
                facts = await self._load_facts(match)
            card = result_card(match, facts, words)
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
