"""Copies of a whole database of SQLite, and what is looked at in them, for backups and checks.

The database is opened for reading only, so that nothing of it changes: not even what the log beside
it (`-wal`) still holds is moved into the file.
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

BESIDE: Final = ("-wal", "-shm", "-journal")
"""What the names of the files end with that SQLite keeps beside a database."""
Connection = sqlite3.Connection
Error = sqlite3.Error
"""What all functions here raise if the database, or the disk, does not do as it should."""
_PAGES_AT_ONCE: Final = 256
"""A megabyte: other threads of this process get their turn after each."""
_LISTED: Final = 20
"""How many faults of a file are looked for."""


@contextmanager
def read_only(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads, in a transaction: it sees one state, and holds up no writer.

    The file must exist.
    """
    file = file.resolve()
    log = Path(f"{file}-wal")
    if _holds_something(log) or _holds_something(Path(f"{file}-journal")):
        how = "mode=ro"
    elif log.exists() or all(os.access(place, os.W_OK) for place in (file, file.parent)):
        # A connection that may write removes its log when it closes; others leave an empty one.
        how = "mode=rw"
    else:  # nobody has it open, and SQLite could not remove what it would put beside it
        how = "immutable=1"
    place = f"file:{quote(str(file))}?{how}"
    with closing(sqlite3.connect(place, uri=True, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master")  # now it begins
        yield connection


def copy(source: Path, target: Path) -> None:
    """Copy the database `source`, with all that is committed, into the empty file `target`.

    The copy is one file, with no other one beside it.
    """
    with (
        _where_it_can_be_read(source, target.parent) as file,
        read_only(file) as reader,
        closing(_new(target)) as writer,
    ):
        # Nobody else reads the copy before it is whole: a failure throws it away.
        writer.execute("PRAGMA synchronous=OFF")
        reader.backup(writer, pages=_PAGES_AT_ONCE)
        writer.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _where_it_can_be_read(file: Path, folder: Path) -> Iterator[Path]:
    """The database itself, or a copy within `folder` if SQLite would have to write beside it.

    It would if there is a log without the file by which SQLite finds its way in it.
    """
    file = file.resolve()
    alone = _holds_something(Path(f"{file}-wal")) and not Path(f"{file}-shm").exists()
    if not alone or os.access(file.parent, os.W_OK):
        yield file
        return
    with TemporaryDirectory(prefix="log-", dir=folder) as own:
        for ending in ("", "-wal"):
            shutil.copyfile(f"{file}{ending}", f"{own}/copy.db{ending}")
        yield Path(own) / "copy.db"


def _holds_something(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0


def _new(target: Path) -> sqlite3.Connection:
    return sqlite3.connect(target)


def faults(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with the file itself, in SQLite's words; empty if it is sound.

    These name tables and pages, and hold nothing of what is stored.
    """
    try:
        found = connection.execute(f"PRAGMA integrity_check({_LISTED})").fetchall()
    except Error as error:
        if not is_damage(error):
            raise
        return [str(error)]
    return [] if found == [("ok",)] else [str(row[0]) for row in found]


def names(connection: sqlite3.Connection) -> set[str]:
    """The names of the tables in this database."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {str(row[0]) for row in found}


def number_of_rows(connection: sqlite3.Connection, table: str) -> int:
    """How many rows this table has."""
    (row,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchall()
    return int(row[0])


def version(connection: sqlite3.Connection) -> str:
    """The version of the schema."""
    (row,) = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(row[0])


def is_damage(error: Exception) -> bool:
    """Whether the file is damaged, or no database.

    What functions of this file ask for is there in every database, unless its schema is damaged.
    """
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return getattr(error, "sqlite_errorcode", None) in damage


def is_full(error: Exception) -> bool:
    """Whether the disk that was written is full."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
