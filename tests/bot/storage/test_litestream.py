"""Databases that Litestream copies: its tables and its locks are no obstacle.

Litestream adds two tables to the database, and holds a read transaction, so that it alone empties
the write-ahead log.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.history.check import check
from bot.ids import UserId
from bot.rating.ledger import LEDGER
from bot.storage import StorageUnfit, Store
from bot.storage.backend import LITESTREAM_TABLES
from bot.storage.copying import copy
from bot.storage.sqlite.backup import back_up, restore, temporary_copy
from bot.storage.versions import LAST_DEVELOPMENT_SCHEMA
from tests.bot.databases import open_store
from tests.bot.played_database import place_played_database
from tests.bot.storage.samples import BIG_ID, move, new_table, seats
from tests.bot.storage.test_forgetting import Rewriting
from tests.bot.stored_versions import DEVELOPMENT, place

pytestmark = [
    pytest.mark.sqlite("Litestream copies files of SQLite"),
    pytest.mark.usefixtures("one_thread"),
]

_START = (
    "PRAGMA wal_autocheckpoint=0",
    "PRAGMA journal_mode=WAL",
    "CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
    "CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER)",
    "INSERT OR REPLACE INTO _litestream_seq (id, seq) VALUES (1, 1)",
    "BEGIN",
    "SELECT count(1) FROM _litestream_seq",
)
"""Statements of Litestream 0.5 when it starts to copy a database."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the database in an existing folder."""
    return tmp_path / "bot.db"


@contextmanager
def copied_by_litestream(file: Path) -> Iterator[sqlite3.Connection]:
    """Use a database like Litestream while the block runs."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for statement in _START:
            connection.execute(statement).fetchall()
        yield connection


def table_names(file: Path) -> set[str]:
    """Return the names of all database tables in a file."""
    with closing(sqlite3.connect(file)) as connection:
        return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema")}


async def test_creates_the_schema_where_litestream_was_first(file: Path) -> None:
    """Both are started together with a new database."""
    with copied_by_litestream(file):
        store = await Store.open(f"sqlite:///{file}", LEDGER)
        table = await store.tables.create(new_table())
        await store.tables.commit(table.id, move(0))
        await store.close()
    assert table_names(file) >= LITESTREAM_TABLES | {"tables", "actions"}


async def test_database_of_litestream_alone_is_empty(file: Path, tmp_path: Path) -> None:
    with copied_by_litestream(file), pytest.raises(StorageUnfit, match="is empty"):
        back_up(file, tmp_path / "backup.db")


async def test_refuses_the_database_of_another_program_beside_litestream(file: Path) -> None:
    with copied_by_litestream(file), closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE tables_of_others (id INTEGER)")
        with pytest.raises(StorageUnfit, match="another program"):
            await Store.open(f"sqlite:///{file}", LEDGER)


async def test_migrates_an_older_database(file: Path) -> None:
    place(DEVELOPMENT, file)
    with copied_by_litestream(file):
        store = await Store.open(f"sqlite:///{file}", LEDGER)
        await store.close()
        (kept,) = file.parent.glob(f"{file.stem}-schema-{LAST_DEVELOPMENT_SCHEMA}-*")
    assert table_names(file) >= LITESTREAM_TABLES
    assert not (await check(kept, datetime.now(UTC))).damage
    assert not (await check(file, datetime.now(UTC))).damage


async def test_check_finds_no_fault(file: Path, tmp_path: Path) -> None:
    at = await place_played_database(file)
    with (
        copied_by_litestream(file),
        temporary_copy(file, tmp_path, "the copy") as made,
    ):
        found = await check(made, at)
    assert (found.damage, found.stale) == ((), ())
    assert found.rounds


async def test_backup_and_copies_have_all_moves(file: Path, tmp_path: Path) -> None:
    store = await open_store(file)
    table = await store.tables.create(new_table())
    backup, copied = tmp_path / "backup.db", tmp_path / "copied.db"
    with copied_by_litestream(file):
        await store.tables.commit(table.id, move(0))
        back_up(file, backup)
        await store.close()
        await copy(f"sqlite:///{file}", f"sqlite:///{copied}")
    for each in (backup, copied):
        found = await open_store(each)
        assert len(await found.tables.actions(table.id)) == 2
        await found.close()


async def test_copies_into_a_file_that_litestream_opened_first(file: Path, tmp_path: Path) -> None:
    store = await open_store(file)
    table = await store.tables.create(new_table())
    await store.close()
    target = tmp_path / "target.db"
    with copied_by_litestream(target):
        await copy(f"sqlite:///{file}", f"sqlite:///{target}")
    found = await open_store(target)
    assert await found.tables.get(table.id) is not None
    await found.close()


async def test_refuses_to_replace_an_open_database(file: Path, tmp_path: Path) -> None:
    """Litestream would mix the new database with the old one in its copy."""
    store = await open_store(file)
    table = await store.tables.create(new_table())
    backup = tmp_path / "backup.db"
    back_up(file, backup)
    await store.tables.commit(table.id, move(0))
    await store.close()
    with copied_by_litestream(file):
        before = sorted(path.name for path in tmp_path.iterdir())
        with pytest.raises(StorageUnfit, match="Litestream"):
            restore(backup, file)
        assert sorted(path.name for path in tmp_path.iterdir()) == before
    found = await open_store(file)
    assert len(await found.tables.actions(table.id)) == 2
    await found.close()
    assert restore(backup, file)[1] is not None


async def test_erases_a_person(file: Path) -> None:
    """The log keeps the data until Litestream has emptied it."""
    store = await open_store(file)
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0, seats=seats(), status="playing"))
    log = Path(f"{file}-wal")
    with copied_by_litestream(file) as litestream:
        assert await store.people.forget(UserId(BIG_ID), Rewriting()) is not None
        assert await store.people.sweep()
        await store.people.empty_log()
        assert b"Ann 0" in log.read_bytes()
        litestream.execute("ROLLBACK")
        litestream.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert b"Ann 0" not in file.read_bytes() + log.read_bytes()
        assert b"Ann 1" in file.read_bytes()
    await store.close()


async def test_restored_copy_continues(file: Path, tmp_path: Path) -> None:
    """A file that Litestream restores has its tables and the header of a write-ahead log."""
    await place_played_database(file)
    with copied_by_litestream(file) as litestream:
        litestream.execute("ROLLBACK")
        litestream.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(file, restored := tmp_path / "restored.db")
    target = tmp_path / "new" / "tichu.db"
    target.parent.mkdir()
    restore(restored, target)
    store = await Store.open(f"sqlite:///{target}", LEDGER)
    assert await store.tables.all_open()
    await store.close()
