"""Restoring a backup, with any files in place of the database."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.ids import TableId
from bot.records import ActionRecord
from bot.storage import Damaged, StorageError, StorageUnavailable, StorageUnfit
from bot.storage.sqlite import copies
from bot.storage.sqlite.backup import back_up, restore
from tests.bot.databases import open_store
from tests.bot.storage.samples import move, new_table

pytestmark = pytest.mark.sqlite("backups are files")


@pytest.fixture
async def backup(tmp_path: Path) -> Path:
    """Return a backup of two moves; the database continued to six and was killed.

    Its write-ahead log is still there.
    """
    place, killed, backup = tmp_path / "play" / "bot.db", tmp_path / "bot.db", tmp_path / "b.db"
    store = await open_store(place)
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0))
    back_up(place, backup)
    for stored in (2, 4):
        await store.tables.commit(table.id, move(stored))
    for ending in ("", "-wal"):
        shutil.copy2(f"{place}{ending}", f"{killed}{ending}")
    await store.close()
    shutil.rmtree(place.parent)
    return backup


async def moves(file: Path) -> list[ActionRecord]:
    """Return the moves of table 1 as a bot reads them."""
    store = await open_store(file)
    found = await store.tables.actions(TableId(1))
    await store.close()
    return found


def names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


async def test_restores_the_content_of_the_backup(backup: Path, tmp_path: Path) -> None:
    database = tmp_path / "bot.db"
    (tmp_path / "bot.db-shm").write_bytes(b"left over")
    found, kept = restore(backup, database)
    assert found == (1, 0, backup.stat().st_size)
    assert names(tmp_path) == ["b.db", "bot.db", "bot.db.replaced-1"]
    assert database.stat().st_mode & 0o777 == 0o600
    assert len(await moves(database)) == 2
    assert kept is not None
    assert len(await moves(kept)) == 6


async def test_leftover_log_would_undo_a_manual_copy(backup: Path, tmp_path: Path) -> None:
    """This is why there is a command."""
    database = tmp_path / "bot.db"
    shutil.copy2(backup, database)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM actions").fetchone() == (6,)


async def test_keeps_each_replaced_database(backup: Path, tmp_path: Path) -> None:
    database = tmp_path / "bot.db"
    assert [restore(backup, database)[1] for _ in range(3)] == [
        tmp_path / f"bot.db.replaced-{number}" for number in (1, 2, 3)
    ]


async def test_restores_without_an_existing_database(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    found, kept = restore(backup, tmp_path / "data" / "bot.db")
    assert (found.tables, kept) == (1, None)
    assert names(tmp_path / "data") == ["bot.db"]


async def test_moves_a_log_without_its_database(backup: Path, tmp_path: Path) -> None:
    database = tmp_path / "bot.db"
    database.unlink()
    assert restore(backup, database)[1] is None
    assert names(tmp_path) == ["b.db", "bot.db", "bot.db.replaced-1-wal"]
    assert len(await moves(database)) == 2
    database.rename(tmp_path / "bot.db-wal")
    assert restore(backup, database)[1] is None
    logs = ["bot.db.replaced-1-wal", "bot.db.replaced-2-wal"]
    assert names(tmp_path) == ["b.db", "bot.db", *logs]


@pytest.mark.parametrize("can_link", [True, False])
async def test_keeps_a_damaged_database_with_its_log(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_link: bool
) -> None:
    database = tmp_path / "bot.db"
    database.write_bytes(b"something else" * 1000)
    log = Path(f"{database}-wal").read_bytes()

    def refuse(*_: Any) -> None:
        raise OSError("this disk has no links")

    if not can_link:
        monkeypatch.setattr(os, "link", refuse)
    kept = restore(backup, database)[1]
    assert kept is not None
    assert kept.read_bytes().startswith(b"something else")
    assert Path(f"{kept}-wal").read_bytes() == log
    assert len(await moves(database)) == 2


async def test_replaces_a_database_behind_a_link_in_place(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "games.db"
    link.symlink_to(tmp_path / "bot.db")
    restore(backup, link)
    assert link.is_symlink()
    assert len(await moves(tmp_path / "bot.db")) == 2


async def test_invalid_backup_changes_nothing(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "bot.db"
    bad = tmp_path / "bad.db"
    whole = backup.read_bytes()
    bad.write_bytes(b"")
    before = names(tmp_path), database.read_bytes()

    def refused(kind: type[StorageError], sentence: str, file: Path = bad) -> None:
        with pytest.raises(kind, match=sentence):
            restore(file, database)
        assert (names(tmp_path), database.read_bytes()) == before

    refused(StorageUnfit, "is empty; it holds no database")
    bad.write_bytes(whole[: 4096 * 5])
    refused(Damaged, "damaged")
    bad.write_text("Dear diary, " * 500)
    refused(Damaged, "is damaged, or no database")
    refused(StorageUnavailable, "There is no database", tmp_path / "missing.db")
    refused(StorageError, "is the database itself", database)
    shutil.copy2(backup, bad)
    for version, sentence in (
        ("9999", "was made by a newer version of this program"),
        ("0018", "has schema 0018 from before version 1.0: start the bot of commit"),
    ):
        with closing(sqlite3.connect(bad)) as other, other:
            other.execute("UPDATE alembic_version SET version_num = ?", [version])
        refused(StorageUnfit, sentence)

    def full(target: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(target)
        connection.execute("PRAGMA max_page_count=5")
        return connection

    monkeypatch.setattr(copies, "_new", full)
    refused(StorageUnavailable, "The disk for the new database is full", backup)
