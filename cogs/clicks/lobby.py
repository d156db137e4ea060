"""Clicks on the private pages of a lobby: its options, and for the host its seats."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import Stale
from bot.table.lobby import require_host
from bot.table.permission import require_lobby
from bot.table.restore import outline
from cogs.clicks.click import Click
from cogs.clicks.requests import change
from cogs.delivery.announcer import Announcer
from cogs.delivery.message_languages import public_words
from cogs.delivery.replies import Reply
from cogs.pages.table.lobby import closed_page, seats_page
from cogs.pages.table.lobby_options import options_page
from cogs.pages.verbs import Verb

_ON_LOBBY = (Verb.JOIN, Verb.LEAVE, Verb.FILL, Verb.START, Verb.SWAP, Verb.OPTIONS)
"""What is pressed on the message of a lobby."""


class LobbyClicks:
    """Shows these pages; what is chosen on them is in `cogs.clicks.requests`."""

    def __init__(self, announcer: Announcer) -> None:
        self._announcer = announcer
        self.verbs: dict[str, Callable[[Click], Awaitable[None]]] = {
            Verb.OPTIONS: self._options,
            **dict.fromkeys((Verb.SWAP, Verb.ADD_COMPUTER, Verb.REMOVE), self._seats),
        }

    async def show_end(self, click: Click) -> None:
        """Let a lobby message that was clicked on show that it is over.

        Usually it does by then. But the bot may have stopped before Discord took that.
        """
        message, bot = click.interaction.message, self._announcer.bot
        if message is None or click.verb not in _ON_LOBBY:
            return
        record = await Reply(click.interaction).reading(bot.store.tables.get(click.table_id))
        if record is None or record.lobby_message_id != message.id:
            return
        page = closed_page(outline(record), public_words(bot, record.guild_id))
        await Reply(click.interaction).replace(page)

    async def _options(self, click: Click) -> None:
        """The options: the host can change them, everybody else can read them."""
        words = self._announcer.private(click.interaction)
        lobby = require_lobby(self._announcer.bot.tables.get(click.table_id))
        await Reply(click.interaction).show(options_page(lobby, click.user_id, words))

    async def _seats(self, click: Click) -> None:
        """Arrange seats as chosen; without a choice, or too late for it, show them."""
        words, note = self._announcer.private(click.interaction), ""
        if click.values:
            try:
                await change(self._announcer, click)
            except Stale:
                note = words.say("The table has just changed. Look again:")
            else:
                return
        lobby = require_lobby(self._announcer.bot.tables.get(click.table_id))
        require_host(lobby, click.user_id)
        await Reply(click.interaction).show(seats_page(lobby, words, note))
