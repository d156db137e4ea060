"""Clicks on who sits where in a running match that take more than one step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Refused
from bot.table.seats import free_seats
from bot.table.state import Game
from bot.text.sentences import sentence
from cogs.clicks.click import Click
from cogs.clicks.requests import change
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.table.seats import leave_page, watching_page
from cogs.pages.verbs import Verb


class SeatClicks:
    """Handles the clicks with which somebody leaves or sits down; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.TO_COMPUTER: self._leave,
            Verb.TO_MEMBER: self._leave,
            Verb.SIT: self._sit,
        }

    async def _leave(self, click: Click) -> None:
        """Give the seat to somebody else; if that is not possible, choose again."""
        try:
            await change(self.announcer, click)
        except Refused as refused:
            game = self.bot.tables.find(click.table_id)
            if not isinstance(game, Game) or game.seat_of(click.user_id) is None:
                raise
            words = self.announcer.private(click.interaction)
            note = "⚠️ " + sentence(words.say, refused)
            await Reply(click.interaction).show(leave_page(game, words, note))

    async def _sit(self, click: Click) -> None:
        """Take a computer player's seat; if there are several, one is chosen first.

        If somebody was faster, whoever watches chooses again.
        """
        game = self.bot.tables.get(click.table_id)
        if not isinstance(game, Game) or game.seat_of(click.user_id) is not None:
            await change(self.announcer, click)
            return
        note = ""
        if click.chosen or len(free_seats(game, click.user_id)) < 2:
            try:
                await change(self.announcer, click)
                return
            except Refused as refused:
                current = self.bot.tables.find(click.table_id)
                if not Reply(click.interaction).on_private_page or not isinstance(current, Game):
                    raise
                game = current
                note = "⚠️ " + sentence(self.announcer.private(click.interaction).say, refused)
        words = self.announcer.private(click.interaction)
        page = watching_page(game, click.user_id, words, note)
        await Reply(click.interaction).show(page)
