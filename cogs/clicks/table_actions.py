"""Executes commands at a table for its users, and shows their hands, which stay fresh."""

from __future__ import annotations

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import ChannelId, MessageId, TableId
from bot.table.commands import Act, ComeBack, Command
from bot.table.permission import own_seat
from bot.table.presence import comes_back
from bot.table.state import Game, OpenTable
from cogs.clicks.context import ClickContext, Context
from cogs.delivery.channel_permissions import missing_for_thread
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.table_threads import (
    has_own_thread,
    new_thread,
    remove_thread,
    show_in_channel,
    thread_status,
)
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import hand_page
from cogs.pages.table.blocked import permission_names
from cogs.pages.table.seats import watching_page
from engine import Action, Seat


async def execute(ctx: Context, table_id: TableId, command: Command) -> OpenTable:
    """Execute a command for the user; return the table after it.

    Raises what `Tables.execute` raises.
    """
    return await ctx.reply.change(ctx.bot.tables.execute(table_id, ctx.user_id, command))


async def change(ctx: ClickContext, command: Command) -> OpenTable:
    """Execute a command at the table of the click; return the table after it."""
    await _reopen(ctx, ctx.click.table_id)
    return await execute(ctx, ctx.click.table_id, command)


async def execute_beside_hand(ctx: Context, table_id: TableId, command: Command) -> OpenTable:
    """Execute a command whose answer is not the user's hand; refresh the one they have open."""
    table = await execute(ctx, table_id, command)
    ctx.announcer.refresh_hand(table, ctx.user_id)
    return table


async def change_game(ctx: ClickContext, command: Command) -> Game:
    """Execute a command at the match of the click, as `execute_beside_hand` does."""
    await _reopen(ctx, ctx.click.table_id)
    game = await execute_beside_hand(ctx, ctx.click.table_id, command)
    assert isinstance(game, Game)
    return game


async def change_hand(ctx: ClickContext, command: Command) -> None:
    """Execute a command, and show the user's hand."""
    await show_hand(ctx, await change(ctx, command))


async def act(ctx: ClickContext, action: Action) -> None:
    """Take an action that is only legal at the revision of the control, and show the hand."""
    await change_hand(ctx, Act(action, ctx.click.revision))


# --- hands ---------------------------------------------------------------------------------------


async def show_hand(ctx: Context, state: OpenTable, draft: Draft | None = None) -> None:
    """Show the user's hand, and keep it fresh; spectators see what they can do.

    Raise `Refused` where there are no hands: before the match, and for others after it.

    A user who opens their hand is present: if they were away, they are back, and a table that was
    paused because nobody was there goes on. That is checked first, as it takes a request to
    Discord whether the table still has its thread; others wait for no change.
    """
    reply, user_id = ctx.reply, ctx.user_id
    if isinstance(state, Game) and state.running and state.seat_of(user_id) is None:
        await reply.show(watching_page(state, user_id, ctx.words))
        return
    seat = own_seat(state, user_id)
    if not isinstance(state, Game):
        raise Refused(Reason.NOT_STARTED)
    if comes_back(state, user_id):
        await _reopen(ctx, state.id)
        state = await execute(ctx, state.id, ComeBack())
        assert isinstance(state, Game)
    hands, clicked = ctx.announcer.hands, ctx.interaction.message
    page = hand_page(state, seat, ctx.words, draft, hands.blocked_reason(state.id))
    removed = clicked is not None and hands.is_removing(state.id, user_id, MessageId(clicked.id))
    message_id = await (reply.show_beside(page) if removed else reply.show(page))
    keep_fresh(ctx, reply.private_message(message_id), state, seat, draft)


def keep_fresh(
    ctx: Context, shown: PrivateMessage, state: Game, seat: Seat, draft: Draft | None
) -> None:
    """Keep a hand fresh that was shown in this state, unless the match is over."""
    if state.running:
        ctx.announcer.hands.track(shown, state, seat, draft)
    ctx.announcer.refresh_hand(state, shown.user_id)


# --- turn-based tables that lost their thread ----------------------------------------------------


async def _reopen(ctx: Context, table_id: TableId) -> None:
    """Give a paused turn-based table a thread again, if the user may go on there.

    Raise `Refused` if the thread is locked or none can be created, errors of requests, and
    `StorageError`.
    """
    table = ctx.bot.tables.find(table_id)
    if table is None or not table.timers.paused or not has_own_thread(table):
        return
    if table.seat_of(ctx.user_id) is not None:
        gone = await ctx.reply.read(_is_gone(ctx.bot, table))
        if gone:
            await ctx.reply.change(_move(ctx, table))


async def _is_gone(bot: TichuBot, table: Game) -> bool:
    """Return whether the thread was deleted. Raise `Refused` if it is locked."""
    fate = await thread_status(bot, table)
    if fate == "locked":
        raise Refused(Reason.THREAD_LOCKED, channel=f"<#{table.channel_id}>")
    return fate == "gone"


async def _move(ctx: Context, table: Game) -> None:
    """Continue the table in a new thread of the same channel."""
    channel = ctx.bot.get_channel(table.parent_channel_id or 0)
    if not isinstance(channel, discord.TextChannel):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    if missing := missing_for_thread(channel):
        say = ctx.words.say
        names = say.join(permission_names(say)[name] for name in missing)
        raise Refused(Reason.PERMISSIONS, permissions=names, channel=channel.mention)
    name = ctx.public_words(table.guild_id).say("Tichu with {name}", name=_host_name(table))
    thread = await new_thread(channel, name, turn_based=True)
    taken = False
    try:
        moved = await ctx.bot.tables.channels.move(table.id, table.channel_id, ChannelId(thread.id))
        taken = moved.channel_id == thread.id  # else somebody was faster
    finally:
        if taken:
            await show_in_channel(ctx.bot, thread)
        else:
            await remove_thread(thread)


def _host_name(table: Game) -> str:
    """Return the name of the host, or of the first player if the host has left."""
    people = list(table.people())
    names = [chair.name for chair in people if chair.user_id == table.host_id]
    return (names or [chair.name for chair in people])[0]
