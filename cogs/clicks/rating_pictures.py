"""Puts the picture of a rating through time on a profile, when it is drawn; nobody waits for it.

If Discord takes no picture with an edit, it comes as a private message below the profile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import discord
from babel.dates import format_skeleton

from bot.client import TichuBot
from bot.ids import MessageId
from bot.pictures.alt_texts import alt_text
from bot.pictures.descriptions import RatingChart, rating_chart
from bot.pictures.messages import fingerprint
from bot.score_records import Played
from bot.text import Say
from bot.text.cards import Speaker
from cogs.delivery.replies import Interaction
from cogs.delivery.uploads import EditedPictures, Picture, Uploads, uploaded
from cogs.pages.controls import Page, gallery
from cogs.pages.profile import RATING_FILE

log = logging.getLogger(__name__)

FEWEST_DAYS = 2
"""One day makes no line."""
MOST_SEASONS = 12
"""Of a longer time the months are not told apart."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


class RatingPictures:
    """Pictures that are being drawn, one for each message: that of the page that stands there."""

    def __init__(self, bot: TichuBot, edited: EditedPictures) -> None:
        self._bot = bot
        self._edited = edited
        self._drawing: dict[MessageId, asyncio.Task[None]] = {}

    def begin(
        self,
        interaction: Interaction,
        message_id: MessageId,
        played: Played,
        name: str | None,
        speaker: Speaker,
        page: Callable[[str | None], Page],
    ) -> None:
        """Have the rating drawn, and show `page` with it.

        `page` takes what is seen on the picture in words, `None` for a page without it. The message
        is the answer to the interaction.
        """
        self.stop(message_id)
        if len(played.ratings) < FEWEST_DAYS:
            return
        chart = described(played, name or speaker.say("Player"), speaker.say)
        task = asyncio.create_task(
            self._draw(interaction, chart, speaker, page), name="rating-picture"
        )
        self._drawing[message_id] = task
        task.add_done_callback(lambda done: self._forget(message_id, done))

    def _forget(self, message_id: MessageId, done: asyncio.Task[None]) -> None:
        if self._drawing.get(message_id) is done:
            del self._drawing[message_id]

    async def _draw(
        self,
        interaction: Interaction,
        chart: RatingChart,
        speaker: Speaker,
        page: Callable[[str | None], Page],
    ) -> None:
        try:
            drawn = await self._bot.painter.draw(chart)
            if drawn is not None:
                alt = alt_text(chart, speaker.say)
                picture = Picture(fingerprint(chart), RATING_FILE, alt, drawn)
                await self._show(interaction, picture, page)
        except discord.HTTPException as error:
            log.warning("the picture of a rating did not reach Discord: %s", error)
        except Exception:  # numbers of past rounds: no hand is in reach of its text
            log.exception("no picture of a rating")

    async def _show(
        self, interaction: Interaction, picture: Picture, page: Callable[[str | None], Page]
    ) -> None:
        """The profile with its picture; a message with the picture alone if it takes none."""

        async def edit(taken: Picture | None) -> None:
            shown = page(None if taken is None else taken.alt)
            await interaction.edit_original_response(view=shown, attachments=uploaded(taken))

        uploads = Uploads(self._bot.clock, "a profile", self._edited)
        if uploads.with_edits:
            await uploads.send(picture, edit, edit=True)
        if not uploads.with_edits:
            alone = Page(gallery(picture.name, picture.alt))
            await interaction.followup.send(view=alone, file=picture.file(), ephemeral=True)

    def stop(self, message_id: MessageId) -> None:
        """Another page stands in a message: a picture for the one before comes too late."""
        task = self._drawing.pop(message_id, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Leave undone what is not drawn yet."""
        tasks = list(self._drawing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def described(played: Played, name: str, say: Say) -> RatingChart:
    """The most likely rating at the end of each day, in a band whose lower edge people read."""
    points = tuple(
        (_EPOCH + day * _DAY, rating.mu, rating.mu - rating.shown) for day, rating in played.ratings
    )
    first, last = points[0][0], points[-1][0]
    return rating_chart(name, points, _seasons(first, last, say), say)


def _seasons(first: datetime, last: datetime, say: Say) -> tuple[tuple[datetime, str], ...]:
    """The beginnings of the months after the first day, with their names; none of too many."""
    found, month = [], first.replace(day=1)
    while (month := (month + 31 * _DAY).replace(day=1)) <= last:
        found.append((month, str(format_skeleton("yMMM", month, locale=say.language))))
    return tuple(found) if len(found) <= MOST_SEASONS else ()
