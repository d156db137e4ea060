"""Adds pictures to pages once they are drawn: with the answer to a click, or later.

If Discord accepts no picture with an edit, it is sent as a private message below a private page.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import discord

from bot.client import TichuBot
from bot.ids import MessageId
from bot.pictures.process import Drawing
from bot.pictures.process_messages import fingerprint
from bot.runtime.logs import kinds_and_frames
from cogs.clicks.page_tasks import PageTasks
from cogs.delivery.replies import Reply
from cogs.delivery.uploads import (
    Picture,
    PictureEdit,
    PictureSupport,
    Uploads,
    result_in_time,
    uploaded,
)
from cogs.pages.controls import Page, gallery

log = logging.getLogger(__name__)

Send = Callable[[Page, Sequence[discord.File]], Awaitable[MessageId | None]]
"""Sends a page with its files; returns the id of its message."""


class PagePictures:
    """Draws the pictures of private pages, at most one at a time for each message."""

    def __init__(self, bot: TichuBot, support: PictureSupport) -> None:
        self._bot = bot
        self._support = support
        self._tasks = PageTasks("page-picture")

    async def show(self, reply: Reply, page: Page) -> MessageId:
        """Show a private page without a picture; return the id of its message."""
        message = reply.interaction.message
        if message is None or not reply.on_private_page:
            return await reply.show_beside(page)
        self.cancel(MessageId(message.id))
        return await reply.replace(page)

    async def answer(
        self,
        reply: Reply,
        drawing: Drawing,
        name: str,
        alt: str,
        page: Callable[[str | None], Page],
        send: Send,
        *,
        edited_id: MessageId | None,
    ) -> None:
        """Answer with a page and its picture, or first without it if it is late.

        `send` sends a page with files; `edited_id` is the message that it edits. The rest is as for
        `begin`.
        """
        if edited_id is not None:
            self.cancel(edited_id)
        drawn = asyncio.create_task(self._bot.painter.draw(drawing), name="page-picture")
        data = await result_in_time(self._bot.clock, drawn)
        picture = None if data is None else Picture(fingerprint(drawing), name, alt, data)
        uploads = Uploads(self._bot.clock, "a page", self._support)

        async def request(included: Picture | None) -> MessageId | None:
            alt_text = None if included is None else included.alt
            return await send(page(alt_text), uploaded(included))

        kind = PictureEdit.ANSWER
        message_id, accepted = await uploads.send(picture, request, edited_id=edited_id, kind=kind)
        was_rejected = data is not None and accepted is None
        if message_id is not None and (was_rejected or not drawn.done()):
            self._later(reply, message_id, drawing, drawn, name, alt, page)

    def begin(
        self,
        reply: Reply,
        message_id: MessageId,
        drawing: Drawing,
        name: str,
        alt: str,
        page: Callable[[str | None], Page],
    ) -> None:
        """Draw a picture in the background, and then show the page with it.

        The picture is a file with this `name` and `alt`, its alternative text. `page` is called
        with `alt` for the page with the picture, and with `None` for the page without it.
        `message_id` is the message of the reply that shows the page.
        """
        drawn = asyncio.create_task(self._bot.painter.draw(drawing), name="page-picture")
        self._later(reply, message_id, drawing, drawn, name, alt, page)

    def _later(
        self,
        reply: Reply,
        message_id: MessageId,
        drawing: Drawing,
        drawn: asyncio.Task[bytes | None],
        name: str,
        alt: str,
        page: Callable[[str | None], Page],
    ) -> None:
        """Show `page` with the picture once it is drawn."""
        work = self._draw(reply, message_id, drawing, drawn, name, alt, page)
        self._tasks.begin(message_id, work)

    async def _draw(
        self,
        reply: Reply,
        message_id: MessageId,
        drawing: Drawing,
        drawn: asyncio.Task[bytes | None],
        name: str,
        alt: str,
        page: Callable[[str | None], Page],
    ) -> None:
        try:
            data = await drawn
            if data is not None:
                picture = Picture(fingerprint(drawing), name, alt, data)
                await self._add_picture(reply, message_id, picture, page)
        except discord.HTTPException as error:
            log.warning("page picture not delivered: %s", error)
        except Exception as error:  # noqa: BLE001 - a page goes on without its picture
            log.error(
                "unhandled exception while drawing a page picture:\n%s", kinds_and_frames(error)
            )

    async def _add_picture(
        self,
        reply: Reply,
        message_id: MessageId,
        picture: Picture,
        page: Callable[[str | None], Page],
    ) -> None:
        """Show the page with its picture, or send the picture below if no edit can bring it."""

        async def edit(included: Picture | None) -> None:
            new_page = page(None if included is None else included.alt)
            await reply.rewrite(message_id, new_page, uploaded(included))

        uploads = Uploads(self._bot.clock, "a private page", self._support)
        while uploads.allows_edit_of(message_id):
            _, accepted = await uploads.send(picture, edit, edited_id=message_id)
            if accepted is not None:
                break
            await self._bot.clock.sleep(uploads.pause_s)
        if not uploads.allows_edit_of(message_id) and reply.is_private(message_id):
            picture_page = Page(gallery(picture.name, picture.alt))
            await reply.show_beside(picture_page, [picture.file()])

    def cancel(self, message_id: MessageId) -> None:
        """Cancel the picture of a page that was replaced."""
        self._tasks.cancel(message_id)

    async def close(self) -> None:
        """Cancel the pictures that are not drawn yet."""
        await self._tasks.close()
