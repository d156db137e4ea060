"""Backups: one complete file with everything stored, made while others write."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from bot.storage import Damaged, StorageError, StorageUnavailable, StorageUnfit, Store
from bot.storage.sqlite import copies
from bot.storage.sqlite.backup import back_up
from tests.bot.databases import open_store
from tests.bot.storage.samples import move, new_table

pytestmark = pytest.mark.sqlite("backups are files")


def content(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, without SQLite's shared memory, which changes when read."""
    files = (path for path in folder.iterdir() if path.is_file())
    return {path.name: path.read_bytes() for path in files if not path.match("*-shm")}


async def test_backup_is_one_private_and_complete_file(
    store: Store, file: Path, tmp_path: Path
) -> None:
    table = await store.tables.create(new_table())
    await store.tables.commit(table.id, move(0))
    before = content(file.parent)
    made = back_up(file, tmp_path / "copy.db")
    assert made == (1, 0, (tmp_path / "copy.db").stat().st_size)
    assert content(file.parent) == before
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["copy.db"]
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    copy = await open_store(tmp_path / "copy.db")
    assert await copy.tables.actions(table.id) == await store.tables.actions(table.id)
    await copy.close()


async def test_backup_is_readable_without_other_files(
    store: Store, file: Path, tmp_path: Path
) -> None:
    await store.tables.create(new_table())
    back_up(file, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("SELECT count(*) FROM tables").fetchone() == (1,)
        assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]


