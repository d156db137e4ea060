"""Private lists of open tables: those with a free seat, and the reader's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import discord

from bot.ids import ChannelId, GuildId, UserId
from bot.records import Count
from bot.table.inviting import available_seat_count, computer_partners, is_awaited, turn_end
from bot.table.state import Game, Lobby, OpenTable
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.options import game_title, length, round_name, turn_limit
from bot.text.people import channel_mention
from cogs.pages.controls import Controls, Page, Part, line, link, read_number, row, text
from cogs.pages.names import safe, seat_name
from cogs.pages.verbs import Verb
from engine import NotationError, Seat

TableList = Literal["here", "server", "mine"]
"""Tables of this channel, of this server, or the reader's own tables anywhere."""
PER_PAGE = 6
_MOST_NAMES = 6
"""Largest number of people named at a table; the others are counted."""
_CONTROLS = Controls()


class TablesQuery(NamedTuple):
    """A page of a list of tables."""

    which: TableList = "server"
    """The kind of list."""
    page: Count = 0
    """The page, from 0."""

    def __str__(self) -> str:
        return f"{self.which}.{self.page}"


def read_tables_query(text: str) -> TablesQuery:
    """Parse the text of a query; raise `NotationError` for a forged one."""
    name, _, page = text.partition(".")
    for which in get_args(TableList):
        if which == name:
            return TablesQuery(which, read_number(page or "0"))
    raise NotationError("not a list of tables")


TITLES: Mapping[TableList, Callable[[Say], str]] = {
    "here": lambda say: say("Tables in this channel"),
    "server": lambda say: say("Tables on this server"),
    "mine": lambda say: say("Your tables"),
}
_TABS: Mapping[TableList, Callable[[Say], str]] = {
    # Translators: in this channel
    "here": lambda say: say("Here"),
    "server": lambda say: say("This server"),
    # Translators: the tables at which I sit
    "mine": lambda say: say("Mine"),
}


