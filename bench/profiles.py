"""Time to read the profile of a person with many rounds, and the list of their matches.

SQL fills the database with the rounds of one person, ten at each table, against opponents from a
pool of three hundred. Called by `python -m bench`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

from sqlalchemy import Connection, text

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.profiles.achievements import achievements
from bot.profiles.careers import career
from bot.rating.ledger import LEDGER
from bot.storage import Store
from bot.storage.commits import store_match_sums
from bot.storage.database import Database
from bot.storage.ended_matches import EndedQuery, Sight

GUILD, CHANNEL, PERSON = GuildId(1), ChannelId(1), UserId(1)
_AT_A_TABLE = 10
_TIMES = 9
_TABLES = """WITH RECURSIVE n(t) AS (SELECT 1 UNION ALL SELECT t + 1 FROM n WHERE t < :tables) """
_ROUNDS = f"""WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :rounds),
r(t, k, i) AS (SELECT 1 + i / {_AT_A_TABLE}, 1 + i % {_AT_A_TABLE}, i FROM n) """
_WHO = "CASE s WHEN 0 THEN 1 ELSE 2 + (t * 7919 + s * 104729) % 300 END"


def _fill(variant: str) -> Iterator[str]:
    """Yield the statements that put `:rounds` rounds of a game into an empty database."""
    if variant == "trichu":
        players, columns, dealer, side, column = 3, 4, "i % 3", "(s = i % 3)", "s"
    else:
        players, columns, dealer, side, column = 4, 2, "i % 4", "s % 2", "s % 2"
    seats = " UNION ".join(f"SELECT {seat} AS s" for seat in range(players))
    scores = " UNION ".join(f"SELECT {each} AS c" for each in range(columns))
    yield f"""{_TABLES} INSERT INTO tables
(id, guild_id, channel_id, host_id, status, options, details, created_at)
SELECT t, 1, 1, 1, 'finished', '{{}}', '{{}}', 0 FROM n"""
    yield f"""{_ROUNDS} INSERT INTO rounds
(table_id, number, ended_at, result, variant, rated, ordinal)
SELECT t, k, i * 600000000, '{{"dealer":' || ({dealer}) || '}}', '{variant}', 1, i FROM r"""
    yield f"""{_ROUNDS} INSERT INTO round_seats (table_id, number, seat, user_id, kind, "column",
counts_for, place, call, call_made, turns, own_turns, margin, sweep, bombs)
SELECT t, k, s, {_WHO}, 'person', {column}, {_WHO}, 1 + (i + s) % {players},
CASE (i + s) % 7 WHEN 0 THEN 'tichu' END, CASE (i + s) % 7 WHEN 0 THEN i % 2 END,
14, 14, 500 * ((i * 37) % 61 - 30) * (1 - 2 * {side}), 0, 0 FROM r, ({seats})"""
    yield f"""{_ROUNDS} INSERT INTO round_scores (table_id, number, "column", score, total)
SELECT t, k, c, 50, 50 * k + c FROM r, ({scores})"""
    yield f"""{_TABLES} INSERT INTO matches (table_id, variant, ended_at, reason, rounds, rated)
SELECT t, '{variant}', t * {_AT_A_TABLE} * 600000000, 'finished', {_AT_A_TABLE}, 1 FROM n"""
    yield f"""{_TABLES} INSERT INTO match_scores (table_id, "column", total, won)
SELECT t, c, 500 + c, (t + c) % 2 FROM n, ({scores})"""
    yield f"""{_TABLES} INSERT INTO match_seats
(table_id, seat, user_id, name, kind, "column", won, counts_for)
SELECT t, s, {_WHO}, 'Player', 'person', {column}, (t + s) % 2, {_WHO} FROM n, ({seats})"""


class Profiles(NamedTuple):
    """Milliseconds of processor time, each the minimum of several measurements."""

    profile: float
    """Reading and adding up a profile with its achievements."""
    history: float
    """Reading the newest of this person's matches."""


async def profile_times(rounds: int, variant: str) -> Profiles:
    """Measure the profile of a person with `rounds` rounds of a game, and their match list."""
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        database = await Database.open(f"sqlite:///{Path(folder) / 'bench.db'}", busy_ms=5000)
        tables = rounds // _AT_A_TABLE

        def fill(connection: Connection) -> None:
            for statement in _fill(variant):
                connection.execute(text(statement), {"tables": tables, "rounds": rounds})
            store_match_sums(connection, [*map(TableId, range(1, tables + 1))])

        await database.write("filling it", fill)
        store = Store(database, LEDGER)
        here = frozenset({CHANNEL})
        query = EndedQuery(GUILD, Sight(PERSON, here, here), user_id=PERSON)

        async def profile() -> None:
            played = await store.history.played(GUILD, PERSON)
            assert played is not None
            found = career(played)
            assert found is not None
            assert found.rounds == rounds
            assert achievements(played)

        async def history() -> None:
            assert await store.history.ended(query)

        measured = Profiles(await _least(profile), await _least(history))
        await store.close()
    return measured


async def _least(work: Callable[[], Awaitable[None]]) -> float:
    """Return the minimum processor time of some work in several runs."""
    times = []
    for _ in range(_TIMES):
        begin = process_time()
        await work()
        times.append(1000 * (process_time() - begin))
    return min(times)
