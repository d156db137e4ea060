"""The messages that show a table's lobby, or that it is closed; usually there is only one."""

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
"""Function that replaces the clicked message with a page and its files."""


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
        self._extra_ids: set[MessageId] = set()
        """Lobby messages beside the one whose id is stored.

        Discord created them, but its answer was lost. The bot learns their ids from clicks on them.
        """

    def record_shown(self, message_id: MessageId, shown: OpenTable) -> None:
        """Record that a lobby message shows the state `shown`; rewrite outdated messages."""
        if message_id != self._context.state.messages.lobby:
            self._extra_ids.add(message_id)
        if self._extra_ids or self.is_outdated(shown):
            self._rewrite()

    def forget(self, message_id: MessageId) -> None:
        """Drop a lobby message that is removed."""
        self._extra_ids.discard(message_id)

    def is_outdated(self, shown: OpenTable) -> bool:
        """Return whether a lobby message that shows this state is outdated."""
        state = self._context.state
        return (shown.revision, shown.status) != (state.revision, state.status)

    async def write(self) -> None:
        """Rewrite all lobby messages with the newest state. Raises the requests' errors."""
        state, picture = await self._newest(edited_id=self._context.state.messages.lobby)
        message_ids = set(self._extra_ids)
        if state.messages.lobby is not None:
            message_ids.add(state.messages.lobby)
        for message_id in sorted(message_ids):
            edit = partial(self._replace, message_id, state)
            _, picture = await self._pictures.send(picture, edit, edited_id=message_id)
        if picture is None:
            self.show_picture_later()

    async def _replace(
        self, message_id: MessageId, state: OpenTable, picture: Picture | None
    ) -> bool:
        page = self._page(state, picture)
        return await self._context.replace_message(message_id, page, uploaded(picture))

    async def replace_clicked(self, replace: Replace, message_id: MessageId) -> OpenTable:
        """Replace the clicked lobby message; return the state that it shows."""
        self._pictures.cancel_late_picture()
        state, picture = await self._newest(edited_id=None)

        async def edit(included: Picture | None) -> None:
            await replace(self._page(state, included), uploaded(included))

        kind = PictureEdit.ANSWER
        _, picture = await self._pictures.send(picture, edit, edited_id=message_id, kind=kind)
        if picture is None:
            self.show_picture_later()
        return state

    def show_picture_later(self) -> None:
        """Add the picture to a lobby shown without it, once it is ready."""
        state = self._context.state
        allowed = self._pictures.uploads.allows_edit_of(state.messages.lobby)
        if isinstance(state, Lobby) and state.open and allowed:
            self._pictures.call_when_ready(self._rewrite)

    def _page(self, state: OpenTable, picture: Picture | None) -> Page:
        """Return the page of the lobby, or of its end."""
        if isinstance(state, Lobby) and state.open:
            return page_of_lobby(state, self._context.words, picture)
        return closed_page(state, self._context.words)

    async def _newest(self, *, edited_id: MessageId | None) -> tuple[OpenTable, Picture | None]:
        """Return the newest state, with a picture if the lobby is open.

        `edited_id` is the message whose edit brings the picture; `None` for the answer to a click.
        """
        state = self._context.state
        if not isinstance(state, Lobby) or not state.open:
            return state, None
        state, picture = await self._pictures.newest(edited_id=edited_id)
        return state, picture if isinstance(state, Lobby) and state.open else None
