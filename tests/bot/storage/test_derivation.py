"""When the stored figures have to be derived anew."""

from __future__ import annotations

import sqlite3

from bot.storage import Store
from tests.bot.storage.samples import new_table

ONE, TWO = 1, 2
ROUND = "INSERT INTO rounds (table_id, number, ended_at, result) VALUES (?, 1, 0, '{}')"
SEAT = """INSERT INTO round_seats (table_id, number, seat, kind, "column")
VALUES (?, 1, 0, 'person', 0)"""


async def test_a_new_database_is_of_the_derivation_that_opens_it_first(store: Store) -> None:
    assert not await store.history.is_outdated(TWO)
    assert not await store.history.is_outdated(TWO)
    assert await store.history.is_outdated(ONE)


async def test_rounds_of_which_less_is_known_are_outdated_until_a_rebuild(
    store: Store, outside: sqlite3.Connection
) -> None:
    """As the schemas 0001 and 0002 left them."""
    table = await store.tables.create(new_table())
    outside.execute(ROUND, [table.id])
    outside.execute(SEAT, [table.id])
    assert await store.history.is_outdated(ONE)
    await store.history.rebuild(lambda *_: None, ONE, 0)
    assert not await store.history.is_outdated(ONE)


async def test_rounds_without_a_number_are_those_of_the_first_derivation(
    store: Store, outside: sqlite3.Connection
) -> None:
    table = await store.tables.create(new_table())
    outside.execute(ROUND, [table.id])
    assert await store.history.is_outdated(TWO)
    assert not await store.history.is_outdated(ONE)
