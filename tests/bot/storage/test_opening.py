"""Opening the database: connection settings, refusals and migrations."""

import os
import re
import shutil
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from bot.ids import TableId
from bot.rating.ledger import LEDGER
from bot.records import Fence
from bot.storage import StorageUnavailable, StorageUnfit, Store, instance_lock, versions
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.storage.tables import read_table
from bot.storage.versions import LAST_DEVELOPMENT_SCHEMA
from tests.bot.databases import place_file
from tests.bot.postgres import ON_POSTGRES
from tests.bot.storage.lock_holder import held_elsewhere
from tests.bot.storage.samples import move, new_table
from tests.bot.stored_versions import DEVELOPMENT, place

_ANOTHER = '''"""Adds a column."""
import sqlalchemy as sa
from alembic import op
revision = "9998"
down_revision = "{newest}"
def upgrade():
    op.add_column("tables", sa.Column("mood", sa.Text()))
    {then}
'''


@pytest.fixture
def another_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy our migrations with one more, and let the program use them."""
    folder, newest = tmp_path / "migrations", versions.newest_version()
    shutil.copytree(versions.MIGRATIONS, folder)
    monkeypatch.setattr(versions, "MIGRATIONS", folder)
    another = folder / "versions" / "9998_another.py"
    another.write_text(_ANOTHER.format(newest=newest, then="pass"))
    return another


@pytest.fixture
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the root user of the tests become nobody, so that permissions count."""
    nobody, is_root = 65534, os.geteuid() == 0
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if is_root:  # the user `nobody` may not be able to enter root's checkout
            migrations = shutil.copytree(versions.MIGRATIONS, Path(folder) / "migrations")
            for place in (Path(folder), migrations, *migrations.rglob("*")):
                os.chown(place, nobody, -1)
            monkeypatch.setattr(versions, "MIGRATIONS", migrations)
            os.seteuid(nobody)
        try:
            own = Path(folder) / "own"
            own.mkdir()
            yield own
        finally:
            if is_root:
                os.seteuid(0)


@pytest.mark.sqlite("it is about the file")
async def test_every_connection_has_its_pragmas(database: Database) -> None:
    wanted = {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 50}
    for engine in (database.writer, database.reader):
        async with engine.connect() as first:
            for name, value in wanted.items():
                assert (await first.exec_driver_sql(f"PRAGMA {name}")).scalar() == value

    def settings(connection: Connection) -> list[object]:
        return [connection.scalar(text(f"PRAGMA {name}")) for name in wanted]

    assert await database.write("looking", settings) == list(wanted.values())
    async with database.reader.connect() as reader:
        with pytest.raises(Exception, match="readonly"):
            await reader.exec_driver_sql("DELETE FROM app_state")


@pytest.mark.sqlite("it is about the file")
async def test_creates_a_missing_folder_and_fills_an_empty_file(file: Path, url: str) -> None:
    file.parent.mkdir(parents=True)
    file.touch()
    await (await Store.open(url, LEDGER)).close()
    shutil.rmtree(file.parent)
    store = await Store.open(url, LEDGER)
    assert await store.tables.all_open() == []
    await store.close()
    assert [path.name for path in file.parent.iterdir()] == ["bot.db"]  # no -wal left behind


async def test_does_not_depend_on_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await (await Store.open("sqlite+aiosqlite:///data/bot.db", LEDGER)).close()
    assert (tmp_path / "data" / "bot.db").is_file()


@pytest.mark.parametrize(
    "url", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "postgresql://x/y"]
)
async def test_refuses_a_url_without_a_file(url: str) -> None:
    with pytest.raises(StorageUnavailable, match="database URL"):
        await Store.open(url, LEDGER)


@pytest.mark.parametrize(
    "authority", ["a@secret@host", "a@b/secret@host", "a@host:secret@host", "a@host:secret"]
)
async def test_never_shows_the_end_of_a_password(authority: str) -> None:
    """Of a password with @, the library takes the end for the host or the port."""
    with pytest.raises(StorageUnfit) as caught:
        await Store.open(f"postgresql+asyncpg://tichu:{authority}/tichu", LEDGER)
    assert "secret" not in "".join(traceback.format_exception(caught.value))


async def test_refuses_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageUnavailable, match="cannot be created: File exists"):
        await Store.open(f"sqlite:///{tmp_path}/file/bot.db", LEDGER)


