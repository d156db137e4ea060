"""Clicks on who sits where in a running match: be back, leave, hand a seat over, sit down.

Every verb is a method here, as in `cogs.clicks.game`, which passes the clicks on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.table.commands import (
    AcceptSeat,
    Command,
    DeclineSeat,
    KeepSeat,
    LeaveToComputer,
    OfferSeat,
    TakeOver,
    own_seat,
    require_game,
)
from bot.table.seats import free_seats
from bot.table.state import Game
from bot.text.sentences import sentence
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply, show_hand
from cogs.pages.controls import Click, Page, number, text
from cogs.pages.names import safe
from cogs.pages.seats import answered_offer_page, free_seats_page, leave_page, left_page
from cogs.pages.verbs import Verb


class SeatClicks:
    """Handles the clicks that change who plays; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            Verb.BACK: self.back,
            Verb.TO_COMPUTER: self.to_computer,
            Verb.TO_MEMBER: self.to_member,
            Verb.STAY: self.stay,
            Verb.TAKE_SEAT: self.take_seat,
            Verb.NO_SEAT: self.no_seat,
            Verb.SIT: self.sit,
        }

    async def back(self, click: Click) -> None:
        """I'm back: showing somebody their hand is what brings them back."""
        game, seat = self._seated(click)
        if seat not in game.notes.away:
            raise Refused(Reason.NOT_AWAY)
        await show_hand(self.announcer, click.interaction, game)

    async def to_computer(self, click: Click) -> None:
        """Leave the seat to a computer player."""
        game, _ = self._seated(click)
        name = self.announcer.public(game).say(
            "Computer for {name}", name=click.interaction.user.display_name
        )
        try:
            await self._execute(click, LeaveToComputer(name))
        except Refused as refused:
            await self._ask_again(click, refused)
            return
        await Reply(click.interaction).show(left_page(self.announcer.private(click.interaction)))

    async def to_member(self, click: Click) -> None:
        """Offer the seat to a member."""
        self._seated(click)
        if len(click.users) != 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        (member,) = click.users
        name = safe(member.display_name)
        try:
            if member.bot:
                raise Refused(Reason.MEMBER_IS_BOT, name=name)
            game = await self._execute(click, OfferSeat(member.id, name))
        except Refused as refused:
            await self._ask_again(click, refused)
            return
        words = self.announcer.private(click.interaction)
        note = words.say("{name} is asked. You play on until the answer is yes.", name=name)
        await Reply(click.interaction).show(leave_page(game, words, note))

    async def _ask_again(self, click: Click, refused: Refused) -> None:
        """Say why it is not possible, and let somebody who wants to leave choose again."""
        game, _ = self._seated(click)
        words = self.announcer.private(click.interaction)
        await Reply(click.interaction).show(
            leave_page(game, words, "⚠️ " + sentence(words.say, refused))
        )

    async def stay(self, click: Click) -> None:
        """Take back an offer."""
        await self._execute(click, KeepSeat())
        say = self.announcer.private(click.interaction).say
        await Reply(click.interaction).show(Page(text(say("You stay at the table."))))

    async def take_seat(self, click: Click) -> None:
        """Take a seat that was offered; only then its hand is seen."""
        user = click.interaction.user
        game = await self._execute(click, AcceptSeat(user.display_name, number(click.args)))
        if click.interaction.message is not None:
            page = answered_offer_page(user.id, self.announcer.public(game), taken=True)
            self.announcer.rewrite(game, click.interaction.message.id, page)
        await show_hand(self.announcer, click.interaction, game)

    async def no_seat(self, click: Click) -> None:
        """Say no to a seat that was offered."""
        game = await self._execute(click, DeclineSeat(number(click.args)))
        page = answered_offer_page(click.user_id, self.announcer.public(game), taken=False)
        await Reply(click.interaction).replace(page)

    async def sit(self, click: Click) -> None:
        """Take a computer player's seat; if there are several, one is chosen first."""
        game = require_game(self.bot.tables.get(click.table_id))
        seats = (number(click.values[0]),) if click.values else free_seats(game)
        if len(seats) > 1 and game.between_rounds and game.seat_of(click.user_id) is None:
            words = self.announcer.private(click.interaction)
            await Reply(click.interaction).show(free_seats_page(game, words))
            return
        if not seats:
            raise Refused(Reason.NO_COMPUTER)
        name = click.interaction.user.display_name
        game = await self._execute(click, TakeOver(name, seats[0]))
        await show_hand(self.announcer, click.interaction, game)

    async def _execute(self, click: Click, command: Command) -> Game:
        """Carry out a command at a running match; the game after it."""
        changing = self.bot.tables.execute(click.table_id, click.user_id, command)
        table = await Reply(click.interaction).changing(changing)
        assert isinstance(table, Game)
        self.announcer.catch_up(table, click.user_id)
        return table

    def _seated(self, click: Click) -> tuple[Game, int]:
        """The game and the clicker's own seat."""
        game = require_game(self.bot.tables.get(click.table_id))
        return game, own_seat(game, click.user_id)
