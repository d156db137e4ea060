"""Clicks on a hand that only look, or take a choice in several steps; the last one is a request."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.table.permission import bombs_on, seated
from bot.table.state import Game
from cogs.clicks.click import Click
from cogs.clicks.requests import change
from cogs.clicks.rights import reaches
from cogs.clicks.table_actions import show_hand
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.exchange_choices import read_gifts
from cogs.pages.hand.hints import DOABLE, doing, hint
from cogs.pages.hand.play_choices import read_choice
from cogs.pages.verbs import Verb
from engine import (
    MAHJONGS,
    AnswerGrand,
    Call,
    CallTichu,
    IllegalAction,
    Seat,
    read_cards,
    verify,
)
from engine import Reason as RulesReason


class HandClicks:
    """Handles clicks that show a hand, mostly with a choice begun on it; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.HAND: self._hand,
            Verb.REFRESH: self._back,
            Verb.GRAND_ASK: self._confirm_grand,
            Verb.PICK: self._pick,
            Verb.PLAY: self._play,
            Verb.CARDS: self._choose_cards,
            Verb.BOMBS: self._choose_bomb,
            Verb.TURN_TO: self._turn_to,
            Verb.HINT: self._hint,
            Verb.DO: self._do,
            Verb.TICHU: self._confirm_tichu,
        }

    async def _back(self, click: Click) -> None:
        """The hand without the choice that was begun, and with selects that have forgotten it."""
        await self._hand(click, Draft(renewed=str(click.interaction.id % 1000)))

    async def _hand(self, click: Click, draft: Draft | None = None) -> None:
        """The hand at the table of the button, or at the one that is played in the channel by now.

        The latter if that of the button is over, or is paused and somebody else's. One's own that
        is paused has to wait, too, while one plays at another one.
        """
        user_id = click.user_id
        table = self.bot.tables.find(click.table_id)
        here = self.bot.tables.in_channel(click.interaction.channel_id or 0, user_id)
        if here is not None and not reaches(click.interaction, here):
            here = None
        plays_here = here is not None and not here.yields and here.seat_of(user_id) is not None
        if table is None or (table.yields and (plays_here or table.seat_of(user_id) is None)):
            table = here
        if table is None:
            table = self.bot.tables.get(click.table_id)  # is refused: it is over, or damaged
        await show_hand(self.announcer, click.interaction, table, draft)

    async def _play(self, click: Click) -> None:
        """A play is chosen; with the Mah Jong or a Dog something else has to be chosen, too."""
        cards, phoenix = read_choice(click.chosen)
        if cards & MAHJONGS:
            game, _ = self._look(click)
            await self._draft(click, game, Draft(wish_for=(cards, phoenix)))
            return
        try:
            await change(self.announcer, click)
        except IllegalAction as error:
            if error.code != RulesReason.DOG_TARGET:
                raise
            game, _ = self._look(click)
            await self._draft(click, game, Draft(dog=True))

    async def _pick(self, click: Click) -> None:
        """A card of the exchange is picked; the button says what is picked then."""
        game, seat = self._look(click)
        gifts = game.situation(seat).now.gifts
        if not gifts:
            raise Refused(Reason.UNKNOWN_BUTTON)
        await self._draft(click, game, Draft(picks=read_gifts(gifts, click.args)))

    async def _choose_cards(self, click: Click) -> None:
        """Cards were chosen one by one; the page names what they are."""
        game, _ = self._look(click)
        await self._draft(click, game, Draft(chosen=read_cards(" ".join(click.values))))

    async def _choose_bomb(self, click: Click) -> None:
        """Several bombs: which one?"""
        table = self.bot.tables.get(click.table_id)
        game, bombs = bombs_on(table, click.user_id, click.seat, click.args)
        await self._draft(click, game, Draft(bombs=bombs))

    async def _turn_to(self, click: Click) -> None:
        """Whoever decides for two seats turns to the other one."""
        game, seat = self._look(click)
        await self._draft(click, game, Draft(seat=seat))

    async def _hint(self, click: Click) -> None:
        """What an Expert would do; cards that were chosen to be given away stay chosen."""
        advising = self.bot.tables.advise(click.table_id, click.user_id, click.revision, click.seat)
        game, seat, advice = await Reply(click.interaction).reading(advising)
        note = hint(game, seat, advice, self.announcer.private(click.interaction))
        picks = read_gifts(game.situation(seat).live.gifts, click.args) or None
        await self._draft(click, game, Draft(note=note, do=doing(game, seat, advice), picks=picks))

    async def _do(self, click: Click) -> None:
        """Do what a hint has said is best: as the button for that."""
        verb, _, args = click.args.partition(">")
        if verb not in DOABLE:
            raise Refused(Reason.UNKNOWN_BUTTON)
        meant = dataclasses.replace(click, verb=verb, args=args)
        if verb in self.verbs:
            await self.verbs[verb](meant)
        else:
            await change(self.announcer, meant)

    async def _confirm_grand(self, click: Click) -> None:
        """Ask before a Grand Tichu is called: it cannot be taken back."""
        game, seat = self._look(click)
        verify(game.match, AnswerGrand(seat, True))
        await self._draft(click, game, Draft(confirm=Call.GRAND))

    async def _confirm_tichu(self, click: Click) -> None:
        """Ask before a call: it cannot be taken back. Any revision of this table will do."""
        game, seat = self._look(click, any_revision=True)
        verify(game.match, CallTichu(seat))
        await self._draft(click, game, Draft(confirm=Call.TICHU))

    async def _draft(self, click: Click, game: Game, draft: Draft) -> None:
        """Show the hand with what has been chosen so far."""
        if draft.seat is None:
            draft = dataclasses.replace(draft, seat=click.seat)
        await show_hand(self.announcer, click.interaction, game, draft)

    def _look(self, click: Click, *, any_revision: bool = False) -> tuple[Game, Seat]:
        """The game as it is now, and the seat that the page is for."""
        revision = None if any_revision else click.revision
        table = self.bot.tables.get(click.table_id)
        return seated(table, click.user_id, click.seat, revision)
