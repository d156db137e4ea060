"""Private pages of open tables: seats to take, and own tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import discord

from bot.ids import GuildId, UserId
from bot.records import Count
from bot.table.inviting import available_seat_count, computer_partners, is_awaited, turn_end
from bot.table.state import Game, Lobby, OpenTable
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.options import game_title, length, round_name, turn_limit
from cogs.pages.controls import Controls, Page, Part, line, link, number, row, text
from cogs.pages.names import safe, seat_name
from cogs.pages.verbs import Verb
from engine import NotationError, Seat

Which = Literal["here", "server", "mine"]
"""Tables of this channel, of this server, or the reader's own tables anywhere."""
PER_PAGE = 6
_MOST_NAMES = 6
"""Largest number of people named at a table; the others are counted."""
_CONTROLS = Controls()


class TablesQuery(NamedTuple):
    """A page of a list of tables."""

    which: Which = "server"
    """The kind of list."""
    page: Count = 0
    """The page, from 0."""

    def __str__(self) -> str:
        return f"{self.which}.{self.page}"


def read_tables_query(text: str) -> TablesQuery:
    """Parse the text of a query; raise `NotationError` for a forged one."""
    name, _, page = text.partition(".")
    for which in get_args(Which):
        if which == name:
            return TablesQuery(which, number(page or "0"))
    raise NotationError("not a list of tables")


