"""Somebody copies another valid database over the one that is open: nothing is stored on top."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.storage import StorageUnavailable, StorageUnfit, Store
from bot.storage.backup import back_up
from tests.bot.databases import open_store
from tests.bot.storage.samples import move, new_table

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
    connection.execute("CREATE TABLE nothing (here)")
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
    """A store whose file has changed at a checkpoint since the copy, and a table in it."""
    store = await open_store(file)
    table = await store.tables.create(new_table())
    return store, table.id


async def go_on(store: Store, table_id: int, file: Path, *, checkpoint: bool) -> int:
    """Store two actions, with a checkpoint between them if wanted; the number of the last one."""
    first = len(await store.tables.actions(table_id))
    await store.tables.commit(table_id, move(first))
    if checkpoint:
        outside = sqlite3.connect(file)
        outside.execute("PRAGMA wal_checkpoint(PASSIVE)")
        outside.close()
    await store.tables.commit(table_id, move(first + 1))
    return first + 2


@pytest.mark.parametrize("checkpoint", [False, True])
@pytest.mark.parametrize("spoil", [over, over_without_log, over_smaller, over_larger])
async def test_a_backup_over_the_open_file(tmp_path: Path, spoil: Spoil, checkpoint: bool) -> None:
    file, copy = tmp_path / "tichu.db", tmp_path / "copy.db"
    store, table_id = await a_store(file)
    seq = await go_on(store, table_id, file, checkpoint=True)
    made_backup(file, copy)
    seq = await go_on(store, table_id, file, checkpoint=checkpoint)
    spoil(file, copy)
    for _ in range(2):
        with pytest.raises(StorageUnavailable, match="another copy was put over"):
            await store.tables.commit(table_id, move(seq))
    await store.close()
    with pytest.raises(StorageUnfit, match="Put a backup in its place"):
        await open_store(file)


@pytest.mark.parametrize("spoil", [over_with_log, only_log])
async def test_an_older_log(tmp_path: Path, spoil: Spoil) -> None:
    file, copy = tmp_path / "tichu.db", tmp_path / "copy.db"
    store, table_id = await a_store(file)
    await go_on(store, table_id, file, checkpoint=True)
    copied_files(file, copy)
    seq = await go_on(store, table_id, file, checkpoint=False)
    spoil(file, copy)
    with pytest.raises(StorageUnavailable, match="another copy was put over"):
        await store.tables.commit(table_id, move(seq))
    await store.close()


async def test_the_right_file_is_put_back(tmp_path: Path) -> None:
    file, copy, right = (tmp_path / name for name in ("tichu.db", "copy.db", "right.db"))
    store, table_id = await a_store(file)
    made_backup(file, copy)
    seq = await go_on(store, table_id, file, checkpoint=True)
    over(right, file)
    over(file, copy)
    with pytest.raises(StorageUnavailable, match="another copy was put over"):
        await store.tables.commit(table_id, move(seq))
    over(file, right)
    await store.tables.commit(table_id, move(seq))
    await store.close()
    store = await open_store(file)
    assert len(await store.tables.actions(table_id)) == seq + 1
    await store.close()


async def test_a_backup_that_takes_the_place_of_a_mixture_is_as_good_as_any(tmp_path: Path) -> None:
    file, copy = tmp_path / "tichu.db", tmp_path / "copy.db"
    store, table_id = await a_store(file)
    made_backup(file, copy)
    await go_on(store, table_id, file, checkpoint=True)
    over(file, copy)
    with pytest.raises(StorageUnavailable, match="another copy was put over"):
        await store.tables.commit(table_id, move(2))
    await store.close()
    file.rename(tmp_path / "kept.db")
    copy.rename(file)
    store = await open_store(file)
    assert await store.tables.actions(table_id) == []
    await store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.db", "tichu.db"]


async def test_checkpoints_and_other_writers_are_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "tichu.db"
    store, table_id = await a_store(file)
    other = sqlite3.connect(file)
    for turn in range(30):
        await store.tables.commit(table_id, move(turn))
        other.execute(f"PRAGMA wal_checkpoint({('PASSIVE', 'RESTART', 'TRUNCATE')[turn % 3]})")
        other.execute("UPDATE tables SET ended_at = ended_at")
        other.commit()
    other.close()
    file.touch()
    await store.tables.commit(table_id, move(30))
    await store.close()
