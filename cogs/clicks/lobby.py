"""Clicks on the private pages of a lobby: its options, and for the host its seats."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import Stale
from bot.table.lobby import require_host
from bot.table.permission import require_lobby
from cogs.clicks.requests import change
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.controls import Click
from cogs.pages.lobby import seats_page
from cogs.pages.lobby_options import options_page
from cogs.pages.verbs import Verb


class LobbyClicks:
    """Shows these pages; what is chosen on them is in `cogs.clicks.requests`."""

    def __init__(self, announcer: Announcer) -> None:
        self._announcer = announcer
        self.verbs: dict[str, Callable[[Click], Awaitable[None]]] = {
            Verb.OPTIONS: self._options,
            **dict.fromkeys((Verb.SWAP, Verb.ADD_COMPUTER, Verb.REMOVE), self._seats),
        }

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
