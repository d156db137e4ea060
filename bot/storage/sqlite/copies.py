"""Copies of a SQLite database and their inspection, for backups and checks.

The database is opened for reading only, so that it never changes: even the contents of the
write-ahead log (`-wal`) stay there.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote

from bot.storage.backend import LITESTREAM_TABLES

SIDE_FILE_SUFFIXES: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database."""
Connection = sqlite3.Connection
Error = sqlite3.Error
"""Error raised by all functions here if the database or the disk fails."""
_PAGES_AT_ONCE: Final = 256
"""Pages copied at once (1 MB); other threads can run in between."""
_LISTED: Final = 20
"""Largest number of faults listed."""


@contextmanager
def read_only(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection in a transaction, with a snapshot and no effect on writers.

    The file must exist.
    """
    file = file.resolve()
    log = Path(f"{file}-wal")
    if _is_nonempty(log) or _is_nonempty(Path(f"{file}-journal")):
        how = "mode=ro"
    elif log.exists() or all(os.access(place, os.W_OK) for place in (file, file.parent)):
        # A connection that may write removes its log when it closes; others leave an empty one.
        how = "mode=rw"
    else:  # nobody has it open, and SQLite could not delete its own files beside it
        how = "immutable=1"
    place = f"file:{quote(str(file))}?{how}"
    with closing(sqlite3.connect(place, uri=True, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master")  # starts the transaction
        yield connection


def copy(source: Path, target: Path) -> None:
    """Copy the database `source`, with all commits, to the empty file `target`.

    The copy is a single file.
    """
    with (
        _readable_location(source, target.parent) as file,
        read_only(file) as reader,
        closing(_new(target)) as writer,
    ):
        # Nobody reads the copy before it is complete; after a failure it is deleted.
        writer.execute("PRAGMA synchronous=OFF")
        reader.backup(writer, pages=_PAGES_AT_ONCE)
        writer.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _readable_location(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the path of the database, or of a copy in `folder` if it cannot be read in place.

    To read a log without its index file (`-shm`), SQLite must create the index beside it.
    """
    file = file.resolve()
    needs_index = _is_nonempty(Path(f"{file}-wal")) and not Path(f"{file}-shm").exists()
    if not needs_index or os.access(file.parent, os.W_OK):
        yield file
        return
    with TemporaryDirectory(prefix="log-", dir=folder) as own:
        for ending in ("", "-wal"):
            shutil.copyfile(f"{file}{ending}", f"{own}/copy.db{ending}")
        yield Path(own) / "copy.db"


def _is_nonempty(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0


def _new(target: Path) -> sqlite3.Connection:
    return sqlite3.connect(target)


def faults(connection: sqlite3.Connection) -> list[str]:
    """Return the faults of the file in SQLite's words; empty if it is sound.

    They name tables and pages, but contain no stored values.
    """
    try:
        found = connection.execute(f"PRAGMA integrity_check({_LISTED})").fetchall()
    except Error as error:
        if not is_damage(error):
            raise
        return [str(error)]
    return [] if found == [("ok",)] else [str(row[0]) for row in found]


def names(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables in this database, except those of Litestream."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(row[0]) for row in found} - LITESTREAM_TABLES


def number_of_rows(connection: sqlite3.Connection, table: str) -> int:
    """Return the number of rows in this table."""
    (row,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchall()
    return int(row[0])


def version(connection: sqlite3.Connection) -> str:
    """Return the version of the schema."""
    (row,) = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(row[0])


def is_damage(error: Exception) -> bool:
    """Return whether the file is damaged, or no database.

    `SQLITE_ERROR` counts as damage, because the queries of this module succeed on every sound
    database.
    """
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return getattr(error, "sqlite_errorcode", None) in damage


def is_full(error: Exception) -> bool:
    """Return whether the target disk is full."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
