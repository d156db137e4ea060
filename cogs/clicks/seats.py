"""Clicks on who sits where in a running match: be back, leave, hand a seat over, sit down.

Every verb is a method here, as in `cogs.clicks.game`, which passes the clicks on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.table.seats import free_seats
from bot.table.state import TableState
from bot.text.sentences import sentence
from cogs.delivery.announcer import Surface
from cogs.delivery.replies import in_time, replace, show, show_hand
from cogs.pages.controls import Click, Page, number, text
from cogs.pages.names import safe
from cogs.pages.seats import answered_offer_page, free_seats_page, leave_page, left_page
from engine.state import Phase


class SeatClicks:
    """Handles the clicks that change who plays; refusals are raised."""

    def __init__(self, bot: TichuBot, surface: Surface) -> None:
        self.bot = bot
        self.surface = surface
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {
            "back": self.back,
            "to-computer": self.to_computer,
            "to-member": self.to_member,
            "stay": self.stay,
            "take-seat": self.take_seat,
            "no-seat": self.no_seat,
            "sit": self.sit,
        }

    async def back(self, click: Click) -> None:
        """I'm back: showing somebody his hand is what brings him back."""
        state, seat = self._seated(click)
        if seat not in state.desk.away:
            raise Refused(Reason.NOT_AWAY)
        await show_hand(self.surface, click.interaction, state)

    async def to_computer(self, click: Click) -> None:
        state, _ = self._seated(click)
        user = click.interaction.user
        name = self.surface.public(state).say("Computer for {name}", name=user.display_name)
        leaving = self.bot.tables.leave_to_computer(click.table_id, user.id, name)
        try:
            await in_time(click.interaction, leaving)
        except Refused as refused:
            await self._ask_again(click, refused)
            return
        await show(click.interaction, left_page(self.surface.private(click.interaction)))

    async def to_member(self, click: Click) -> None:
        _, seat = self._seated(click)
        if len(click.users) != 1:
            raise Refused(Reason.UNKNOWN_BUTTON)
        user, (member,) = click.interaction.user, click.users
        name = safe(member.display_name)
        try:
            if member.bot:
                raise Refused(Reason.MEMBER_IS_BOT, name=name)
            offering = self.bot.tables.offer_seat(click.table_id, user.id, member.id, name)
            state = await in_time(click.interaction, offering)
        except Refused as refused:
            await self._ask_again(click, refused)
            return
        self.surface.offer(state, seat, member.id)
        to = self.surface.private(click.interaction)
        note = to.say("{name} is asked. You play on until the answer is yes.", name=name)
        await show(click.interaction, leave_page(state, to, note))

    async def _ask_again(self, click: Click, refused: Refused) -> None:
        """Say why it is not possible, and let somebody who wants to leave choose again."""
        state, _ = self._seated(click)
        to = self.surface.private(click.interaction)
        await show(click.interaction, leave_page(state, to, "⚠️ " + sentence(to.say, refused)))

    async def stay(self, click: Click) -> None:
        await in_time(
            click.interaction,
            self.bot.tables.keep_seat(click.table_id, click.interaction.user.id),
        )
        say = self.surface.private(click.interaction).say
        await show(click.interaction, Page(text(say("You stay at the table."))))

    async def take_seat(self, click: Click) -> None:
        """Whom a seat was offered to takes it, and only then sees its hand."""
        user, seat = click.interaction.user, number(click.args)
        state = await in_time(
            click.interaction,
            self.bot.tables.accept_seat(click.table_id, user.id, user.display_name, seat),
        )
        if click.interaction.message is not None:
            page = answered_offer_page(user.id, self.surface.public(state), taken=True)
            self.surface.rewrite(state, click.interaction.message.id, page)
        await show_hand(self.surface, click.interaction, state)

    async def no_seat(self, click: Click) -> None:
        user, seat = click.interaction.user, number(click.args)
        state = await in_time(
            click.interaction, self.bot.tables.decline_seat(click.table_id, user.id, seat)
        )
        page = answered_offer_page(user.id, self.surface.public(state), taken=False)
        await replace(click.interaction, page)

    async def sit(self, click: Click) -> None:
        """A newcomer takes a computer player's seat; if there are several, he chooses."""
        state, user = self.bot.tables.get(click.table_id), click.interaction.user
        if state.seat_of(user.id) is not None:
            raise Refused(Reason.ALREADY_SEATED)
        if state.phase is not Phase.ROUND_END:
            raise Refused(Reason.BETWEEN_ROUNDS_ONLY)
        seats = free_seats(state)
        if click.values:
            seats = (number(click.values[0]),)
        if not seats:
            raise Refused(Reason.NO_COMPUTER)
        if len(seats) > 1:
            to = self.surface.private(click.interaction)
            await show(click.interaction, free_seats_page(state, to))
            return
        state = await in_time(
            click.interaction,
            self.bot.tables.take_over(click.table_id, user.id, user.display_name, seats[0]),
        )
        await show_hand(self.surface, click.interaction, state)

    def _seated(self, click: Click) -> tuple[TableState, int]:
        """The table and the clicker's own seat."""
        state = self.bot.tables.get(click.table_id)
        seat = state.seat_of(click.interaction.user.id)
        if seat is None:
            raise Refused(Reason.NOT_SEATED)
        return state, seat
