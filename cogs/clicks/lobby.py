"""Controls of a lobby, and of the private pages that it opens: options, and seats for the host."""

from __future__ import annotations

from collections.abc import Callable

from bot.errors import Reason, Refused, Stale
from bot.ids import MessageId
from bot.table.commands import (
    AddComputer,
    ChangeOption,
    ChangeOptions,
    CheckIn,
    Command,
    Fill,
    Join,
    Leave,
    Remove,
    Start,
    SwapSeats,
)
from bot.table.lobby import require_host
from bot.table.permission import require_lobby
from bot.table.restore import restore_outline
from bot.table.state import Lobby, OpenTable
from bot.text.people import channel_mention
from bot.text.sentences import sentence
from cogs.clicks.absent_hosts import replace_host
from cogs.clicks.click import Click
from cogs.clicks.context import ClickContext
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.table_actions import change
from cogs.pages.controls import read_number
from cogs.pages.table.lobby import closed_page, seats_page
from cogs.pages.table.lobby_options import options_form, options_page, read_choices
from cogs.pages.verbs import Verb

_ON_LOBBY = frozenset(
    {Verb.JOIN, Verb.LEAVE, Verb.FILL, Verb.START, Verb.CHECK_IN}
    | {Verb.SWAP, Verb.OPTIONS, Verb.MORE}
)
"""Verbs of the controls on the lobby message itself."""

# --- the lobby message ---------------------------------------------------------------------------


@control(Verb.JOIN, who=Who.ANYBODY, where=Where.TABLE_SERVER)
async def join(ctx: ClickContext) -> None:
    """Take a seat in the team that the button names, or else any seat."""
    team = read_number(ctx.click.args) if ctx.click.args else None
    table = await change(ctx, Join(ctx.interaction.user.display_name, team))
    if ctx.on_public_message(table):
        await _show_lobby(ctx, table)
    else:
        await _answer_joined(ctx, table)


@control(Verb.COME, who=Who.ANYBODY, where=Where.TABLE_SERVER)
async def come(ctx: ClickContext) -> None:
    """Take a seat, from an invitation or from the list of tables."""
    await _answer_joined(ctx, await change(ctx, Join(ctx.interaction.user.display_name)))


