"""Somebody copies another valid database over the one that is open: nothing is stored on top."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from io import FileIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.ids import TableId
from bot.storage import StorageUnavailable, StorageUnfit, Store
from bot.storage.sqlite import open_file
from bot.storage.sqlite.backup import back_up
from tests.bot.databases import open_store, set_pragma
from tests.bot.storage.samples import move, new_table

pytestmark = pytest.mark.sqlite("it is about the file")


@pytest.fixture(autouse=True)
def _small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of these tests is nearly full when it has few entries."""
    monkeypatch.setattr(open_file, "_NEARLY_FULL", 20)


Spoil = Callable[[Path, Path], None]
"""Puts something of a copy (second) over the database or beside it (first)."""


def beside(file: Path, end: str) -> Path:
    """A file beside a database."""
    return file.with_name(file.name + end)


def over(file: Path, copy: Path) -> None:
    """As `cp` does: the same file with other content."""
    file.write_bytes(copy.read_bytes())


def over_with_log(file: Path, copy: Path) -> None:
    """With the log that stood beside the copied file."""
    over(file, copy)
    over(beside(file, "-wal"), beside(copy, "-wal"))


def only_log(file: Path, copy: Path) -> None:
    """Only the log, as far as it had come then."""
    over(beside(file, "-wal"), beside(copy, "-wal"))


def over_without_log(file: Path, copy: Path) -> None:
    """As a manual tells for a database that nobody has open."""
    over(file, copy)
    beside(file, "-wal").unlink()
    beside(file, "-shm").unlink()


def over_smaller(file: Path, copy: Path) -> None:
    """An empty one."""
    small = copy.with_name("small.db")
    connection = sqlite3.connect(small)
    connection.execute("CREATE TABLE empty (here)")
    connection.close()
    over(file, small)


def over_larger(file: Path, copy: Path) -> None:
    """One with much more in it."""
    connection = sqlite3.connect(copy)
    connection.execute("CREATE TABLE much (here)")
    connection.executemany("INSERT INTO much VALUES (zeroblob(4000))", [()] * 300)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    over(file, copy)


def made_backup(file: Path, copy: Path) -> None:
    """A backup, made while the database is open."""
    back_up(file, copy)


def copied_files(file: Path, copy: Path) -> None:
    """The file as it is, and its log."""
    for end in ("", "-wal"):
        shutil.copyfile(beside(file, end), beside(copy, end))


async def a_store(file: Path) -> tuple[Store, int]:
    """A store whose log is copied into the file soon, and the number of a table in it."""
    store = await open_store(file)
    await set_pragma(store._database, "wal_autocheckpoint = 40")  # noqa: SLF001 - for tests alone
    table = await store.tables.create(new_table())
    return store, table.id


async def go_on(store: Store, table_id: TableId) -> int:
    """Store one more move; the number of the actions then."""
    await store.tables.commit(table_id, move(len(await store.tables.actions(table_id))))
    return len(await store.tables.actions(table_id))


async def as_far_as_a_checkpoint(store: Store, table_id: TableId, file: Path) -> None:
    """Store moves until SQLite copies the log into the file."""
    before, seq = file.stat().st_mtime_ns, len(await store.tables.actions(table_id))
    while file.stat().st_mtime_ns == before:
        await store.tables.commit(table_id, move(seq))
        seq += 2


@pytest.mark.parametrize("copied_since", [False, True])
@pytest.mark.parametrize("spoil", [over, over_without_log, over_smaller, over_larger])
async def test_a_backup_over_the_open_file(
    tmp_path: Path, spoil: Spoil, copied_since: bool
) -> None:
    file, copy = tmp_path / "tichu.db", tmp_path / "copy.db"
    store, table_id = await a_store(file)
    await as_far_as_a_checkpoint(store, TableId(table_id), file)
    await go_on(store, TableId(table_id))
    made_backup(file, copy)
    if copied_since:
        await as_far_as_a_checkpoint(store, TableId(table_id), file)
    seq = await go_on(store, TableId(table_id))
    spoil(file, copy)
    for _ in range(2):
        with pytest.raises(StorageUnavailable, match="another copy was put over"):
            await store.tables.commit(TableId(table_id), move(seq))
    await store.close()
    with pytest.raises(StorageUnfit, match="Put a backup in its place"):
        await open_store(file)


