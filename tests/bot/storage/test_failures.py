"""Failed writes: a clear error, no change, and recovery afterwards."""

import asyncio
import logging
import sqlite3
import traceback
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.ids import ChannelId
from bot.records import ActionRecord, Change
from bot.storage import Conflict, StorageError, StorageUnavailable, Store
from bot.storage.database import Database
from tests.bot.databases import PATIENT_MS, open_store, set_pragma
from tests.bot.storage.samples import NOON, SECRET, action, move, new_table


@pytest.mark.sqlite("its file is spoilt")
async def test_reports_a_full_disk(store: Store, database: Database) -> None:
    table = await store.tables.create(new_table())
    big = Change(actions=(action(1),), details=f'"{"x" * 100_000}"')
    await set_pragma(database, "max_page_count=1")  # SQLite reads it as: no larger than now
    with pytest.raises(StorageUnavailable, match="is full; make room there") as failed:
        await store.tables.commit(table.id, big)
    assert failed.value.__cause__ is not None
    with pytest.raises(StorageUnavailable, match="full"):
        await store.tables.create(new_table(21, details=big.details))
    assert await store.tables.all_open() == [table]
    assert await store.tables.actions(table.id) == []
    await set_pragma(database, "max_page_count=1000000")
    await store.tables.commit(table.id, big)
    assert await store.tables.actions(table.id) == [action(1)]


async def test_reports_a_lock_of_another_program(store: Store, outside: sqlite3.Connection) -> None:
    table = await store.tables.create(new_table())
    outside.execute("BEGIN IMMEDIATE")
    results = await asyncio.gather(
        *(store.tables.commit(table.id, move(0)) for _ in range(20)), return_exceptions=True
    )
    assert all(isinstance(result, StorageUnavailable) for result in results)
    assert "locked by another program" in str(results[0])
    with pytest.raises(StorageUnavailable, match="locked"):
        await store.tables.create(new_table(21))
    with pytest.raises(StorageUnavailable, match="locked"):
        await store.app_state.keep("a", "b")
    assert await store.tables.all_open() == [table]  # reads still work
    outside.execute("ROLLBACK")
    await store.tables.commit(table.id, move(0))


@pytest.mark.sqlite("its file is spoilt")
async def test_refuses_writes_while_the_file_is_moved_away(store: Store, file: Path) -> None:
    """Commits would otherwise go into the moved file and be lost."""
    table = await store.tables.create(new_table())
    away = file.rename(file.with_suffix(".away"))
    with pytest.raises(StorageUnavailable, match="not in its place"):
        await store.tables.commit(table.id, move(0))
    file.write_bytes(b"")
    with pytest.raises(StorageUnavailable, match="another file"):
        await store.app_state.keep("a", "b")
    away.replace(file)
    assert await store.tables.actions(table.id) == []
    await store.tables.commit(table.id, move(0))


async def test_waits_for_a_short_lock(
    store: Store, file: Path, outside: sqlite3.Connection
) -> None:
    table = await store.tables.create(new_table())
    patient = await open_store(file, busy_ms=PATIENT_MS)
    outside.execute("BEGIN IMMEDIATE")
    commit = asyncio.create_task(patient.tables.commit(table.id, move(0)))
    with pytest.raises(StorageUnavailable, match="locked"):
        await store.tables.commit(table.id, move(0))  # tried later and gave up
    assert not commit.done()
    outside.execute("ROLLBACK")
    await commit
    await patient.close()


@pytest.mark.sqlite("its file is spoilt")
async def test_reports_a_database_that_became_read_only(store: Store, database: Database) -> None:
    table = await store.tables.create(new_table())
    await set_pragma(database, "query_only=ON")
    with pytest.raises(StorageUnavailable, match="read-only"):
        await store.tables.commit(table.id, move(0))
    assert await store.tables.get(table.id) == table
    await set_pragma(database, "query_only=OFF")
    await store.tables.commit(table.id, move(0))


@pytest.mark.sqlite("columns of PostgreSQL hold only their type")
async def test_reports_an_unreadable_row(store: Store, outside: sqlite3.Connection) -> None:
    table = await store.tables.create(new_table())
    outside.execute("UPDATE tables SET host_id = 'nobody'")
    with pytest.raises(StorageError, match="reading the database"):
        await store.tables.get(table.id)


@pytest.mark.sqlite("its file is spoilt")
async def test_errors_and_logs_contain_no_cards(
    store: Store, database: Database, outside: sqlite3.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("sqlalchemy.engine").setLevel(logging.DEBUG)
    try:
        table = await store.tables.create(new_table(details=f'"{SECRET}"'))
        await store.tables.create(new_table(21))
        dealt = Change(actions=(action(1, SECRET),), details=f'["{SECRET}"]')
        await store.tables.commit(table.id, dealt)
        stored = await store.tables.get(table.id)
        errors: list[BaseException] = []
        for change in (
            dealt,
            Change(actions=(action(2, SECRET),), details=f"no json {SECRET}"),
            Change(actions=(action(2, SECRET),), channel_id=ChannelId(21)),
        ):
            with pytest.raises(StorageError) as refused:
                await store.tables.commit(table.id, change)
            errors.append(refused.value)
        outside.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailable) as locked:
            await store.tables.commit(table.id, Change(actions=(action(2, SECRET),)))
        outside.execute("ROLLBACK")
        await set_pragma(database, "max_page_count=1")
        with pytest.raises(StorageUnavailable) as full:
            await store.tables.commit(table.id, Change(details=f'"{SECRET * 10_000}"'))
        with pytest.raises(ValidationError) as wrong:
            ActionRecord.model_validate(dict(action(1, SECRET)) | {"seq": SECRET})
        with pytest.raises(ValidationError) as gap:
            Change(actions=(action(1, SECRET), action(3, SECRET)))
        read = await store.tables.actions(table.id)
    finally:
        logging.getLogger("sqlalchemy.engine").setLevel(logging.NOTSET)

    assert read == [action(1, SECRET)]
    errors += [locked.value, full.value, wrong.value, gap.value]
    shown = [repr(read), repr(dealt), repr(stored), repr(new_table(details=f'"{SECRET}"'))]
    shown += [f"{record.getMessage()} {record.args}" for record in caplog.records]
    for error in errors:
        shown += [repr(error), *traceback.format_exception(error)]
    assert [text for text in shown if SECRET in text or "J2 P5" in text] == []
    assert sum(isinstance(error, Conflict) for error in errors) == 1
    assert NOON.isoformat()[:10] in read[0].model_dump_json()
