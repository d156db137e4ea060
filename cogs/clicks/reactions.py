"""Clicks with which somebody at a table says something to the others: at most once in `PAUSE_S`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.runtime.cooldowns import Cooldowns
from bot.table.permission import seated
from cogs.clicks.click import Click
from cogs.clicks.table_actions import show_hand
from cogs.delivery.announcer import Announcer
from cogs.pages.hand.choices import Draft
from cogs.pages.table.reactions import Said, check_offered, read_reaction, said_now
from cogs.pages.verbs import Verb

PAUSE_S: Final = 15
"""Seconds between two reactions of one person, at whatever tables."""


class ReactionClicks:
    """Offers reactions and shows them at the table; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self._pauses = Cooldowns(bot.clock.now, burst=PAUSE_S, per_second=1)
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.SAY: self._offer,
            Verb.REACT: self._react,
        }

    async def _offer(self, click: Click) -> None:
        """The hand, with a button for each reaction."""
        game, _ = seated(self.bot.tables.get(click.table_id), click.user_id)
        await show_hand(self.announcer, click.interaction, game, Draft(says=True))

    async def _react(self, click: Click) -> None:
        """Say it, and show whoever has said it their hand."""
        game, _ = seated(self.bot.tables.get(click.table_id), click.user_id)
        reaction = read_reaction(click.args)
        check_offered(game, reaction)
        if not self._pauses.spend(click.user_id, PAUSE_S):
            raise Refused(Reason.REACTED_JUST_NOW, seconds=PAUSE_S)
        shown = self.announcer.react(game, Said(click.user_id, reaction))
        words = self.announcer.private(click.interaction)
        note = said_now(reaction, words, waits=not shown)
        await show_hand(self.announcer, click.interaction, game, Draft(note=note))
