"""List of open tables, with tables of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import get_args

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.table.state import Chair, Game, OpenTable
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.table.more import more_page
from cogs.pages.table.open_tables import (
    PER_PAGE,
    TableList,
    TablesQuery,
    partner_lines,
    tables_page,
    waiting_lobbies_line,
)
from engine import Match
from tests.bot.states import GUILD, HOST, NOON, chairs, state
from tests.bot.text.other_games import other_lobbies
from tests.bot.text.samples import lobbies
from tests.engine.positions import after, table

ELSEWHERE = GuildId(GUILD + 1)
TURN = table("TURN A", trick="D S8")
OVER = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
SIX = table("LEAD A", variant="tientsin", hands={"A": "S8 +3"})


def _games(names: Sequence[str]) -> Iterator[Game]:
    """Yield matches of HOST with computer partners: awaited, between rounds, paused."""

    def game(match: Match, people: Sequence[int], **given: object) -> Game:
        count = len(match.round.hands) if match.round is not None else 0
        computers = [seat for seat in range(count) if seat not in people]
        seats = chairs(names[:count], computers=computers)
        return state(match, chairs=seats, **given)

    yield game(TURN, (0, 1))
    yield game(TURN, (0, 1, 3), details={"deadlines": {"turn": NOON + timedelta(seconds=90)}})
    yield game(OVER, (0,))
    yield game(TURN, (0,), details={"paused": True}, guild_id=ELSEWHERE)
    yield game(SIX, (0,))
    yield game(SIX, (0, 1, 3, 5))


def tables_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page]]:
    """Yield lists of lobbies and matches for players and others, and empty lists."""
    names = [names[seat % len(names)] for seat in range(12)]
    open_lobbies = (*lobbies(names), *other_lobbies(names))
    games = [*_games(names)]
    full = [replace(games[5], chairs=chairs(names[:6]), guild_id=ELSEWHERE)] * PER_PAGE
    crowd = next(lobby for lobby in open_lobbies if len(lobby.chairs) == 12)
    people = [
        Chair(seat=seat, kind="person", user_id=UserId(900 + seat), name=names[seat])
        for seat in range(11)
    ]
    crowded = [replace(crowd, chairs=(*people, Chair(seat=11)))] * PER_PAGE
    lists: dict[str, Sequence[OpenTable]] = {
        "lobbies": open_lobbies,
        "matches": games,
        "partners": [games[4]] * PER_PAGE,
        "people": full,
        "crowds": crowded,
        "none": (),
    }
    servers = {ELSEWHERE: names[0]}
    for name, tables in lists.items():
        for which in get_args(TableList):
            for reader in (HOST, 1):
                query = TablesQuery(which, 99 if reader == 1 else 0)
                numbered = [replace(at, id=TableId(10**9 + id_)) for id_, at in enumerate(tables)]
                page = tables_page(numbered, query, UserId(reader), servers, to)
                yield f"tables: {name}, {which}, {reader}", page
    channels = [ChannelId(10**18 + number) for number in range(9)]
    page = tables_page((), TablesQuery("mine"), HOST, servers, to, channels)
    yield "tables: of another process", page
    notes = (*partner_lines(games[4], 0, to), waiting_lobbies_line(crowded[:3], to))
    yield "more: partners", more_page(games[4], to, seated=True, moderator=False, notes=notes)
