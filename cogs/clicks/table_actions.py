"""Answers that carry a request out, or show a hand that is kept fresh from then on."""

from __future__ import annotations

from bot.errors import Reason, Refused
from bot.ids import TableId
from bot.table.commands import ComeBack, Command
from bot.table.permission import own_seat
from bot.table.presence import comes_back
from bot.table.state import Game, OpenTable
from cogs.clicks.reopening import is_gone, may_be_closed, move_table
from cogs.delivery.announcer import Announcer
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import hand_page
from cogs.pages.table.seats import watching_page
from engine import Seat


async def reopen(announcer: Announcer, interaction: Interaction, table_id: TableId) -> None:
    """Let a paused turn-based table have a thread again, if whoever has clicked may go on there.

    Raises what `is_gone` and `move_table` raise.
    """
    table, reply = announcer.bot.tables.find(table_id), Reply(interaction)
    if may_be_closed(table, interaction.user.id):
        gone = await reply.reading(is_gone(announcer.bot, table))
        if gone:
            await reply.changing(move_table(announcer, interaction, table))


async def carried_out(
    announcer: Announcer, interaction: Interaction, table: OpenTable, command: Command
) -> OpenTable:
    """The table after what somebody asks of it; their open hand is renewed.

    Raises what `Tables.execute` raises.
    """
    changing = announcer.bot.tables.execute(table.id, interaction.user.id, command)
    after = await Reply(interaction).changing(changing)
    announcer.catch_up(after, interaction.user.id)
    return after


async def show_hand(
    announcer: Announcer, interaction: Interaction, state: OpenTable, draft: Draft | None = None
) -> None:
    """The clicker's hand, kept fresh from now on; who only watches sees what they can do.

    `Refused` where there are no hands: before the match, and for others after it.

    Whoever looks at their hand is there: if they were away, they are back, and a table that was
    paused because nobody was there goes on. That is asked before, as Discord then has to say
    whether the table still has its thread; and whoever is there waits for nobody's change.
    """
    reply, user_id = Reply(interaction), interaction.user.id
    if isinstance(state, Game) and state.running and state.seat_of(user_id) is None:
        await reply.show(watching_page(state, user_id, announcer.private(interaction)))
        return
    seat = own_seat(state, user_id)
    if not isinstance(state, Game):
        raise Refused(Reason.NOT_STARTED)
    if comes_back(state, user_id):
        await reopen(announcer, interaction, state.id)
        coming_back = announcer.bot.tables.execute(state.id, user_id, ComeBack())
        state = await reply.changing(coming_back)
        assert isinstance(state, Game)
    words, blocked = announcer.private(interaction), announcer.hands.why_blocked(state.id)
    clicked, page = interaction.message, hand_page(state, seat, words, draft, blocked)
    removed = clicked is not None and announcer.hands.removes(state.id, user_id, clicked.id)
    message_id = await (reply.show_beside(page) if removed else reply.show(page))
    keep_fresh(announcer, reply.private_message(message_id), state, seat, draft)


def keep_fresh(
    announcer: Announcer, shown: PrivateMessage, state: Game, seat: Seat, draft: Draft | None
) -> None:
    """Keep a hand fresh from now on: it was shown in this state, unless the match is over."""
    if state.running:
        announcer.hands.opened(shown, state, seat, draft)
    announcer.catch_up(state, shown.user_id)
