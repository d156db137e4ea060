"""The messages that show the lobby of a table, and how it has ended: usually one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.ids import MessageId
from bot.table.state import Lobby, OpenTable
from cogs.delivery.messages import page_of_lobby
from cogs.delivery.table_pictures import TablePictures
from cogs.delivery.table_place import TablePlace
from cogs.delivery.uploads import Picture, PictureEdit, uploaded
from cogs.pages.controls import Page
from cogs.pages.table.lobby import closed_page

Replace = Callable[[Page, list[discord.File]], Awaitable[object]]
"""Puts a page, and its files, in the place of the message that was clicked on."""


class LobbyMessages:
    """Rewrites them; `rewrite` is called when `write` is to be called."""

    def __init__(
        self, place: TablePlace, pictures: TablePictures, rewrite: Callable[[], None]
    ) -> None:
        self._place = place
        self._pictures = pictures
        self._rewrite = rewrite
        self._more: set[MessageId] = set()
        """Lobby messages that stand there beside the remembered one.

        Discord took them, but its answer got lost; they are known once somebody clicks on them.
        """

    def show(self, message_id: MessageId, shown: OpenTable) -> None:
        """Note that a lobby message shows this table; have all of them show the newest state."""
        if message_id != self._place.now.messages.lobby:
            self._more.add(message_id)
        if self._more or self.look_old(shown):
            self._rewrite()

    def forget(self, message_id: MessageId) -> None:
        """Forget a lobby message that is removed."""
        self._more.discard(message_id)

    def look_old(self, shown: OpenTable) -> bool:
        """Whether a lobby message that shows this state shows no more how the table is."""
        now = self._place.now
        return (shown.revision, shown.status) != (now.revision, now.status)

    async def write(self) -> None:
        """Let all of them show the table as it is now; raises what requests raise."""
        state, picture = await self._newest(edits=self._place.now.messages.lobby)
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
        return await self._place.put(message_id, page, uploaded(picture))

    async def in_click(self, replace: Replace, message_id: MessageId) -> OpenTable:
        """Show the lobby in the place of the one that was clicked on; the table that it shows."""
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
        """Show the picture of the lobby when it is ready, as it was shown without it."""
        now = self._place.now
        with_edit = self._pictures.uploads.with_edit_of(now.messages.lobby)
        if isinstance(now, Lobby) and now.open and with_edit:
            self._pictures.later(self._rewrite)

    def _page(self, state: OpenTable, picture: Picture | None) -> Page:
        """The lobby, or how it has ended."""
        if isinstance(state, Lobby) and state.open:
            return page_of_lobby(state, self._place.words, picture)
        return closed_page(state, self._place.words)

    async def _newest(self, *, edits: MessageId | None) -> tuple[OpenTable, Picture | None]:
        """The table as it is now, with a picture if it is a lobby in which people can sit down.

        `edits` is the message that the picture would be brought to by a request of its own.
        """
        now = self._place.now
        if not isinstance(now, Lobby) or not now.open:
            return now, None
        state, picture = await self._pictures.newest(edits=edits)
        return state, picture if isinstance(state, Lobby) and state.open else None
