"""Detection of stored figures that need a rebuild."""

from __future__ import annotations

import sqlite3

from bot.storage import Store
from tests.bot.storage.samples import new_table

ONE, TWO = 1, 2
ROUND = "INSERT INTO rounds (table_id, number, ended_at, result) VALUES (?, 1, 0, '{}')"
SEAT = """INSERT INTO round_seats (table_id, number, seat, kind, "column")
VALUES (?, 1, 0, 'person', 0)"""


async def test_new_database_has_the_derivation_of_its_first_program(store: Store) -> None:
    assert not await store.history.is_outdated(TWO)
    assert not await store.history.is_outdated(TWO)
    assert await store.history.is_outdated(ONE)


async def test_incomplete_rounds_are_outdated_until_a_rebuild(
    store: Store, outside: sqlite3.Connection
) -> None:
    """As left by the schemas 0001 and 0002."""
    table = await store.tables.create(new_table())
    outside.execute(ROUND, [table.id])
    outside.execute(SEAT, [table.id])
    assert await store.history.is_outdated(ONE)
    await store.history.rebuild(lambda *_: None, ONE, 0)
    assert not await store.history.is_outdated(ONE)


async def test_rounds_without_a_version_have_the_first_derivation(
    store: Store, outside: sqlite3.Connection
) -> None:
    table = await store.tables.create(new_table())
    outside.execute(ROUND, [table.id])
    assert await store.history.is_outdated(TWO)
    assert not await store.history.is_outdated(ONE)
