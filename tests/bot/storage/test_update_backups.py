"""Backups made before a schema update; `test_kills.py` kills updates."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.rating.ledger import LEDGER
from bot.runtime.clock import Clock
from bot.storage import StorageError, StorageUnavailable, StorageUnfit, Store, versions
from bot.storage.sqlite import update_backups as backups
from tests.bot.stored_versions import DEVELOPMENT, place

pytestmark = pytest.mark.sqlite("backups are files")

TODAY = date(2026, 11, 22)
OLD = versions.LAST_DEVELOPMENT_SCHEMA


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a database of an older schema."""
    file = tmp_path / "tichu.db"
    place(DEVELOPMENT, file)
    return file


async def updated(file: Path) -> None:
    """Open the database with the current program."""
    await (await Store.open(f"sqlite:///{file}", LEDGER)).close()


def content(file: Path) -> list[str]:
    """Return the whole content of a database as SQL."""
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def made(database: Path) -> list[str]:
    """Return the names of the backups beside a database."""
    return sorted(path.name for path in database.parent.glob("*-schema-*"))


async def test_backs_up_the_database_before_an_update(
    old: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    before = content(old)
    await updated(old)
    (backup,) = old.parent.glob(f"tichu-schema-{OLD}-*.db")
    assert content(backup) == before != content(old)
    assert backup.stat().st_mode & 0o777 == 0o600
    (line,) = [r.getMessage() for r in caplog.records if r.name == "bot.storage.migrate"]
    assert str(backup) in line
    assert f"from schema {OLD} to {versions.newest_version()}" in line


async def test_does_not_back_up_a_new_or_current_database(tmp_path: Path) -> None:
    await updated(tmp_path / "tichu.db")
    await updated(tmp_path / "tichu.db")
    (tmp_path / "empty.db").touch()
    await updated(tmp_path / "empty.db")
    assert made(tmp_path / "tichu.db") == []


async def test_does_not_back_up_a_temporary_copy(
    old: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await (await Store.open(f"sqlite:///{old}", LEDGER, keep=False)).close()
    assert made(old) == []
    assert [record for record in caplog.records if record.name == "bot.storage.migrate"] == []


def test_backup_replaces_no_other_file(old: Path) -> None:
    names = [backups.make(old, OLD, TODAY).name for _ in range(3)]
    stem = f"tichu-schema-{OLD}-2026-11-22"
    assert names == [f"{stem}.db", f"{stem}-2.db", f"{stem}-3.db"]


def test_keeps_a_few_backups_for_some_time(old: Path) -> None:
    """Other files beside them are not removed."""
    for days in (40, 31, 30, 3, 2, 1, 0):
        backups.make(old, OLD, TODAY - timedelta(days=days))
    others = [
        "tichu-schema-0019-2026-11-20.db.old",
        "my-tichu-schema-0019-2026-01-01.db",
        "tichu-schema-mine-2026-01-01.db",
    ]
    for name in others:
        (old.parent / name).touch()
    backups.expire(old, TODAY)
    kept = [f"tichu-schema-0019-2026-11-{day}.db" for day in (20, 21, 22)]
    assert made(old) == sorted([*kept, *others])
    backups.expire(old, date(2026, 12, 21))
    assert made(old) == sorted([*kept[1:], *others])
    assert old.exists()


async def test_backups_expire_while_the_bot_runs(
    old: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = await Store.open(f"sqlite:///{old}", LEDGER, keep=False)
    backups.make(old, OLD, TODAY)
    days: list[list[str]] = []

    async def a_day(seconds: float) -> None:
        assert seconds == 86400
        days.append(made(old))
        if len(days) == 3:
            monkeypatch.setattr(backups, "expire", no_access)
        if len(days) == 5:
            raise Enough

    def no_access(*_: object) -> None:
        raise PermissionError(13, "no access")

    def now() -> datetime:
        return datetime(2026, 12, 21, tzinfo=UTC) + len(days) * timedelta(days=1)

    with pytest.raises(Enough):
        await store.keep_expiring(Clock(now, a_day))
    await store.close()
    assert [len(names) for names in days] == [1, 1, 0, 0, 0]
    assert "no access" in caplog.text


class Enough(Exception):
    """Ends the test after enough days."""


async def test_failed_backup_leaves_the_database_unchanged(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content(old)

    def full(*_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("bot.storage.sqlite.copies.copy", full)
    with pytest.raises(StorageUnavailable, match=r"is full.*takes 1 MB in.*as it was"):
        await updated(old)
    assert content(old) == before
    assert [path.name for path in old.parent.iterdir() if path.name.startswith(".")] == []
    monkeypatch.undo()
    await updated(old)
    assert len(made(old)) == 1


async def test_does_not_update_a_damaged_database(old: Path) -> None:
    with old.open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"something else" * 1000)
    with pytest.raises(StorageUnfit, match="damaged"):
        await updated(old)
    assert made(old) == []


async def test_failed_update_leaves_no_backup(old: Path) -> None:
    with closing(sqlite3.connect(old)) as database, database:
        columns = [column for _, column, *_ in database.execute("PRAGMA table_info(seats)")]
        some = ", ".join("9999" if column == "table_id" else column for column in columns)
        database.execute(f"INSERT INTO seats SELECT {some} FROM seats LIMIT 1")
    before = content(old)
    with pytest.raises(StorageError, match="contradict"):
        await updated(old)
    assert (content(old), made(old)) == (before, [])


async def test_removes_the_remains_of_a_killed_backup(old: Path) -> None:
    folder = old.parent / ".tichu-before-update"
    folder.mkdir()
    (folder / "copy.db").write_bytes(b"half")
    await updated(old)
    assert not folder.exists()
