"""Times of a large database to read a leaderboard page and to store a round.

SQL fills the database with many players, each with a line on every board of a server and of all
servers, and with many rounds. Called by `python -m bench`.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple, get_args

from sqlalchemy import Connection, text

from bot.ids import ChannelId, GuildId, UserId
from bot.rating.ledger import LEDGER
from bot.rating.tallies import first_recent_day, season_of
from bot.records import Change, NewTable, RoundRecord, RoundScore, RoundSeat
from bot.score_records import EVER, LATELY, WORLD, Board, Order
from bot.storage import Store
from bot.storage.database import Database

GUILD = GuildId(1)
_LINES = 10
_COMMITS = 200
_FIRST = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number) "
_CHANCE = "(abs(random()) % 1000000 / 1000000.0)"
_TABLE = """INSERT INTO tables
(id, guild_id, channel_id, host_id, status, options, details, created_at)
VALUES (1, 1, 1, 1, 'finished', '{}', '{}', 0)"""
_NAMES = "INSERT INTO names (scope, user_id, name) SELECT :scope, i, 'Player ' || i FROM n"
_RATINGS = f"""INSERT INTO ratings (scope, variant, user_id, mu, sigma, rounds)
SELECT :scope, 'nanjing', i, 1200 + 600 * {_CHANCE}, 60 + 200 * {_CHANCE}, 40 FROM n"""
_BOARDS = f"""INSERT INTO standings (scope, variant, period, user_id, rounds, points, matches, wins,
calls, calls_made, rating, by_rating, by_wins, by_win_rate, by_points, by_calls)
SELECT :scope, 'nanjing', :period, i, 40, 0, 10, 5, 20, 10, 900, 800 + 800 * {_CHANCE},
abs(random()) % 10, {_CHANCE}, 200 * {_CHANCE} - 100, {_CHANCE} FROM n"""
_ROUNDS = """INSERT INTO rounds (table_id, number, ended_at, result, variant, rated, ordinal)
SELECT 1, i, i * 1000000, '{}', 'nanjing', 1, i FROM n"""
_SEATS = """INSERT INTO round_seats (table_id, number, seat, user_id, kind, "column", counts_for,
turns, own_turns, margin, sweep, bombs)
SELECT 1, i, seat, who, 'person', seat % 2, who, 14, 14, 5000, 0, 0
FROM (SELECT i, seat, 1 + abs(random()) % :players AS who
      FROM n JOIN (SELECT 0 AS seat UNION SELECT 1 UNION SELECT 2 UNION SELECT 3))"""


class Pages(NamedTuple):
    """Measured times in milliseconds."""

    pages: tuple[float, ...]
    """First, middle and last pages of every board, each with the reader's own line."""
    rounds: tuple[float, ...]
    """Storing a round."""


async def score_times(players: int, rounds: int, seed: int) -> Pages:
    """Read pages of all boards of a large server, then commit rounds, and return the times."""
    rng, now = Random(seed), datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        database = await Database.open(url, busy_ms=5000)
        await database.write("filling it", _fill, players, rounds, season_of(now))
        store = Store(database, LEDGER)
        await store.rankings.move_window(first_recent_day(now))
        pages = []
        for order in get_args(Order):
            for period in (EVER, LATELY, season_of(now)):
                for scope in (GUILD, WORLD):
                    board = Board(scope, "nanjing", period, order)
                    for number in (0, players // 2 // _LINES, (players - 1) // _LINES):
                        reader = rng.randint(1, players)
                        begin = perf_counter()
                        page = await store.rankings.page(board, number, _LINES, UserId(reader))
                        pages.append(1000 * (perf_counter() - begin))
                        assert page.leaders.lines
                        assert page.own is not None
        commits = []
        for channel in range(_COMMITS):
            new = NewTable(
                guild_id=GUILD, channel_id=ChannelId(channel), host_id=UserId(1), created_at=now
            )
            table = await store.tables.create(new)
            record = _round([UserId(rng.randint(1, players)) for _ in range(4)], now, rng)
            begin = perf_counter()
            await store.tables.commit(table.id, Change(round=record))
            commits.append(1000 * (perf_counter() - begin))
        await store.close()
    return Pages(tuple(pages), tuple(commits))


def _fill(connection: Connection, players: int, rounds: int, season: str) -> None:
    """Fill the database with players and rounds of this season."""
    connection.execute(text(_TABLE))
    for scope in (GUILD, WORLD):
        given = {"number": players, "scope": scope}
        connection.execute(text(_FIRST + _NAMES), given)
        connection.execute(text(_FIRST + _RATINGS), given)
        for period in (EVER, LATELY, season):
            connection.execute(text(_FIRST + _BOARDS), given | {"period": period})
    connection.execute(text(_FIRST + _ROUNDS), {"number": rounds})
    given = {"number": rounds, "players": players}
    connection.execute(text(_FIRST + _SEATS), given)


def _round(users: list[UserId], now: datetime, rng: Random) -> RoundRecord:
    """Return a finished round of these four people with a random result."""
    margin = rng.randint(-300, 300)
    return RoundRecord(
        number=1,
        ended_at=now,
        scores=tuple(
            RoundScore(column=column, score=score, total=0)
            for column, score in ((0, margin), (1, 0))
        ),
        seats=tuple(
            RoundSeat(
                seat=seat,
                user_id=user,
                kind="person",
                column=seat % 2,
                counts_for=user,
                margin=100 * (-margin if seat % 2 else margin),
            )
            for seat, user in enumerate(users)
        ),
    )
