"""The list of open tables, for the command and for the buttons on its page."""

from __future__ import annotations

from collections.abc import Iterator

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.ids import ChannelId, UserId
from bot.table.inviting import available_seat_count, is_awaited, turn_end
from bot.table.state import Game, Lobby, OpenTable
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.rights import sees
from cogs.clicks.table_actions import show_hand
from cogs.delivery.replies import Interaction
from cogs.pages.table.open_tables import TablesQuery, read_tables_query, tables_page
from cogs.pages.verbs import Verb


@control(Verb.TABLES, who=Who.ANYBODY, where=Where.ANYWHERE, cost=PAGE)
async def turn_to_tables(ctx: ClickContext) -> None:
    """Show another page of the list, another list, or the same page again."""
    list_and_page = ctx.click.args.split(".")[:2]  # a third part only makes buttons differ
    await show_tables(ctx, read_tables_query(".".join(list_and_page)))


async def show_running_hand(ctx: Context) -> None:
    """Show the user's hand at the match they play, or a list if there are several or none."""
    games = [table for table in own_tables(ctx.bot, ctx.user_id) if isinstance(table, Game)]
    if len(games) == 1:
        await show_hand(ctx, games[0])
    else:
        await show_tables(ctx, TablesQuery("mine"))


async def show_tables(ctx: Context, query: TablesQuery) -> None:
    """Show the requested tables that the user may see."""
    elsewhere: list[ChannelId] = []
    if query.which == "mine":
        tables = own_tables(ctx.bot, ctx.user_id)
        elsewhere = await _channels_of_other_processes(ctx)
    elif not ctx.guild_id:
        raise Refused(Reason.SERVERS_ONLY)
    else:
        tables = joinable_tables(ctx, in_channel=query.which == "here")
    other_ids = {table.guild_id for table in tables} - {ctx.guild_id}
    servers = {
        guild_id: guild.name
        for guild_id in other_ids
        if (guild := ctx.bot.get_guild(guild_id)) is not None
    }
    on_server, reader = bool(ctx.guild_id), ctx.user_id
    page = tables_page(tables, query, reader, servers, ctx.words, elsewhere, on_server=on_server)
    await ctx.reply.show(page)


async def _channels_of_other_processes(ctx: Context) -> list[ChannelId]:
    """Return the channels of the user's tables on servers that other processes serve."""
    if not ctx.bot.leases.shared:
        return []
    tables = await ctx.reply.read(ctx.bot.store.tables.open_of(ctx.user_id))
    return [table.channel_id for table in tables if not ctx.bot.leases.serves(table.guild_id)]


def joinable_tables(ctx: Context, *, in_channel: bool) -> list[OpenTable]:
    """Return the tables of the server, or of the channel, that the user can join.

    They have a free seat, are visible to the user, and the user does not sit there yet. Lobbies
    come before matches, and newer tables before older ones.
    """
    reader, interaction = ctx.user_id, ctx.interaction
    tables = [
        table
        for table in ctx.bot.tables.all()
        if table.guild_id == ctx.guild_id
        and (not in_channel or interaction.channel_id in _channels(interaction, table))
        and table.seat_of(reader) is None
        and available_seat_count(table, reader)
        and sees(interaction, table)
    ]
    return sorted(tables, key=lambda table: (isinstance(table, Lobby), table.id), reverse=True)


def _channels(interaction: Interaction, table: OpenTable) -> tuple[ChannelId | None, ...]:
    """Return the channel of a table, and its parent channel if it is a thread.

    The parent is stored for threads that the bot has created, and otherwise found in the cache.
    """
    thread = interaction.guild and interaction.guild.get_thread(table.channel_id)
    parent_id = ChannelId(thread.parent_id) if thread else None
    return table.channel_id, table.parent_channel_id, parent_id


def own_tables(bot: TichuBot, reader: UserId) -> list[OpenTable]:
    """Return the tables of a user on all servers.

    First come the tables that wait for the user, sorted by the end of the turn, then other running
    tables, and last paused ones.
    """

    def order(table: OpenTable) -> tuple[object, ...]:
        end = turn_end(table, reader)
        end_time = end.timestamp() if end is not None else float("inf")
        return (not is_awaited(table, reader), end_time, table.timers.paused, -table.id)

    return sorted(_tables_of(bot, reader), key=order)


def _tables_of(bot: TichuBot, reader: UserId) -> Iterator[OpenTable]:
    return (table for table in bot.tables.all() if table.seat_of(reader) is not None)


def waiting_lobbies(ctx: Context, most: int = 3) -> list[Lobby]:
    """Return up to `most` lobbies of the server in which other people wait for players."""
    tables = joinable_tables(ctx, in_channel=False)
    lobbies = [table for table in tables if isinstance(table, Lobby)]
    return [lobby for lobby in lobbies if any(True for _ in lobby.people())][:most]
