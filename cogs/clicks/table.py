"""Clicks on **More…** of a table message, and on the private pages behind it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.table.permission import require_game, require_open, seated
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.clicks.click import Click
from cogs.clicks.rights import is_moderator
from cogs.clicks.tables import waiting_lobbies
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.controls import Controls, Page
from cogs.pages.rules import chosen_rules, rules_page
from cogs.pages.table.deal_lines import fair_deal_page
from cogs.pages.table.log import last_trick_page, log_page
from cogs.pages.table.more import more_page
from cogs.pages.table.open_tables import partner_lines, waiting_line
from cogs.pages.table.seats import leave_page
from cogs.pages.verbs import Verb


class TableClicks:
    """Shows the private pages of a table; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.MORE: self._more,
            Verb.LOG: self._log,
            Verb.LAST_TRICK: self._last_trick,
            Verb.FAIR_DEAL: self._fair_deal,
            Verb.RULES: self._rules,
            Verb.EXPLAIN: self._explain,
            Verb.LEAVE_MATCH: self._leave,
        }

    async def _show(self, click: Click, page: Page) -> None:
        """Show a page: in the place of the private one that was clicked on, else as a new one."""
        await Reply(click.interaction).show(page)

    async def _more(self, click: Click) -> None:
        game = require_game(self.bot.tables.get(click.table_id))
        words = self.announcer.private(click.interaction)
        page = more_page(
            game,
            words,
            seated=game.seat_of(click.user_id) is not None,
            moderator=is_moderator(click.interaction),
            notes=self._about_partner(click, game, words),
        )
        await self._show(click, page)

    def _about_partner(self, click: Click, game: Game, words: Speaker) -> list[str]:
        """Where the clicker's computer partner could be replaced, and who waits for a table."""
        lines = list(partner_lines(game, game.seat_of(click.user_id), words))
        if lines and (lobbies := waiting_lobbies(self.bot, click.interaction)):
            lines.append(waiting_line(lobbies, words))
        return lines

    async def _log(self, click: Click) -> None:
        game = require_game(self.bot.tables.get(click.table_id))
        await self._show(click, log_page(game, self.announcer.private(click.interaction)))

    async def _last_trick(self, click: Click) -> None:
        game = require_game(self.bot.tables.get(click.table_id))
        await self._show(click, last_trick_page(game, self.announcer.private(click.interaction)))

    async def _fair_deal(self, click: Click) -> None:
        table = self.bot.tables.get(click.table_id)
        require_open(table)
        await self._show(click, fair_deal_page(table, self.announcer.private(click.interaction)))

    async def _rules(self, click: Click) -> None:
        """A topic of the rules; from a running match there is a way back."""
        (game, topic), words = chosen_rules(click.chosen), self.announcer.private(click.interaction)
        table = self.bot.tables.find(click.table_id)
        playing = isinstance(table, Game) and table.running
        controls = Controls(click.table_id, click.revision) if playing else Controls()
        await self._show(click, rules_page(words, topic, game, controls))

    async def _explain(self, click: Click) -> None:
        """A topic of the rules beside the page: a hand stays where it is."""
        game, topic = chosen_rules(click.chosen)
        page = rules_page(self.announcer.private(click.interaction), topic, game)
        await Reply(click.interaction).show_beside(page)

    async def _leave(self, click: Click) -> None:
        """Ask who gets the seat."""
        game, _ = seated(self.bot.tables.get(click.table_id), click.user_id)
        await self._show(click, leave_page(game, self.announcer.private(click.interaction)))