async def test_writers_do_not_wait_for_a_backup(
    store: Store, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup holds the state at its start, no matter how much is written meanwhile."""
    await store.tables.create(new_table())
    monkeypatch.setattr(copies, "_PAGES_AT_ONCE", 1)
    steps = 0
    with copies.read_only(file) as reader, closing(sqlite3.connect(tmp_path / "c")) as copy:
        with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as writer:

            def write(*_: int) -> None:
                nonlocal steps
                steps += 1
                writer.execute("INSERT INTO app_state VALUES (?, '')", (str(steps),))

            reader.backup(copy, pages=1, progress=write)
        assert copy.execute("SELECT count(*) FROM app_state").fetchone() == (0,)
    with closing(sqlite3.connect(file)) as reader:
        assert reader.execute("SELECT count(*) FROM app_state").fetchone() == (steps,)
        assert steps > 10


def test_backup_includes_commits_of_a_killed_program(tmp_path: Path) -> None:
    source = tmp_path / "bot.db"
    killed = """
import os, sqlite3, sys
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
writer.execute("PRAGMA journal_mode=WAL")
writer.execute("CREATE TABLE alembic_version (version_num)")
writer.execute("CREATE TABLE tables (id)")
writer.execute("CREATE TABLE matches (id)")
writer.execute("INSERT INTO tables VALUES (1)")
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", killed, source], check=False)
    alone = tmp_path / "alone.db"
    alone.write_bytes(source.read_bytes())
    with closing(sqlite3.connect(alone)) as copy, pytest.raises(sqlite3.OperationalError):
        copy.execute("SELECT * FROM tables")
    before = content(tmp_path)
    assert back_up(source, tmp_path / "copy.db").tables == 1
    assert content(tmp_path) == before | {"copy.db": (tmp_path / "copy.db").read_bytes()}


@pytest.mark.parametrize("killed", [False, True])
async def test_backs_up_a_database_in_a_read_only_folder(
    store: Store, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, killed: bool
) -> None:
    """SQLite opens a closed database only where it can create its own files beside it."""
    await store.tables.create(new_table())
    place = tmp_path / "read-only"
    place.mkdir()
    for ending in ("", "-wal") if killed else ():
        shutil.copy(f"{file}{ending}", place / f"{file.name}{ending}")
    if not killed:
        back_up(file, place / file.name)
        with closing(sqlite3.connect(place / file.name)) as stopped:
            stopped.execute("PRAGMA journal_mode=WAL")
    before = content(place)
    monkeypatch.setattr(os, "access", lambda path, mode: path != place)
    with copies.read_only(place / file.name) if not killed else nullcontext():
        assert sorted(path.name for path in place.iterdir()) == sorted(before)
    assert back_up(place / file.name, tmp_path / "copy.db").tables == 1
    assert sorted(path.name for path in place.iterdir()) == sorted(before)
    assert content(place) == before


async def test_replaces_an_existing_file_only_on_request(
    store: Store, file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    back_up(file, copy)
    await store.tables.create(new_table())
    with pytest.raises(StorageError, match=r"copy\.db exists already"):
        back_up(file, copy)
    assert back_up(file, copy, replace=True).tables == 1


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal", ".lock"])
async def test_refuses_the_database_as_its_own_backup(
    store: Store, file: Path, tmp_path: Path, ending: str
) -> None:
    link = tmp_path / "link"
    link.symlink_to(file.parent)
    hard = tmp_path / "hard"
    os.link(file, hard)
    names = [Path(f"{file}{ending}"), link / f"bot.db{ending}"] + [hard] * (not ending)
    before = content(file.parent)
    for name in names:
        with pytest.raises(StorageError, match="the database itself"):
            back_up(file, name, replace=True)
    assert content(file.parent) == before


async def test_refuses_an_impossible_path(store: Store, file: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"There is no folder .*: make it first"):
        back_up(file, tmp_path / "missing" / "copy.db")
    with pytest.raises(StorageError, match="is a folder; name a file in it"):
        back_up(file, tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StorageError, match="is a device, not a file"):
        back_up(file, tmp_path / "pipe", replace=True)
    assert (tmp_path / "pipe").is_fifo()
    (tmp_path / "pipe").unlink()
    with pytest.raises(StorageUnavailable, match="There is no database"):
        back_up(tmp_path / "missing.db", tmp_path / "copy.db")
    (tmp_path / "copy.db-wal").touch()
    with pytest.raises(StorageError, match=r"copy\.db-wal is left over from another database"):
        back_up(file, tmp_path / "copy.db")
    (tmp_path / "copy.db-wal").unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new"]


async def test_full_disk_keeps_the_older_backup(
    store: Store, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.db"
    back_up(file, copy)
    before = content(tmp_path)

    def connect(target: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(target)
        connection.execute("PRAGMA max_page_count=5")
        return connection

    monkeypatch.setattr(copies, "_new", connect)
    with pytest.raises(StorageUnavailable, match=r"The disk for the backup .* is full"):
        back_up(file, copy, replace=True)
    assert content(tmp_path) == before


async def test_refuses_to_back_up_a_damaged_database(tmp_path: Path) -> None:
    """The older backup that would be replaced may be the last intact one."""
    file, copy = tmp_path / "bot.db", tmp_path / "copy.db"
    await (await open_store(file)).close()
    back_up(file, copy)
    before = copy.read_bytes()
    with file.open("r+b") as opened:
        opened.seek(4096 * 3)
        opened.write(b"\xff" * 4096)
    with pytest.raises(StorageUnfit, match="is damaged; no backup was made"):
        back_up(file, copy, replace=True)
    file.write_text("Dear diary, " * 500)
    with pytest.raises(StorageUnfit, match="is damaged, or no database"):
        back_up(file, copy, replace=True)
    file.write_bytes(b"")
    with pytest.raises(StorageUnfit, match="is empty; it holds no database"):
        back_up(file, copy, replace=True)
    assert copy.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.db", "copy.db"]


async def test_reports_a_damaged_schema(tmp_path: Path) -> None:
    file = tmp_path / "bot.db"
    await (await open_store(file)).close()
    file.write_bytes(file.read_bytes().replace(b"CREATE TRIGGER", b"CREATE DRIGGER"))
    with pytest.raises(Damaged, match="is damaged, or no database"):
        back_up(file, tmp_path / "copy.db")
