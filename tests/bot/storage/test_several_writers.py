"""Several processes that end rounds of the same people: nothing is lost or counted twice.

Ratings depend on the order of the rounds, so the result must equal that of a single writer in the
order in which the rounds were stored.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from bot.ids import UserId
from bot.records import Change, RoundRecord
from bot.storage import Store, schema, score_rows
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.storage.samples import new_table
from tests.bot.storage.test_rankings import round_of

WRITERS, EACH = 3, 6


async def rows(store: Store, *tables: Any) -> list[list[tuple[Any, ...]]]:
    """Return all rows of these relations, each in the order of its key."""

    def read(connection: Connection) -> list[list[tuple[Any, ...]]]:
        queries = [select(t).order_by(*t.primary_key) for t in tables]
        return [[tuple(row) for row in connection.execute(query)] for query in queries]

    return await store._database.read(read)  # noqa: SLF001


async def test_several_writers_equal_one(tmp_path: Path) -> None:
    chance = random.Random(7)
    stores = [
        await open_store(tmp_path / "all" / "bot.db", busy_ms=PATIENT_MS) for _ in range(WRITERS)
    ]
    alone = await open_store(tmp_path / "alone" / "bot.db")
    try:
        played: dict[int, tuple[int, RoundRecord]] = {}

        async def write(writer: int, guild: int) -> None:
            store = stores[writer]
            for number in range(EACH):
                people = chance.sample(range(1, 7), 4)
                record = round_of(1, chance.randrange(-200, 200), *map(UserId, people))
                new = new_table(100 * writer + number, guild_id=guild, seats=())
                table_id = (await store.tables.create(new)).id
                played[table_id] = guild, record
                await store.tables.commit(table_id, Change(round=record))

        # Two of them write for the same guild, as while it moves between processes.
        await asyncio.gather(*(write(n, 10 + n // 2) for n in range(WRITERS)))
        stored = schema.rounds.c
        by_ordinal = select(stored.table_id, stored.ordinal).order_by(stored.ordinal)
        order = await stores[0]._database.read(  # noqa: SLF001
            lambda connection: connection.execute(by_ordinal).all()
        )
        assert [row.ordinal for row in order] == list(range(1, WRITERS * EACH + 1))
        for channel, row in enumerate(order):
            guild, record = played[row.table_id]
            new = new_table(channel, guild_id=guild, seats=())
            table_id = (await alone.tables.create(new)).id
            await alone.tables.commit(table_id, Change(round=record))
        together = await rows(stores[0], *score_rows.DERIVED)
        assert all(together)
        assert together == await rows(alone, *score_rows.DERIVED)
    finally:
        for store in (*stores, alone):
            await store.close()
