"""Several processes on one PostgreSQL server that may lose connections."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from bot.ids import UserId
from bot.rating.ledger import LEDGER
from bot.records import Change
from bot.storage import Conflict, StorageUnavailable, Store
from bot.storage.commits import write_changes
from bot.storage.postgres.transactions import transaction
from tests.bot.databases import open_store
from tests.bot.storage.lossy_server import Way, way
from tests.bot.storage.samples import move, new_table
from tests.bot.storage.test_rankings import round_of

_END = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def other(store: Store, file: Path) -> AsyncIterator[Store]:
    """Yield the store of another process with the same database and a short lock timeout."""
    opened = await open_store(file, busy_ms=50)
    yield opened
    await opened.close()


@pytest.fixture
async def lossy(store: Store, url: str) -> AsyncIterator[tuple[Way, Store]]:
    """Yield a lossy proxy and a store that uses it."""
    async with way(url) as (made, other_url):
        opened = await Store.open(other_url, LEDGER)
        yield made, opened
        await opened.close()


async def test_tables_are_written_concurrently(store: Store, other: Store) -> None:
    """A transaction waits for that of another process only if both end a round."""
    one, two = await store.tables.create(new_table(1)), await other.tables.create(new_table(2))
    async with transaction(store._database.writer, alone=False) as connection:  # noqa: SLF001
        await connection.exec_driver_sql(f"UPDATE tables SET details = '[]' WHERE id = {one.id}")
        await other.tables.commit(two.id, move(0))
        await other.tables.create(new_table(3))
        await other.app_state.keep("key", "value")
        with pytest.raises(StorageUnavailable, match="locked"):
            await other.tables.commit(one.id, move(0))
        with pytest.raises(StorageUnavailable, match="locked"):
            await other._database.write_alone("a test", Connection.get_isolation_level)  # noqa: SLF001
    await other.tables.commit(one.id, move(0))


async def test_rounds_of_all_guilds_count_one_after_another(store: Store, other: Store) -> None:
    tables = [await store.tables.create(new_table(n, guild_id=n, seats=())) for n in (1, 2)]
    record = round_of(1, 100, UserId(1), UserId(2), UserId(3), UserId(4))
    async with transaction(store._database.writer, alone=False) as connection:  # noqa: SLF001
        change = Change(round=record)
        await connection.run_sync(write_changes, [(tables[0].id, change)], LEDGER, lock_first=False)
        with pytest.raises(StorageUnavailable, match="locked"):
            await other.tables.commit(tables[1].id, Change(round=record))


async def test_refuses_one_of_two_concurrent_writes_to_a_table(store: Store, file: Path) -> None:
    """Both assume that their change fits; the later one finds the conflict and changes nothing."""
    patient = await open_store(file)
    table = await store.tables.create(new_table())
    for begin in range(0, 20, 2):
        tried = [each.tables.commit(table.id, move(begin)) for each in (store, patient)]
        outcomes = await asyncio.gather(*tried, return_exceptions=True)
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
    assert len(await store.tables.actions(table.id)) == 20
    await patient.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the system knows no limit")
async def test_gives_up_a_silent_server(lossy: tuple[Way, Store]) -> None:
    _, bot = lossy
    for engine in (bot._database.writer, bot._database.reader):  # noqa: SLF001
        async with engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            opened = driver._transport.get_extra_info("socket")  # noqa: SLF001
            assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
            assert opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


@pytest.mark.parametrize("lost", ["question", "answer"])
async def test_handles_a_lost_answer_to_a_commit(
    lossy: tuple[Way, Store], lost: str, store: Store
) -> None:
    """A stored change counts as stored and is not repeated; otherwise it is refused."""
    broken, bot = lossy
    table = await bot.tables.create(new_table())
    broken.loses = lost  # type: ignore[assignment]
    if lost == "question":
        with pytest.raises(StorageUnavailable):
            await bot.tables.commit(table.id, move(0))
    else:
        await bot.tables.commit(table.id, move(0))
    assert len(await store.tables.actions(table.id)) == (0 if lost == "question" else 2)
    with suppress(Conflict):
        await bot.tables.commit(table.id, move(0))
    assert len(await store.tables.actions(table.id)) == 2
    broken.loses = lost  # type: ignore[assignment]
    with suppress(StorageUnavailable):
        await bot.tables.create(new_table(9))
        assert lost == "answer"
    assert len(await store.tables.all_open()) == (1 if lost == "question" else 2)


async def test_does_not_use_connections_closed_by_the_server(
    store: Store, outside: sqlite3.Connection
) -> None:
    """A restart of the server between two moves goes unnoticed."""
    table = await store.tables.create(new_table())
    for begin in (0, 2):
        outside.execute(_END)
        while len(outside.execute(_END).fetchall()):
            await asyncio.sleep(0.001)  # until they are closed
        await store.tables.commit(table.id, move(begin))
        assert len(await store.tables.actions(table.id)) == begin + 2


async def test_idle_transaction_is_ended_by_the_server(store: Store, other: Store) -> None:
    """Its process is frozen: others get its locks, and it has stored nothing."""
    table = await store.tables.create(new_table())

    async def stands_still() -> None:
        async with transaction(store._database.writer, alone=True) as connection:  # noqa: SLF001
            shown = await connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout")
            assert shown.scalar() == "5s"
            await connection.exec_driver_sql("UPDATE tables SET details = '[]'")
            await connection.exec_driver_sql("SET idle_in_transaction_session_timeout = 1")
            while True:
                with suppress(StorageUnavailable):
                    return await other.tables.commit(table.id, move(0))

    with pytest.raises(DBAPIError):
        await stands_still()
    (found,) = await other.tables.all_open()
    assert (found.seq, found.details) == (2, move(0).details)