@pytest.mark.parametrize("spoil", [over_with_log, only_log])
async def test_an_older_log(tmp_path: Path, spoil: Spoil) -> None:
    file, copy = tmp_path / "tichu.db", tmp_path / "copy.db"
    store, table_id = await a_store(file)
    await go_on(store, TableId(table_id))
    copied_files(file, copy)
    seq = await go_on(store, TableId(table_id))
    spoil(file, copy)
    with pytest.raises(StorageUnavailable, match="another copy was put over"):
        await store.tables.commit(TableId(table_id), move(seq))
    await store.close()


async def test_the_right_file_is_put_back(tmp_path: Path) -> None:
    file, copy, right = (tmp_path / name for name in ("tichu.db", "copy.db", "right.db"))
    store, table_id = await a_store(file)
    await go_on(store, TableId(table_id))
    made_backup(file, copy)
    await as_far_as_a_checkpoint(store, TableId(table_id), file)
    seq = await go_on(store, TableId(table_id))
    shutil.copyfile(file, right)
    over(file, copy)
    with pytest.raises(StorageUnavailable, match="another copy was put over"):
        await store.tables.commit(TableId(table_id), move(seq))
    over(file, right)
    seq = await go_on(store, TableId(table_id))
    await store.close()
    store = await open_store(file)
    assert len(await store.tables.actions(TableId(table_id))) == seq
    await store.close()


async def test_a_backup_that_takes_the_place_of_a_mixture_is_as_good_as_any(tmp_path: Path) -> None:
    file, copy = tmp_path / "tichu.db", tmp_path / "copy.db"
    store, table_id = await a_store(file)
    made_backup(file, copy)
    seq = await go_on(store, TableId(table_id))
    over(file, copy)
    with pytest.raises(StorageUnavailable, match="another copy was put over"):
        await store.tables.commit(TableId(table_id), move(seq))
    await store.close()
    file.rename(tmp_path / "kept.db")
    copy.rename(file)
    store = await open_store(file)
    assert await store.tables.actions(TableId(table_id)) == []
    await store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.db", "tichu.db"]


async def test_checkpoints_and_other_writers_are_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "tichu.db"
    store, table_id = await a_store(file)
    other = sqlite3.connect(file)
    for turn in range(30):
        await go_on(store, TableId(table_id))
        other.execute(f"PRAGMA wal_checkpoint({('PASSIVE', 'RESTART', 'TRUNCATE')[turn % 3]})")
        other.execute("UPDATE tables SET ended_at = ended_at")
        other.commit()
    other.close()
    file.touch()
    await go_on(store, TableId(table_id))
    await store.close()


@pytest.mark.parametrize("nth", range(1, 9))
async def test_a_checkpoint_between_two_looks_at_the_files_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    file = tmp_path / "tichu.db"
    store, table_id = await a_store(file)
    other, looks = sqlite3.connect(file), count(1)

    def read(*arguments: Any) -> bytes:
        found = real(*arguments)
        if next(looks) == nth:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        return found

    real = open_file._read  # noqa: SLF001 - the moment cannot be had otherwise
    monkeypatch.setattr(open_file, "_read", read)
    for _ in range(3):
        await go_on(store, TableId(table_id))
    other.close()
    await store.close()


async def test_another_program_that_writes_all_the_while_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tichu.db"
    store, table_id = await a_store(file)
    await go_on(store, TableId(table_id))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("PRAGMA wal_autocheckpoint = 0")
    headers = count(1)

    def read(opened: FileIO, size: int, at: int = 0) -> bytes:
        if opened.name == str(file):
            turn = next(headers)
            if turn <= 5:
                other.execute(f"PRAGMA user_version = {turn}")
            if turn == 5:
                other.execute("PRAGMA wal_checkpoint(RESTART)")
                other.execute("PRAGMA user_version = 100")
        return real(opened, size, at)

    real = open_file._read  # noqa: SLF001 - the moment cannot be had otherwise
    monkeypatch.setattr(open_file, "_read", read)
    for _ in range(3):
        await go_on(store, TableId(table_id))
    other.close()
    await store.close()


async def test_a_disk_that_cannot_be_read_for_once_is_no_other_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tichu.db"
    store, table_id = await a_store(file)
    seq = await go_on(store, TableId(table_id))

    def failing(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(open_file, "_read", failing)
        assert await go_on(store, TableId(table_id)) == seq + 2
    await as_far_as_a_checkpoint(store, TableId(table_id), file)
    await go_on(store, TableId(table_id))
    await store.close()
