"""The messages that show a table's lobby or its end; usually one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.ids import MessageId
from bot.table.state import Lobby, OpenTable
from cogs.delivery.channel_context import ChannelContext
from cogs.delivery.messages import page_of_lobby
from cogs.delivery.table_pictures import TablePictures
from cogs.delivery.uploads import Picture, PictureEdit, uploaded
from cogs.pages.controls import Page
from cogs.pages.table.lobby import closed_page

Replace = Callable[[Page, list[discord.File]], Awaitable[object]]
"""Replaces the clicked message with a page and its files."""


class LobbyMessages:
    """Rewrites the lobby messages of a table.

    `rewrite` is called to schedule a call of `write`.
    """

    def __init__(
        self, context: ChannelContext, pictures: TablePictures, rewrite: Callable[[], None]
    ) -> None:
        self._context = context
        self._pictures = pictures
        self._rewrite = rewrite
        self._more: set[MessageId] = set()
        """Lobby messages beside the stored one.

        Discord created them but its answer was lost. They become known when somebody clicks on
        them.
        """

    def show(self, message_id: MessageId, shown: OpenTable) -> None:
        """Record that a lobby message shows this state; rewrite outdated ones."""
        if message_id != self._context.now.messages.lobby:
            self._more.add(message_id)
        if self._more or self.look_old(shown):
            self._rewrite()

    def forget(self, message_id: MessageId) -> None:
        """Drop a lobby message that is removed."""
        self._more.discard(message_id)

    def look_old(self, shown: OpenTable) -> bool:
        """Return whether a lobby message with this state is outdated."""
        now = self._context.now
        return (shown.revision, shown.status) != (now.revision, now.status)

    async def write(self) -> None:
        """Rewrite all lobby messages with the newest state. Raises the requests' errors."""
        state, picture = await self._newest(edits=self._context.now.messages.lobby)
        messages = set(self._more)
        if state.messages.lobby is not None:
            messages.add(state.messages.lobby)
        for message_id in sorted(messages):
            edit = partial(self._put, message_id, state)
            _, picture = await self._pictures.send(picture, edit, edits=message_id)
        if picture is None:
            self.show_picture_later()

    async def _put(self, message_id: MessageId, state: OpenTable, picture: Picture | None) -> bool:
        page = self._page(state, picture)
        return await self._context.put(message_id, page, uploaded(picture))

    async def in_click(self, replace: Replace, message_id: MessageId) -> OpenTable:
        """Replace the clicked lobby message; return the state that it shows."""
        self._pictures.changed()
        state, picture = await self._newest(edits=None)

        async def edit(taken: Picture | None) -> None:
            await replace(self._page(state, taken), uploaded(taken))

        kind = PictureEdit.ANSWER
        _, picture = await self._pictures.send(picture, edit, edits=message_id, kind=kind)
        if picture is None:
            self.show_picture_later()
        return state

    def show_picture_later(self) -> None:
        """Add the picture to a lobby shown without it, once it is ready."""
        now = self._context.now
        with_edit = self._pictures.uploads.with_edit_of(now.messages.lobby)
        if isinstance(now, Lobby) and now.open and with_edit:
            self._pictures.later(self._rewrite)

    def _page(self, state: OpenTable, picture: Picture | None) -> Page:
        """Return the page of the lobby, or of its end."""
        if isinstance(state, Lobby) and state.open:
            return page_of_lobby(state, self._context.words, picture)
        return closed_page(state, self._context.words)

    async def _newest(self, *, edits: MessageId | None) -> tuple[OpenTable, Picture | None]:
        """Return the newest state, with a picture if its lobby is open.

        `edits` is the message to which a request of its own would add the picture.
        """
        now = self._context.now
        if not isinstance(now, Lobby) or not now.open:
            return now, None
        state, picture = await self._pictures.newest(edits=edits)
        return state, picture if isinstance(state, Lobby) and state.open else None