TITLES: Mapping[Which, Callable[[Say], str]] = {
    "here": lambda say: say("Tables in this channel"),
    "server": lambda say: say("Tables on this server"),
    "mine": lambda say: say("Your tables"),
}
_TABS: Mapping[Which, Callable[[Say], str]] = {
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
) -> Page:
    """Return a page of these tables, in their order.

    A page number that is too large shows the last page.

    `servers` are the names of other servers at whose tables the reader sits.
    """
    say, chosen = words.say, query.which
    pages = max(1, -(-len(tables) // PER_PAGE))
    page = min(query.page, pages - 1)
    parts: list[Part] = [text("### " + TITLES[chosen](say))]
    if not tables:
        parts.append(text(_nothing(chosen, say)))
    for table in tables[page * PER_PAGE :][:PER_PAGE]:
        parts.append(text("\n".join(_about(table, reader, servers, words))))
        parts.append(row(*_buttons(table, reader, words)))
    if pages > 1:
        parts.append(row(*_ways(chosen, page, pages, say)))
    parts.append(line())
    tabs = (_tab(each, each == chosen, say) for each in get_args(Which))
    parts.append(row(*tabs))
    return Page(*parts)


def _nothing(chosen: Which, say: Say) -> str:
    """Return the text for an empty list."""
    if chosen == "mine":
        return say("You're not at any table. Open one with /tichu new.")
    return say("No table has a seat for you right now. Open one with /tichu new.")


def _ways(chosen: Which, page: Count, pages: Count, say: Say) -> Iterator[Part]:
    """Return the buttons to the previous and the next page."""
    before, after = TablesQuery(chosen, max(page - 1, 0)), TablesQuery(chosen, page + 1)
    yield _CONTROLS.button(Verb.TABLES, say("Previous"), f"{before}.previous", disabled=page == 0)
    yield _CONTROLS.button(Verb.TABLES, say("Next"), f"{after}.next", disabled=page == pages - 1)


def _tab(listed: Which, shown: bool, say: Say) -> Part:
    """Return the button that shows these tables; clicked again, it refreshes them."""
    colours = discord.ButtonStyle
    return _CONTROLS.button(
        Verb.TABLES,
        _TABS[listed](say),
        str(TablesQuery(listed)),
        style=colours.primary if shown else colours.secondary,
    )


# --- one table -----------------------------------------------------------------------------------


def _about(
    table: OpenTable, reader: UserId, servers: Mapping[GuildId, str], words: Speaker
) -> Iterator[str]:
    """Return the game, channel, state and players of a table."""
    say, options = words.say, table.options
    players = len(table.chairs) if isinstance(table, Game) else None
    where = f"<#{table.channel_id}>"
    if table.guild_id in servers:
        where = safe(servers[table.guild_id])
    yield f"**{game_title(say, options.variant, players)}** · {where}"
    if is_awaited(table, reader):
        yield _your_turn(table, reader, say)
    yield "-# " + " · ".join((*_standing(table, reader, words), _who(table, words)))
    if isinstance(table, Game):
        yield from (f"-# {line}" for line in partner_lines(table, table.seat_of(reader), words))


def _your_turn(table: OpenTable, reader: UserId, say: Say) -> str:
    """Return the line that the table waits for its reader, with the time limit."""
    ends = turn_end(table, reader)
    if ends is None:
        return say("**Your turn**")
    return say("**Your turn** – it ends {when}", when=discord.utils.format_dt(ends, "R"))


def _standing(table: OpenTable, reader: UserId, words: Speaker) -> Iterator[str]:
    """Return a table's state, and its number of seats to take."""
    say, rules = words.say, table.options.rules
    if isinstance(table, Lobby):
        yield say("not started")
        yield length(rules, say)
    else:
        yield say("paused") if table.timers.paused else round_name(rules, table.round.number, say)
    if table.options.turn_based:
        yield turn_limit(table.options.turn_limit_s, say)
    free = available_seat_count(table, reader)
    if free and table.seat_of(reader) is None:
        yield (
            say.many("{n} seat to fill", "{n} seats to fill", free)
            if isinstance(table, Lobby) or table.between_rounds
            else say.many("{n} seat after this round", "{n} seats after this round", free)
        )


def _who(table: OpenTable, words: Speaker) -> str:
    """Return the people at a table, and the number of computer players."""
    say = words.say
    people = [seat_name(table, chair.seat, words) for chair in table.people()]
    names = people[:_MOST_NAMES]
    if more := len(people) - len(names):
        names.append(say.many("{n} other", "{n} others", more))
    if computers := sum(chair.kind == "computer" for chair in table.chairs):
        names.append(say.many("{n} computer", "{n} computers", computers))
    return ", ".join(names)


def _buttons(table: OpenTable, reader: UserId, words: Speaker) -> Iterator[Part]:
    """Return the reader's actions at a table, and a link to it."""
    controls, say = Controls(table.id, table.revision), words.say
    colours = discord.ButtonStyle
    sits, icon = table.seat_of(reader) is not None, words.art.icon_emoji("cardback")
    if sits and isinstance(table, Game):
        if table.timers.paused:
            yield controls.button(Verb.CONTINUE, say("Continue"), style=colours.success)
        style = colours.primary if is_awaited(table, reader) else colours.secondary
        yield controls.button(Verb.HAND, say("My hand"), style=style, emoji=icon)
    elif not sits and available_seat_count(table, reader):
        verb = Verb.COME if isinstance(table, Lobby) else Verb.SIT
        yield controls.button(verb, say("Join"), style=colours.success)
    yield link(say("Go there"), url(table))


def url(table: OpenTable) -> str:
    """Return the URL of the newest message of a table, or of its channel."""
    messages = table.messages
    message = messages.table or messages.lobby
    there = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return there if message is None else f"{there}/{message}"


def partner_lines(game: Game, own: Seat | None, words: Speaker) -> Iterator[str]:
    """Return how a person could take the seat of this seat's computer partner."""
    partners = computer_partners(game, own)
    if not partners:
        return
    names = words.say.join(seat_name(game, seat, words) for seat in partners)
    yield words.say(
        "Your computer partner: {names}. Anyone can take the seat: **My hand** at the table, "
        "or **Join** in /tichu tables.",
        names=names,
    )


def waiting_line(lobbies: Sequence[Lobby], words: Speaker) -> str:
    """Return the players who wait in these lobbies, who may want the seat."""
    found = (
        words.say(
            "{names} in {place}",
            names=words.say.join(seat_name(lobby, chair.seat, words) for chair in lobby.people()),
            place=url(lobby),
        )
        for lobby in lobbies
    )
    return words.say("Waiting for players: {who}", who=" · ".join(found))
