"""The list of open tables: from the command, and with the buttons on its page."""

from __future__ import annotations

from collections.abc import Iterator

from bot.client import TichuBot
from bot.ids import ChannelId, UserId
from bot.table.inviting import available_seat_count, is_awaited, turn_end
from bot.table.state import Lobby, OpenTable
from cogs.clicks.context import ClickContext, Context
from cogs.clicks.limits import PAGE
from cogs.clicks.registry import Where, Who, control
from cogs.clicks.rights import sees
from cogs.delivery.replies import Interaction
from cogs.pages.table.open_tables import TablesQuery, read_tables_query, tables_page
from cogs.pages.verbs import Verb


@control(Verb.TABLES, who=Who.ANYBODY, where=Where.SERVER, cost=PAGE)
async def turn_to_tables(ctx: ClickContext) -> None:
    """Show another page, other tables, or the same ones as they are now."""
    which, _, rest = ctx.click.args.partition(".")
    await show_tables(ctx, read_tables_query(f"{which}.{rest.partition('.')[0]}"))


async def show_tables(ctx: Context, query: TablesQuery) -> None:
    """Show the requested tables, as far as the user may see them."""
    if query.which == "mine":
        tables = own_tables(ctx.bot, ctx.user_id)
    else:
        tables = joinable(ctx, in_channel=query.which == "here")
    elsewhere = {table.guild_id for table in tables} - {ctx.interaction.guild_id}
    servers = {
        guild_id: guild.name
        for guild_id in elsewhere
        if (guild := ctx.bot.get_guild(guild_id)) is not None
    }
    await ctx.reply.show(tables_page(tables, query, ctx.user_id, servers, ctx.words))


def joinable(ctx: Context, *, in_channel: bool) -> list[OpenTable]:
    """Return the tables of a server with a free seat, or only those in this channel.

    Lobbies come first, and what was opened last. At tables in channels that somebody does not see
    there is no seat for them; nor is there where they sit already.
    """
    reader, interaction = ctx.user_id, ctx.interaction
    found = [
        table
        for table in ctx.bot.tables.all()
        if table.guild_id == interaction.guild_id
        and (not in_channel or interaction.channel_id in _channels(interaction, table))
        and table.seat_of(reader) is None
        and available_seat_count(table, reader)
        and sees(interaction, table)
    ]
    return sorted(found, key=lambda table: (isinstance(table, Lobby), table.id), reverse=True)


def _channels(interaction: Interaction, table: OpenTable) -> tuple[ChannelId | None, ...]:
    """Return the channel of a table, and its parent if it is a thread.

    An archived thread that people have made is unknown, also to permission checks.
    """
    thread = interaction.guild and interaction.guild.get_thread(table.channel_id)
    parent_id = ChannelId(thread.parent_id) if thread else None
    return table.channel_id, table.parent_channel_id, parent_id


def own_tables(bot: TichuBot, reader: UserId) -> list[OpenTable]:
    """Return the tables of a user on any server: first those that wait for them.

    Of those the one whose time is over first; then what is played, and last what is paused.
    """

    def order(table: OpenTable) -> tuple[object, ...]:
        ends = turn_end(table, reader)
        hurry = ends.timestamp() if ends is not None else float("inf")
        return (not is_awaited(table, reader), hurry, table.timers.paused, -table.id)

    return sorted(_of(bot, reader), key=order)


def _of(bot: TichuBot, reader: UserId) -> Iterator[OpenTable]:
    return (table for table in bot.tables.all() if table.seat_of(reader) is not None)


def waiting_lobbies(ctx: Context, most: int = 3) -> list[Lobby]:
    """Return lobbies of the server in which other people wait for players."""
    found = joinable(ctx, in_channel=False)
    lobbies = [table for table in found if isinstance(table, Lobby)]
    return [lobby for lobby in lobbies if any(True for _ in lobby.people())][:most]
