"""Behaviour of PostgreSQL alone, run only by `make test-postgres`."""

import logging
import shutil
import sqlite3
import traceback
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from bot.rating.ledger import LEDGER
from bot.records import Change
from bot.storage import StorageError, StorageUnavailable, Store, versions
from bot.storage.copying import copy
from bot.storage.database import Database
from bot.storage.postgres.backend import Postgres, name_of, parts
from bot.storage.schema import metadata
from tests.bot.storage.samples import SECRET, action, new_table
from tests.bot.stored_versions import DEVELOPMENT, place

ROOT = Path(__file__).parents[3]
_DEFINITIONS = """SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE 'alembic%'
UNION ALL SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = 'public' AND tablename <> 'alembic_version'
UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT table_name || '.' || column_name, data_type || coalesce(column_default, '')
FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'alembic_version'"""


async def test_migrations_create_the_schema(database: Database) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    def made(connection: Connection) -> tuple[set[Any], set[tuple[str, str]]]:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
        metadata.create_all(connection)
        return set(connection.execute(text(_DEFINITIONS)).all()), parts(connection)

    async with database.reader.connect() as connection:
        assert await connection.run_sync(differences) == []
        migrated = set((await connection.execute(text(_DEFINITIONS))).all())
        parts_before = await connection.run_sync(parts)
    async with database.writer.begin() as connection:
        direct, parts_after = await connection.run_sync(made)
    assert migrated == direct
    assert {part for part in parts_before if "alembic" not in part[1]} == parts_after


async def test_takes_over_the_last_development_state(
    store: Store,
    url: str,
    outside: sqlite3.Connection,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its schema was compared with the first one of 1.0 when that was made."""
    outside.execute("DROP SCHEMA public CASCADE")
    outside.execute("CREATE SCHEMA public")
    first, *later = versions.all_versions()
    folder = shutil.copytree(versions.MIGRATIONS, tmp_path / "migrations")
    for version in later:
        next((folder / "versions").glob(f"{version}_*.py")).unlink()
    monkeypatch.setattr(versions, "MIGRATIONS", folder)
    old = await Store.open(url, LEDGER)
    table = await old.tables.create(new_table())
    await old.close()
    stored = outside.execute("SELECT version_num FROM alembic_version").fetchall()
    assert stored == [(first,)]
    outside.execute("UPDATE alembic_version SET version_num = '0019'")
    monkeypatch.undo()
    again = await Store.open(url, LEDGER)
    assert await again.tables.get(table.id) is not None
    await again.close()
    stored = outside.execute("SELECT version_num FROM alembic_version").fetchall()
    assert stored == [(versions.newest_version(),)]


async def test_errors_and_logs_contain_no_cards(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    table = await store.tables.create(new_table(details=f'"{SECRET}"'))
    dealt = Change(actions=(action(1, SECRET),), details=f'["{SECRET}"]')
    await store.tables.commit(table.id, dealt)
    shown = []
    for change in (dealt, Change(actions=(action(2, SECRET),), details=f"no json {SECRET}")):
        with pytest.raises(StorageError) as refused:
            await store.tables.commit(table.id, change)
        shown += traceback.format_exception(refused.value)
    shown += [f"{record.getMessage()} {record.args}" for record in caplog.records]
    assert SECRET not in "".join(shown)
    assert await store.tables.actions(table.id) == [action(1, SECRET)]


async def test_errors_do_not_contain_the_password() -> None:
    password = "hidden"
    made = Postgres(f"postgresql+asyncpg://bot:{password}@db/tichu?password={password}", busy_ms=1)
    assert password not in made.name + name_of(made.location)
    with pytest.raises(StorageUnavailable) as refused:
        await Database.open(f"postgresql+asyncpg://bot:{password}@/x?host={ROOT}", busy_ms=1)
    assert password not in "".join(traceback.format_exception(refused.value))


async def test_bot_moves_from_a_file_to_a_server_and_back(
    store: Store, outside: sqlite3.Connection, tmp_path: Path
) -> None:
    """An old file is migrated on the way; new tables get numbers after the old ones."""
    await store.close()
    outside.execute("DROP SCHEMA public CASCADE")
    outside.execute("CREATE SCHEMA public")
    url = store._database.writer.url.render_as_string(hide_password=False)  # noqa: SLF001
    place(DEVELOPMENT, tmp_path / "old.db")
    copied = await copy(f"sqlite:///{tmp_path}/old.db", url)
    assert copied.tables > 40
    assert await copy(url, f"sqlite:///{tmp_path}/new.db") == copied
    with pytest.raises(StorageError, match="holds something already"):
        await copy(f"sqlite:///{tmp_path}/old.db", url)
    moved = await Store.open(url, LEDGER)
    (last,) = outside.execute("SELECT max(id) FROM tables").fetchall()
    assert (await moved.tables.create(new_table(99))).id == last[0] + 1
    await moved.close()
    dumps = []
    for name in ("old", "new"):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as file:
            dumps.append(sorted(line for line in file.iterdump() if line.startswith("INSERT")))
    assert dumps[0] == dumps[1]
