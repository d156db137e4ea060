"""Executes commands at a table for its users, and shows their hands and keeps them up to date."""

from __future__ import annotations

import discord

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import ChannelId, MessageId, TableId
from bot.table.commands import Act, ComeBack, Command
from bot.table.permission import own_seat
from bot.table.presence import comes_back
from bot.table.solo_game import SoloGame
from bot.table.state import Game, OpenTable
from bot.text.people import channel_mention
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.solo_results import show_solo_result
from cogs.delivery.channel_permissions import missing_for_thread
from cogs.delivery.hand_pictures import Sent
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.table_threads import (
    has_own_thread,
    new_thread,
    remove_thread,
    show_in_channel,
    thread_status,
)
from cogs.delivery.uploads import Files, PictureEdit, shown_files
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import PicturedHand, hand_page
from cogs.pages.names import label_name
from cogs.pages.table.blocked import permission_names
from cogs.pages.table.seats import watching_page
from engine import Action, Seat


async def execute(ctx: Context, table_id: TableId, command: Command) -> OpenTable:
    """Execute a command of the user; return the table afterwards.

    Raises the errors of `Tables.execute`.
    """
    return await ctx.reply.change(ctx.bot.tables.execute(table_id, ctx.user_id, command))


async def change(ctx: ClickContext, command: Command) -> OpenTable:
    """Execute a command at the table of the click; return the table afterwards.

    Before that, a paused table without its thread gets a new one.
    """
    await _restore_thread(ctx, ctx.click.table_id)
    return await execute(ctx, ctx.click.table_id, command)


async def execute_beside_hand(ctx: Context, table_id: TableId, command: Command) -> OpenTable:
    """Execute a command whose answer is not the user's hand, and refresh their open hand."""
    table = await execute(ctx, table_id, command)
    ctx.announcer.refresh_hand(table, ctx.user_id)
    return table


async def change_game(ctx: ClickContext, command: Command) -> Game:
    """Execute a command at the match of the click, as `execute_beside_hand` does."""
    await _restore_thread(ctx, ctx.click.table_id)
    game = await execute_beside_hand(ctx, ctx.click.table_id, command)
    assert isinstance(game, Game)
    return game


async def change_hand(ctx: ClickContext, command: Command) -> None:
    """Execute a command, and show the user's hand."""
    await show_hand(ctx, await change(ctx, command))


async def act(ctx: ClickContext, action: Action) -> None:
    """Take an action that is legal only at the revision of the control, and show the hand."""
    await change_hand(ctx, Act(action, ctx.click.revision))


# --- hands ---------------------------------------------------------------------------------------


async def show_hand(ctx: Context, state: OpenTable, draft: Draft | None = None) -> None:
    """Show the user's hand, and keep it up to date; show spectators what they can do.

    Raise `Refused` before the match, and for spectators after it, because there is no hand.

    A user who opens their hand is present. If they were away, they come back, and a table that was
    paused because nobody was present goes on. Only a user who comes back costs a command, and a
    request to Discord that checks the table's thread.
    """
    reply, user_id = ctx.reply, ctx.user_id
    if isinstance(state, Game) and state.running and state.seat_of(user_id) is None:
        await reply.show(watching_page(state, user_id, ctx.words))
        return
    seat = own_seat(state, user_id)
    if not isinstance(state, Game):
        raise Refused(Reason.NOT_STARTED)
    if isinstance(state, SoloGame) and not state.running:
        await show_solo_result(ctx, state)
        return
    if comes_back(state, user_id):
        await _restore_thread(ctx, state.id)
        state = await execute(ctx, state.id, ComeBack())
        assert isinstance(state, Game)
    message_id = await _show_with_picture(ctx, state, seat, draft)
    track_hand(ctx, reply.private_message(message_id), state, seat, draft)


async def _show_with_picture(
    ctx: Context, state: Game, seat: Seat, draft: Draft | None
) -> MessageId:
    """Answer with a hand, in place of the clicked private page; return its message."""
    reply, hands, message = ctx.reply, ctx.announcer.hands, ctx.interaction.message
    clicked = None
    if message is not None and reply.on_private_page:
        clicked = MessageId(message.id), shown_files(message)
    # A hand that is being removed, because it has moved, cannot be replaced.
    is_removed = clicked is not None and hands.is_removing(state.id, ctx.user_id, clicked[0])
    edited_id = None if clicked is None or is_removed else clicked[0]

    async def send(picture: PicturedHand | None, files: Files) -> Sent:
        page = hand_page(state, seat, ctx.words, draft, hands.blocked_reason(state.id), picture)
        show = reply.show_beside if is_removed else reply.show
        return await show(page, files), reply.files

    kind = PictureEdit.UPLOAD if reply.has_response else PictureEdit.ANSWER
    return await hands.answer(
        state,
        seat,
        ctx.user_id,
        ctx.words,
        send,
        edited_id=edited_id,
        clicked=clicked,
        kind=kind,
        draws=not reply.is_expired,
    )


def track_hand(
    ctx: Context, message: PrivateMessage, state: Game, seat: Seat, draft: Draft | None
) -> None:
    """Keep a hand up to date that was shown in this state, unless the match is over."""
    if state.running:
        ctx.announcer.hands.track(message, state, seat, draft)
    ctx.announcer.refresh_hand(state, message.user_id)


# --- turn-based tables that lost their thread ----------------------------------------------------


async def _restore_thread(ctx: Context, table_id: TableId) -> None:
    """Move a paused turn-based table to a new thread if its own thread was deleted.

    Do so only for a user who sits there. Raise `Refused` if the thread is locked or none can be
    created, errors of requests, and `StorageError`.
    """
    table = ctx.bot.tables.find(table_id)
    if table is None or not table.timers.paused or not has_own_thread(table):
        return
    if table.seat_of(ctx.user_id) is not None:
        was_deleted = await ctx.reply.read(_was_deleted(ctx.bot, table))
        if was_deleted:
            await ctx.reply.change(_move(ctx, table))


async def _was_deleted(bot: TichuBot, table: Game) -> bool:
    """Return whether the thread was deleted. Raise `Refused` if it is locked."""
    status = await thread_status(bot, table)
    if status == "locked":
        raise Refused(Reason.THREAD_LOCKED, channel=channel_mention(table.channel_id))
    return status == "gone"


async def _move(ctx: Context, table: Game) -> None:
    """Move the table to a new thread of the same channel.

    If another player's click has moved it meanwhile, remove the new thread.
    """
    channel = ctx.bot.get_channel(table.parent_channel_id or 0)
    if not isinstance(channel, discord.TextChannel):
        raise Refused(Reason.NO_SUCH_CHANNEL)
    if missing := missing_for_thread(channel):
        say = ctx.words.say
        names = say.join(permission_names(say)[name] for name in missing)
        raise Refused(Reason.PERMISSIONS, permissions=names, channel=channel_mention(channel.id))
    words = ctx.public_words(table.guild_id)
    name = words.say("Tichu with {name}", name=label_name(table, _host_seat(table), words))
    thread = await new_thread(channel, name, turn_based=True)
    is_used = False
    try:
        moved = await ctx.bot.tables.channels.move(table.id, table.channel_id, ChannelId(thread.id))
        is_used = moved.channel_id == thread.id
    finally:
        if is_used:
            await show_in_channel(ctx.bot, thread)
        else:
            await remove_thread(thread)


def _host_seat(table: Game) -> Seat:
    """Return the seat of the host, or of the first player if the host has left."""
    people = list(table.people())
    seats = [chair.seat for chair in people if chair.user_id == table.host_id]
    return (seats or [chair.seat for chair in people])[0]