async def test_refuses_a_directory_in_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be opened"):
        await Store.open(f"sqlite:///{tmp_path}", LEDGER)


async def test_refuses_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "bot.db"
    file.write_text("Dear diary, " * 500)
    with pytest.raises(StorageUnfit, match="the file is not a database"):
        await Store.open(f"sqlite:///{file}", LEDGER)
    assert file.read_text().startswith("Dear diary")


async def test_damaged_file_is_a_permanent_failure(tmp_path: Path) -> None:
    """A retry is pointless, because an operator has to repair it."""
    file = tmp_path / "bot.db"
    await place_file(file)
    with file.open("r+b") as opened:
        opened.seek(100)
        opened.write(b"something else" * 1000)
    with pytest.raises(StorageUnfit, match="the database file is damaged"):
        await Store.open(f"sqlite:///{file}", LEDGER)


async def test_refuses_the_database_of_another_program(tmp_path: Path) -> None:
    file = tmp_path / "bot.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipes (name)")
    with pytest.raises(StorageUnavailable, match="another program"):
        await Store.open(f"sqlite:///{file}", LEDGER)


@pytest.mark.parametrize("read_only", ["bot.db", "."])
async def test_refuses_a_read_only_file_or_folder(read_only: str, ordinary_user: Path) -> None:
    url = f"sqlite:///{ordinary_user}/bot.db"
    await place_file(ordinary_user / "bot.db")
    path = ordinary_user / read_only
    path.chmod(0o500)
    with pytest.raises(StorageUnavailable, match="read-only"):
        await Store.open(url, LEDGER)
    path.chmod(0o700)
    await (await Store.open(url, LEDGER)).close()


async def test_refuses_a_file_that_only_sqlite_finds_read_only(
    ordinary_user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{ordinary_user}/bot.db"
    await place_file(ordinary_user / "bot.db")
    (ordinary_user / "bot.db").chmod(0o400)
    monkeypatch.setattr("os.access", lambda *_, **__: True)
    with pytest.raises(StorageUnavailable, match="the database or its folder is read-only"):
        await Store.open(url, LEDGER)


async def test_refuses_a_locked_database(url: str, outside: sqlite3.Connection) -> None:
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable, match="locked by another program"):
        await Store.open(url, LEDGER, busy_ms=20)
    outside.execute("ROLLBACK")
    await (await Store.open(url, LEDGER, busy_ms=20)).close()


@pytest.mark.sqlite("test_postgres.py has its own")
async def test_migrations_create_the_schema(
    database: Database, outside: sqlite3.Connection
) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    async with database.reader.connect() as connection:
        assert await connection.run_sync(differences) == []

    engine = create_engine("sqlite://")  # compare_metadata ignores CHECK constraints and triggers
    with engine.begin() as connection_:
        metadata.create_all(connection_)
        direct = _definitions(connection_.exec_driver_sql(_MASTER).all())
    engine.dispose()
    assert _definitions(outside.execute(_MASTER).fetchall()) == direct


_MASTER = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version'"


def _definitions(rows: Any) -> dict[str, list[str]]:
    """Return the parts of each object's SQL; added columns share the previous column's line."""
    return {
        name: sorted(
            part
            for line in sql.splitlines()
            for part in re.split(r", (?![^(]*\))", line.strip(" \t,"))
        )
        for name, sql in rows
    }


async def test_migrates_an_older_database(
    store: Store, url: str, outside: sqlite3.Connection, another_migration: Path
) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0))
    again = await Store.open(url, LEDGER)
    assert outside.execute("SELECT mood FROM tables").fetchall() == [(None,)]
    assert len(await again.tables.actions(table.id)) == 2
    await again.close()


@pytest.mark.sqlite("stored databases are files")
async def test_takes_over_the_last_development_state(
    file: Path, url: str, another_migration: Path
) -> None:
    """`live/test_updates.py` plays on in this database."""
    file.parent.mkdir(parents=True)
    place(DEVELOPMENT, file)
    with closing(sqlite3.connect(file)) as connection:
        stored = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        assert stored == [(LAST_DEVELOPMENT_SCHEMA,)]
        with pytest.raises(StorageUnfit, match="start this version of the bot once"):
            await read_table(url, TableId(1))
        again = await Store.open(url, LEDGER)
        assert connection.execute("SELECT DISTINCT mood FROM tables").fetchall() == [(None,)]
        stored = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        assert stored == [("9998",)]
        await again.close()