@control(Verb.LEAVE, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def leave(ctx: ClickContext) -> None:
    """Leave the lobby."""
    await _show_lobby(ctx, await change(ctx, Leave()))


@control(Verb.CHECK_IN, who=Who.SEATED, where=Where.TABLE_CHANNEL)
async def check_in(ctx: ClickContext) -> None:
    """Be there, at the table of an event."""
    await _show_lobby(ctx, await change(ctx, CheckIn()))


@control(Verb.FILL, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def fill(ctx: ClickContext) -> None:
    """Fill the free seats with computers."""
    await _show_lobby(ctx, await _as_host(ctx, Fill()))


@control(Verb.START, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def start(ctx: ClickContext) -> None:
    """Start the match, if the bot may write in its channel."""
    ctx.check_channel(ctx.table.channel_id)
    await _show_lobby(ctx, await _as_host(ctx, Start()))


async def _as_host(ctx: ClickContext, command: Command) -> OpenTable:
    """Execute a command of the host; a host who has left the server is replaced first."""
    table = ctx.table
    try:
        return await change(ctx, command)
    except Refused as refused:
        if refused.code is not Reason.HOST_ONLY or table.seat_of(ctx.user_id) is None:
            raise
        if not await replace_host(ctx, table):
            raise
    return await change(ctx, command)


async def _show_lobby(ctx: ClickContext, table: OpenTable) -> None:
    """Show the changed lobby in place of the clicked one.

    If the lobby is over, the event of the change has already scheduled a rewrite of its message.
    """
    message = ctx.interaction.message
    if isinstance(table, Lobby) and table.open and message is not None:
        table = await ctx.announcer.replace_clicked_lobby(
            table, ctx.reply.replace, MessageId(message.id)
        )
    else:
        await ctx.reply.acknowledge()
    if message is not None:
        await ctx.announcer.update_after_lobby_click(table, MessageId(message.id))


async def _answer_joined(ctx: ClickContext, table: OpenTable) -> None:
    """Answer a user who has joined from elsewhere with the channel of the table."""
    ctx.announcer.rewrite_lobby(table)
    channel, say = channel_mention(table.channel_id), ctx.words.say
    await ctx.reply.send_text(say("You're at the table in {channel}.", channel=channel))


async def show_closed(ctx: ClickContext) -> None:
    """Rewrite a clicked lobby message to show that the lobby is over.

    Usually it shows that already, but the bot may have stopped before the message was edited.
    """
    message = ctx.interaction.message
    if message is None or ctx.click.verb not in _ON_LOBBY:
        return
    record = await ctx.reply.read(ctx.bot.store.tables.get(ctx.click.table_id))
    if record is not None and record.lobby_message_id == message.id:
        page = closed_page(restore_outline(record), ctx.public_words(record.guild_id))
        await ctx.reply.replace(page)


# --- options -------------------------------------------------------------------------------------


@control(Verb.OPTIONS, who=Who.ANYBODY, where=Where.TABLE_CHANNEL)
async def options(ctx: ClickContext) -> None:
    """Open the form of the most used options for the host; show all options to other users."""
    table = require_lobby(ctx.table)
    form = options_form(table, ctx.words) if ctx.user_id == table.host_id else None
    if form is None or not await ctx.reply.show_form(form):
        await show_options(ctx, table)


@control(Verb.SET_OPTIONS, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def set_options(ctx: ClickContext) -> None:
    """Change the options to those of the submitted form.

    If the options have changed since the form was opened, only show them.
    """
    click, lobby = ctx.click, require_lobby(ctx.table)
    if not click.values:
        raise Refused(Reason.UNKNOWN_BUTTON)
    choices = read_choices(click.values, lobby.options, ctx.words)
    try:
        table = await _as_host(ctx, ChangeOptions(choices, click.args))
    except Refused as refused:
        if refused.code is not Reason.CHOSEN_MEANWHILE:
            raise
        await show_options(ctx, lobby, "⚠️ " + sentence(ctx.words.say, refused))
        return
    if ctx.on_public_message(table):
        await _show_lobby(ctx, table)
    else:
        await show_options(ctx, table)
        ctx.announcer.rewrite_lobby(table)


@control(Verb.OPTION, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def option(ctx: ClickContext) -> None:
    """Change an option."""
    name, _, value = ctx.click.chosen.partition(".")
    table = await _as_host(ctx, ChangeOption(name, value))
    await show_options(ctx, table)
    ctx.announcer.rewrite_lobby(table)


async def show_options(ctx: ClickContext, table: OpenTable, note: str = "") -> None:
    """Show all options: the host can change them, everybody else can read them."""
    await ctx.reply.show(options_page(require_lobby(table), ctx.user_id, ctx.words, note))


# --- seats ---------------------------------------------------------------------------------------


@control(Verb.SWAP, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def swap(ctx: ClickContext) -> None:
    """Swap the two chosen seats; without a choice, show the page of the seats."""
    await _change_seats(ctx, _swap)


@control(Verb.ADD_COMPUTER, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def add_computer(ctx: ClickContext) -> None:
    """Put a computer on the chosen seat."""
    await _change_seats(ctx, lambda click: AddComputer(read_number(click.chosen), click.revision))


@control(Verb.REMOVE, who=Who.HOST, where=Where.TABLE_CHANNEL)
async def remove(ctx: ClickContext) -> None:
    """Free the chosen seat."""
    await _change_seats(ctx, lambda click: Remove(read_number(click.chosen), click.revision))


def _swap(click: Click) -> Command:
    if len(click.values) != 2:
        raise Refused(Reason.UNKNOWN_BUTTON)
    first, second = click.values
    return SwapSeats(read_number(first), read_number(second), click.revision)


async def _change_seats(ctx: ClickContext, command_of: Callable[[Click], Command]) -> None:
    """Execute the command for the chosen seats, and show the page of the seats.

    Without a choice, or if the lobby has changed since the page was made, only show the page.
    """
    note = ""
    if ctx.click.values:
        try:
            table = await _as_host(ctx, command_of(ctx.click))
            await ctx.reply.show(seats_page(require_lobby(table), ctx.words))
            ctx.announcer.rewrite_lobby(table)
            return
        except Stale:
            note = ctx.words.say("The table has just changed. Look again:")
    lobby = require_lobby(ctx.table)
    require_host(lobby, ctx.user_id)
    await ctx.reply.show(seats_page(lobby, ctx.words, note))