def tables_page(
    tables: Sequence[OpenTable],
    query: TablesQuery,
    reader: UserId,
    servers: Mapping[GuildId, str],
    words: Speaker,
    elsewhere: Sequence[ChannelId] = (),
    *,
    on_server: bool = True,
) -> Page:
    """Return one page of a list of tables, in the order of `tables`.

    A page number that is too large shows the last page. `servers` are the names of other servers at
    whose tables the reader sits. `elsewhere` are the channels of tables whose hands this process
    cannot show. Without `on_server`, the page leads to the reader's own tables only.
    """
    say, shown_list = words.say, query.which
    pages = max(1, -(-len(tables) // PER_PAGE))  # rounded up
    page = min(query.page, pages - 1)
    items: list[Part] = [text("### " + TITLES[shown_list](say))]
    if elsewhere:
        channels = say.join(channel_mention(channel_id) for channel_id in elsewhere[:_MOST_NAMES])
        items.append(
            text(say("You also play in {channels}. Open your hand there.", channels=channels))
        )
    elif not tables:
        items.append(text(_empty_text(shown_list, say)))
    for table in tables[page * PER_PAGE :][:PER_PAGE]:
        items.append(text("\n".join(_table_lines(table, reader, servers, words))))
        items.append(row(*_table_buttons(table, reader, words)))
    if pages > 1:
        items.append(row(*_page_buttons(shown_list, page, pages, say)))
    items.append(line())
    list_buttons = (
        _list_button(table_list, table_list == shown_list, say)
        for table_list in (get_args(TableList) if on_server else ("mine",))
    )
    items.append(row(*list_buttons))
    return Page(*items)


def _empty_text(table_list: TableList, say: Say) -> str:
    """Return the text for an empty list."""
    if table_list == "mine":
        return say("You're not at any table. Open one with /tichu new.")
    return say("No table has a seat for you right now. Open one with /tichu new.")


def _page_buttons(table_list: TableList, page: Count, pages: Count, say: Say) -> Iterator[Part]:
    """Yield the buttons to the previous and the next page."""
    previous_query, next_query = (
        TablesQuery(table_list, max(page - 1, 0)),
        TablesQuery(table_list, page + 1),
    )
    yield _CONTROLS.button(
        Verb.TABLES, say("Previous"), f"{previous_query}.previous", disabled=page == 0
    )
    yield _CONTROLS.button(
        Verb.TABLES, say("Next"), f"{next_query}.next", disabled=page == pages - 1
    )


def _list_button(table_list: TableList, is_shown: bool, say: Say) -> Part:
    """Return the button that shows or refreshes one of the lists."""
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        Verb.TABLES,
        _TABS[table_list](say),
        str(TablesQuery(table_list)),
        style=colours.primary if is_shown else colours.secondary,
    )


# --- one table -----------------------------------------------------------------------------------


def _table_lines(
    table: OpenTable, reader: UserId, servers: Mapping[GuildId, str], words: Speaker
) -> Iterator[str]:
    """Yield the lines on a table: game, channel, state and players."""
    say, options = words.say, table.options
    players = len(table.chairs) if isinstance(table, Game) else None
    place = channel_mention(table.channel_id)
    if table.guild_id in servers:
        place = safe(servers[table.guild_id])
    yield f"**{game_title(say, options.variant, players)}** · {place}"
    if is_awaited(table, reader):
        yield _your_turn_line(table, reader, say)
    yield "-# " + " · ".join((*_table_facts(table, reader, words), _players_text(table, words)))
    if isinstance(table, Game):
        yield from (f"-# {line}" for line in partner_lines(table, table.seat_of(reader), words))


def _your_turn_line(table: OpenTable, reader: UserId, say: Say) -> str:
    """Return the line that the table waits for its reader, with the time limit."""
    ends = turn_end(table, reader)
    if ends is None:
        return say("**Your turn**")
    return say("**Your turn** – it ends {when}", when=discord.utils.format_dt(ends, "R"))


def _table_facts(table: OpenTable, reader: UserId, words: Speaker) -> Iterator[str]:
    """Yield facts on a table: its state, its time per turn, its number of seats to take."""
    say, options = words.say, table.options
    if isinstance(table, Lobby):
        yield say("not started")
        yield length(options, say)
    else:
        yield say("paused") if table.timers.paused else round_name(options, table.round.number, say)
    if options.turn_based:
        yield turn_limit(options.turn_limit_s, say)
    free = available_seat_count(table, reader)
    if free and table.seat_of(reader) is None:
        yield (
            say.many("{n} seat to fill", "{n} seats to fill", free)
            if isinstance(table, Lobby) or table.between_rounds
            else say.many("{n} seat after this round", "{n} seats after this round", free)
        )


def _players_text(table: OpenTable, words: Speaker) -> str:
    """Return the names of people at a table, and the number of computer players."""
    say = words.say
    people = [seat_name(table, chair.seat, words) for chair in table.people()]
    names = people[:_MOST_NAMES]
    if unnamed_count := len(people) - len(names):
        names.append(say.many("{n} other", "{n} others", unnamed_count))
    if computer_count := sum(chair.kind == "computer" for chair in table.chairs):
        names.append(say.many("{n} computer", "{n} computers", computer_count))
    return ", ".join(names)


def _table_buttons(table: OpenTable, reader: UserId, words: Speaker) -> Iterator[Part]:
    """Yield the buttons of a table: what the reader can do there, and a link to it."""
    controls, say = Controls(table.id, table.revision), words.say
    colours = discord.ButtonStyle
    is_player, icon = table.seat_of(reader) is not None, words.art.icon_emoji("cardback")
    if is_player and isinstance(table, Game):
        if table.timers.paused:
            yield controls.button(Verb.CONTINUE, say("Continue"), style=colours.success)
        style = colours.primary if is_awaited(table, reader) else colours.secondary
        yield controls.button(Verb.HAND, say("My hand"), style=style, emoji=icon)
    elif not is_player and available_seat_count(table, reader):
        verb = Verb.COME if isinstance(table, Lobby) else Verb.SIT
        yield controls.button(verb, say("Join"), style=colours.success)
    yield link(say("Go there"), url(table))


def url(table: OpenTable) -> str:
    """Return the URL of the newest message of a table, or of its channel."""
    messages = table.messages
    message = messages.table or messages.lobby
    channel_url = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return channel_url if message is None else f"{channel_url}/{message}"


def partner_lines(game: Game, own: Seat | None, words: Speaker) -> Iterator[str]:
    """Yield the line on how a person could take the seat of this player's computer partner."""
    partners = computer_partners(game, own)
    if not partners:
        return
    names = words.say.join(seat_name(game, seat, words) for seat in partners)
    yield words.say(
        "Your computer partner: {names}. Anyone can take the seat: **My hand** at the table, "
        "or **Join** in /tichu tables.",
        names=names,
    )


def waiting_lobbies_line(lobbies: Sequence[Lobby], words: Speaker) -> str:
    """Return the line that names players in waiting lobbies; they may want a computer's seat."""
    places = (
        words.say(
            "{names} in {place}",
            names=words.say.join(seat_name(lobby, chair.seat, words) for chair in lobby.people()),
            place=url(lobby),
        )
        for lobby in lobbies
    )
    return words.say("Waiting for players: {who}", who=" · ".join(places))
