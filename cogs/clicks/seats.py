"""Clicks on who sits where in a running match: be back, leave, hand a seat over, sit down.

Every verb is a method here, as in `cogs.clicks.game`, which passes the clicks on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.client import TichuBot
from bot.errors import Refused
from bot.table.seats import free_seats
from bot.table.state import TableState
from bot.text.sentences import sentence
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply, show_hand
from cogs.pages.controls import Click, Page, number, text
from cogs.pages.names import safe
from cogs.pages.seats import answered_offer_page, free_seats_page, leave_page, left_page
from engine.state import Phase


class SeatClicks:
    """Handles the clicks that change who plays; refusals are raised."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
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
            raise Refused("not-away")
        await show_hand(self.announcer, click.interaction, state)

    async def to_computer(self, click: Click) -> None:
        state, _ = self._seated(click)
        user = click.interaction.user
        name = self.announcer.public(state).say("Computer for {name}", name=user.display_name)
        leaving = self.bot.tables.leave_to_computer(click.table_id, user.id, name)
        try:
            await Reply(click.interaction).changing(leaving)
        except Refused as refused:
            await self._ask_again(click, refused)
            return
        await Reply(click.interaction).show(left_page(self.announcer.private(click.interaction)))

    async def to_member(self, click: Click) -> None:
        self._seated(click)
        if len(click.users) != 1:
            raise Refused("unknown-button")
        user, (member,) = click.interaction.user, click.users
        name = safe(member.display_name)
        try:
            if member.bot:
                raise Refused("member-is-bot", name=name)
            offering = self.bot.tables.offer_seat(click.table_id, user.id, member.id, name)
            state = await Reply(click.interaction).changing(offering)
        except Refused as refused:
            await self._ask_again(click, refused)
            return
        to = self.announcer.private(click.interaction)
        note = to.say("{name} is asked. You play on until the answer is yes.", name=name)
        await Reply(click.interaction).show(leave_page(state, to, note))

    async def _ask_again(self, click: Click, refused: Refused) -> None:
        """Say why it is not possible, and let somebody who wants to leave choose again."""
        state, _ = self._seated(click)
        to = self.announcer.private(click.interaction)
        await Reply(click.interaction).show(leave_page(state, to, "⚠️ " + sentence(to.say, refused)))

    async def stay(self, click: Click) -> None:
        await Reply(click.interaction).changing(
            self.bot.tables.keep_seat(click.table_id, click.interaction.user.id),
        )
        say = self.announcer.private(click.interaction).say
        await Reply(click.interaction).show(Page(text(say("You stay at the table."))))

    async def take_seat(self, click: Click) -> None:
        """Whom a seat was offered to takes it, and only then sees its hand."""
        user, seat = click.interaction.user, number(click.args)
        state = await Reply(click.interaction).changing(
            self.bot.tables.accept_seat(click.table_id, user.id, user.display_name, seat),
        )
        if click.interaction.message is not None:
            page = answered_offer_page(user.id, self.announcer.public(state), taken=True)
            self.announcer.rewrite(state, click.interaction.message.id, page)
        await show_hand(self.announcer, click.interaction, state)

    async def no_seat(self, click: Click) -> None:
        user, seat = click.interaction.user, number(click.args)
        state = await Reply(click.interaction).changing(
            self.bot.tables.decline_seat(click.table_id, user.id, seat)
        )
        page = answered_offer_page(user.id, self.announcer.public(state), taken=False)
        await Reply(click.interaction).replace(page)

    async def sit(self, click: Click) -> None:
        """A newcomer takes a computer player's seat; if there are several, he chooses."""
        state, user = self.bot.tables.get(click.table_id), click.interaction.user
        if state.seat_of(user.id) is not None:
            raise Refused("already-seated")
        if state.phase is not Phase.ROUND_END:
            raise Refused("between-rounds-only")
        seats = free_seats(state)
        if click.values:
            seats = (number(click.values[0]),)
        if not seats:
            raise Refused("no-computer")
        if len(seats) > 1:
            to = self.announcer.private(click.interaction)
            await Reply(click.interaction).show(free_seats_page(state, to))
            return
        state = await Reply(click.interaction).changing(
            self.bot.tables.take_over(click.table_id, user.id, user.display_name, seats[0]),
        )
        await show_hand(self.announcer, click.interaction, state)

    def _seated(self, click: Click) -> tuple[TableState, int]:
        """The table and the clicker's own seat."""
        state = self.bot.tables.get(click.table_id)
        seat = state.seat_of(click.interaction.user.id)
        if seat is None:
            raise Refused("not-seated")
        return state, seat
