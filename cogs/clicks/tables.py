"""The list of open tables: from the command, and with the buttons on its page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping

from bot.client import TichuBot
from bot.ids import ChannelId, UserId
from bot.table.finding import seats_to_take, turn_ends, waits_for
from bot.table.state import Lobby, OpenTable
from cogs.clicks.click import Click
from cogs.clicks.rights import sees
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.table.open_tables import TablesQuery, read_tables_query, tables_page
from cogs.pages.verbs import Verb


class TablesClicks:
    """Shows the list; what is pressed at one of its tables is in `cogs.clicks.requests`."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {Verb.TABLES: self._turn_to}

    async def _turn_to(self, click: Click) -> None:
        """Another page, other tables, or the same ones as they are now."""
        which, _, rest = click.args.partition(".")
        query = read_tables_query(f"{which}.{rest.partition('.')[0]}")
        await self.show(click.interaction, query)

    async def show(self, interaction: Interaction, query: TablesQuery) -> None:
        """The tables that are asked for, as far as whoever asks may see them."""
        reader = UserId(interaction.user.id)
        if query.which == "mine":
            tables = own_tables(self.bot, reader)
        else:
            tables = joinable(self.bot, interaction, in_channel=query.which == "here")
        elsewhere = {table.guild_id for table in tables} - {interaction.guild_id}
        servers = {
            guild_id: guild.name
            for guild_id in elsewhere
            if (guild := self.bot.get_guild(guild_id)) is not None
        }
        words = self.announcer.private(interaction)
        await Reply(interaction).show(tables_page(tables, query, reader, servers, words))


def joinable(bot: TichuBot, interaction: Interaction, *, in_channel: bool) -> list[OpenTable]:
    """The tables of a server with a seat to take, or only those in this channel and its threads.

    Lobbies come first, and what was opened last. At tables in channels that somebody does not see
    there is no seat for them; nor is there where they sit already.
    """
    reader = UserId(interaction.user.id)
    found = [
        table
        for table in bot.tables.all()
        if table.guild_id == interaction.guild_id
        and (not in_channel or interaction.channel_id in _channels(interaction, table))
        and table.seat_of(reader) is None
        and seats_to_take(table, reader)
        and sees(interaction, table)
    ]
    return sorted(found, key=lambda table: (isinstance(table, Lobby), table.id), reverse=True)


def _channels(interaction: Interaction, table: OpenTable) -> tuple[ChannelId | None, ...]:
    """The channel of a table, and the one to which it belongs if it is a thread.

    An archived thread that people have made is not known: nobody is told there who sees it either.
    """
    thread = interaction.guild and interaction.guild.get_thread(table.channel_id)
    parent_id = ChannelId(thread.parent_id) if thread else None
    return table.channel_id, table.parent_channel_id, parent_id


def own_tables(bot: TichuBot, reader: UserId) -> list[OpenTable]:
    """The tables at which somebody sits, on any server: first those that wait for them.

    Of those the one whose time is over first; then what is played, and last what is paused.
    """

    def order(table: OpenTable) -> tuple[object, ...]:
        ends = turn_ends(table, reader)
        hurry = ends.timestamp() if ends is not None else float("inf")
        return (not waits_for(table, reader), hurry, table.timers.paused, -table.id)

    return sorted(_of(bot, reader), key=order)


def _of(bot: TichuBot, reader: UserId) -> Iterator[OpenTable]:
    return (table for table in bot.tables.all() if table.seat_of(reader) is not None)


def waiting_lobbies(bot: TichuBot, interaction: Interaction, most: int = 3) -> list[Lobby]:
    """Lobbies of the server in which others wait for players: whom one could ask to come over."""
    found = joinable(bot, interaction, in_channel=False)
    lobbies = [table for table in found if isinstance(table, Lobby)]
    return [lobby for lobby in lobbies if any(True for _ in lobby.people())][:most]