@pytest.mark.parametrize("schema", ["0001", "0018"])
async def test_refuses_an_older_development_state(
    store: Store, url: str, file: Path, outside: sqlite3.Connection, schema: str
) -> None:
    outside.execute(f"UPDATE alembic_version SET version_num = '{schema}'")
    outside.close()
    await store.close()
    before = None if ON_POSTGRES else file.read_bytes()
    for use in (Store.open(url, LEDGER), read_table(url, TableId(1))):
        with pytest.raises(StorageUnfit, match=f"schema {schema} .* commit [0-9a-f]{{12}} once"):
            await use
    assert before == (None if ON_POSTGRES else file.read_bytes())


async def test_opens_the_newest_schema_without_alembic(
    store: Store, url: str, outside: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert versions.newest_version() == ScriptDirectory(versions.MIGRATIONS).get_current_head()
    assert outside.execute("SELECT version_num FROM alembic_version").fetchall() == [
        (versions.newest_version(),)
    ]
    monkeypatch.setitem(sys.modules, "alembic", None)  # importing it fails now
    again = await Store.open(url, LEDGER)
    await again.close()


async def test_failed_migration_changes_nothing(
    store: Store, url: str, outside: sqlite3.Connection, another_migration: Path
) -> None:
    written = another_migration.read_text()
    another_migration.write_text(written.replace("pass", 'op.execute("SELECT * FROM nowhere")'))
    before = outside.execute("SELECT version_num FROM alembic_version").fetchall()
    with pytest.raises(StorageUnavailable):
        await Store.open(url, LEDGER)
    assert outside.execute("SELECT version_num FROM alembic_version").fetchall() == before
    assert "mood" not in {row[1] for row in outside.execute("PRAGMA table_info(tables)")}


@pytest.mark.sqlite("the lock of a file")
async def test_does_not_migrate_a_database_in_use(
    store: Store, url: str, file: Path, outside: sqlite3.Connection, another_migration: Path
) -> None:
    """For example by `report` of a newer version while the older bot still runs."""
    with held_elsewhere(file), pytest.raises(StorageUnfit, match=f"process {os.getpid()}, "):
        await Store.open(url, LEDGER)
    assert "mood" not in {row[1] for row in outside.execute("PRAGMA table_info(tables)")}
    with instance_lock.acquire(file, "run"):  # the bot itself may
        await (await Store.open(url, LEDGER)).close()
    assert "mood" in {row[1] for row in outside.execute("PRAGMA table_info(tables)")}


async def test_does_not_migrate_a_database_with_an_active_lease(
    store: Store, url: str, outside: sqlite3.Connection, another_migration: Path
) -> None:
    now = datetime.now(UTC)
    await store.leases.acquire(["shard 0 of 2"], "elsewhere:7:ab", now, now + timedelta(hours=1))
    with pytest.raises(StorageUnfit, match="in use by process 7 on elsewhere"):
        await Store.open(url, LEDGER)
    await store.leases.release([Fence("shard 0 of 2", 1)], now)
    await (await Store.open(url, LEDGER)).close()
    assert outside.execute("SELECT mood FROM tables").fetchall() == []


@pytest.mark.sqlite("the lock of a file")
async def test_opens_a_database_in_use_for_reading(store: Store, url: str, file: Path) -> None:
    with held_elsewhere(file):
        await (await Store.open(url, LEDGER)).close()


async def test_refuses_a_newer_database(
    store: Store, url: str, outside: sqlite3.Connection
) -> None:
    outside.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(
        StorageUnfit, match=f"schema 9999.*knows {versions.newest_version()} at most"
    ):
        await Store.open(url, LEDGER)


async def test_accepts_a_link_to_the_file(tmp_path: Path) -> None:
    file, link = tmp_path / "data" / "tichu.db", tmp_path / "tichu.db"
    file.parent.mkdir()
    link.symlink_to(file)
    store = await Store.open(f"sqlite:///{link}", LEDGER)
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0))
    await store.close()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["tichu.db"]
    store = await Store.open(f"sqlite:///{file}", LEDGER)
    assert await store.tables.actions(table.id)
    await store.close()
