"""Times to read the pages of the deal of the day after a month with many results a day.

SQL fills the database with the finished rounds of people who each play on about half of the days.
The days are closed by the bot's own code. Called by `python -m bench`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Mapping
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from random import Random
from time import process_time

from sqlalchemy import Connection, text

from bot.board_records import SoloRound
from bot.boards.streaks import streak_of
from bot.ids import BoardId, GuildId
from bot.rating.ledger import LEDGER
from bot.score_records import WORLD
from bot.standings.daily_standings import period_of
from bot.storage import Store
from bot.storage.database import Database

GUILD = GuildId(1)
DAYS = 31
PAGES = 6
"""Number of kinds of measured times."""
_FIRST = date(2031, 1, 1)
_LINES = 10
_TIMES = 20
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number) "
_BOARD = """INSERT INTO boards (id, day, number, secret, version, expert_points)
VALUES (:board, :day, :board, 'ab', 1, 0)"""
_ROUNDS = f"""{_NUMBERS}
INSERT INTO solo_rounds (board_id, user_id, practice, name, guild_id, version, begun_at, ended_at,
action_count, actions, points)
SELECT :board, 1 + (2 * i + :board * 7919) % :players, 0, 'Player', 1, 1, 0, 1,
100, :actions, 5 * (abs(random()) % 81 - 40) FROM n"""
_USERS = f"SELECT user_id FROM solo_rounds WHERE board_id = {DAYS}"
_PEOPLE = f"{_NUMBERS} INSERT INTO people (user_id, hidden, worldwide) SELECT i, 0, 1 FROM n"
_MEMBERS = f"{_NUMBERS} INSERT INTO daily_servers (guild_id, user_id) SELECT 1, i FROM n"
_ACTIONS = "0:play:S2\n" * 150
"""Text as long as the actions of a round."""


async def daily_page_times(results: int, seed: int) -> Mapping[str, list[float]]:
    """Return milliseconds of processor time for each page, and for the end of a day.

    There are this many results a day. All people have joined the leaderboard of all servers, and a
    tenth of them is on one server.
    """
    rng, players, last = Random(seed), 2 * results, _FIRST + (DAYS - 1) * timedelta(days=1)
    with tempfile.TemporaryDirectory(prefix="tichu-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'bench.db'}"
        database = await Database.open(url, busy_ms=5000)
        await database.write("filling it", _fill, results, players)
        store = Store(database, LEDGER)
        times: dict[str, list[float]] = {}

        async def measure(name: str, work: Awaitable[object]) -> None:
            begin = process_time()
            await work
            times.setdefault(name, []).append(1000 * (process_time() - begin))

        for number in range(DAYS):
            today = _FIRST + (number + 1) * timedelta(days=1)
            await measure("the end of a day", store.daily_standings.close_days(today))
        board, month = BoardId(DAYS), period_of(last, "month")
        compare = store.boards.compare
        users = await database.read(lambda connection: connection.scalars(text(_USERS)).all())
        for reader in rng.sample(users, _TIMES):
            own = await store.boards.own_round(board, reader)
            assert own is not None

            async def start_page(own: SoloRound = own) -> None:
                for _ in range(2):  # today and yesterday
                    await store.boards.days(last, last)
                    await store.boards.own_round(board, own.user_id)
                    await store.boards.own_round(board, own.user_id, practice=True)
                    await compare(own)
                await streak_of(store, own.user_id, last)

            async def result(own: SoloRound = own) -> None:
                await store.boards.own_round(board, own.user_id)
                await compare(own)
                await compare(own, GUILD)
                await streak_of(store, own.user_id, last)

            await measure("the start page", start_page())
            await measure("a result", result())
            await measure("a server's results", store.boards.of_server(board, GUILD))
            for scope, number in product((GUILD, WORLD), (0, results // _LINES, players // _LINES)):
                page = store.daily_standings.page(scope, month, number, _LINES, reader)
                await measure("a leaderboard", page)
        await measure("a file", store.daily_standings.lines(WORLD, month))
        await store.close()
    return times


def _fill(connection: Connection, results: int, players: int) -> None:
    """Fill the database with the boards and rounds of `DAYS` days."""
    connection.execute(text(_PEOPLE), {"number": players})
    connection.execute(text(_MEMBERS), {"number": players // 10})
    first = (_FIRST - date(1970, 1, 1)).days
    for number in range(1, DAYS + 1):
        connection.execute(text(_BOARD), {"board": number, "day": first + number - 1})
        given = {"board": number, "number": results, "players": players, "actions": _ACTIONS}
        connection.execute(text(_ROUNDS), given)
