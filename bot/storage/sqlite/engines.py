"""Engines and maintenance of a SQLite file.

Writers begin their transactions with BEGIN IMMEDIATE, so that a running transaction never waits for
a lock.
"""

import contextlib
import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    MetaData,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.errors import StorageUnavailable, StorageUnfit
from bot.storage.sqlite import connections
from bot.storage.sqlite.errors import reason

_READERS = 2
_EFFECTIVE_IDS = os.access in os.supports_effective_ids
"""True if `os.access` can check the effective user instead of the real one."""
_LOGGING_NAME = "storage"
_PARTS = """SELECT type, name FROM sqlite_master WHERE sql NOT NULL UNION ALL
SELECT 'column', own.name || '.' || each.name FROM sqlite_master AS own
JOIN pragma_table_info(own.name) AS each WHERE own.type = 'table'"""
"""Query for kind and name of each table, column, index and trigger."""


# --- the file ------------------------------------------------------------------------------------

_LOG_BUSY_S = 0.5
"""Timeout for readers that prevent the log from being emptied."""
_COMPACT_BUSY_S = 5.0


def compact(path: Path) -> None:
    """Rewrite a database without free pages, and empty its log."""
    _execute_separately(path, _COMPACT_BUSY_S, "VACUUM")
    empty_log(path)


def empty_log(path: Path) -> None:
    """Move the log to the file and empty it, unless a reader needs it for long."""
    _execute_separately(path, _LOG_BUSY_S, "PRAGMA wal_checkpoint(TRUNCATE)")


def close_log(path: Path) -> None:
    """Move the log to the file and delete it; the next connection creates another one.

    Raises `sqlite3.OperationalError` with `SQLITE_BUSY` if another connection is open.
    """
    _execute_separately(path, _LOG_BUSY_S, "PRAGMA journal_mode=DELETE")


def _execute_separately(path: Path, busy_s: float, statement: str) -> None:
    """Execute a statement without a transaction, on a separate connection."""
    made = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
    with contextlib.closing(made) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute(statement).fetchall()


# --- schema and references ------------------------------------------------------------------------


def database_objects(connection: Connection) -> set[tuple[str, str]]:
    """Return tables, columns, indexes and triggers of a database, by kind and name."""
    return {(str(kind), str(name)) for kind, name in connection.exec_driver_sql(_PARTS)}


def expected_objects(schema: MetaData) -> set[tuple[str, str]]:
    """Return the objects of a new database of this schema, created in memory."""
    engine = create_engine(make_url("sqlite://"))
    try:
        with engine.begin() as connection:
            schema.create_all(connection)
            return database_objects(connection)
    finally:
        engine.dispose()


def broken_references(execute: Callable[[str], Iterable[Sequence[Any]]]) -> Mapping[str, int]:
    """Return the number of rows with a broken reference, by table.

    `execute` executes a statement on a connection of sqlite3 or SQLAlchemy.
    """
    return Counter(str(row[0]) for row in execute("PRAGMA foreign_key_check"))


# --- connections ---------------------------------------------------------------------------------


def engines(location: URL, *, busy_ms: int) -> tuple[AsyncEngine, AsyncEngine]:
    """Return the engines for writing (one connection) and for reading."""
    writer = engine(location, begin="BEGIN IMMEDIATE", size=1, busy_ms=busy_ms)
    reader = engine(location, begin="BEGIN", size=_READERS, busy_ms=busy_ms, read_only=True)
    return writer, reader


def separate_engine(location: URL, *, busy_ms: int) -> AsyncEngine:
    """Return an engine with one connection, whose temporary tables are in memory.

    A transaction takes the write lock at its first statement, provided that statement writes.
    """
    return engine(location, begin="BEGIN", size=1, busy_ms=busy_ms, more=["temp_store=MEMORY"])


def migration_engine(location: URL, *, busy_ms: int) -> AsyncEngine:
    """Return an engine for migrations.

    Foreign keys are off, as SQLite requires for rebuilding tables.
    """
    return engine(location, begin="BEGIN IMMEDIATE", size=1, busy_ms=busy_ms, foreign_keys=False)


def file_location(url: str) -> URL:
    """Return SQLAlchemy's URL of a database file that can be opened; create it if missing."""
    try:
        location = make_url(url)
    except ArgumentError as error:
        raise StorageUnfit("The database URL cannot be read.") from error
    path = location.database
    if location.drivername not in ("sqlite", "sqlite+aiosqlite"):
        raise StorageUnfit("The database URL must begin with sqlite:///.")
    if not path or path.startswith((":memory:", "file:")):
        raise StorageUnfit("The database URL must name a file, as in sqlite:///data/tichu.db.")
    if Path(path).is_symlink():  # SQLite keeps its other files beside the real file
        path = str(Path(path).resolve())
        location = location.set(database=path)
    folder = Path(path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnfit(
            f"The folder {folder} for the database cannot be created: {error.strerror}."
        ) from error
    for needed in (folder, Path(path)):
        if needed.exists() and not os.access(needed, os.W_OK, effective_ids=_EFFECTIVE_IDS):
            raise StorageUnfit(f"The database needs to write {needed}, but it is read-only.")
    try:  # aiosqlite leaves a thread behind when it cannot open a file
        sqlite3.connect(path).close()
    except sqlite3.Error as error:
        raise StorageUnavailable(
            f"Error while opening the database {path}: {reason(error)}."
        ) from error
    return location.set(drivername="sqlite+aiosqlite")


def keep_secrets_out_of_logs() -> None:
    """Disable DEBUG logs of aiosqlite and SQLAlchemy, which contain stored values."""
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    logging.getLogger(f"sqlalchemy.engine.Engine.{_LOGGING_NAME}").setLevel(logging.WARNING)


def engine(
    location: URL,
    *,
    begin: str,
    size: int,
    busy_ms: int,
    read_only: bool = False,
    foreign_keys: bool = True,
    more: Sequence[str] = (),
) -> AsyncEngine:
    """Return an engine with our pragmas, whose transactions start with `begin`."""
    made = create_async_engine(
        location,
        hide_parameters=True,
        logging_name=_LOGGING_NAME,
        pool_size=size,
        max_overflow=0,
        connect_args={"async_creator_fn": connections.connect},
    )
    pragmas = [
        f"busy_timeout={busy_ms}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "secure_delete=ON",  # deleted data are overwritten, not only marked as free
        f"foreign_keys={'ON' if foreign_keys else 'OFF'}",
        f"query_only={'ON' if read_only else 'OFF'}",
        *more,
    ]

    @event.listens_for(made.sync_engine, "connect")
    def _connect(dbapi_connection: Any, _record: Any) -> None:
        try:
            dbapi_connection.isolation_level = None  # sqlite3 begins nothing by itself
            cursor = dbapi_connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except BaseException:
            dbapi_connection.close()
            raise

    @event.listens_for(made.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return made


def check_pragmas(connection: Connection, busy_ms: int) -> None:
    """Raise `StorageUnfit` if the database does not accept one of the settings."""
    wanted = {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "synchronous": 2,
        "busy_timeout": busy_ms,
    }
    for pragma, value in wanted.items():
        if connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() != value:
            raise StorageUnfit(
                f"The database does not accept the setting {pragma}={value};"
                " it must lie on a local disk, not on a network drive."
            )
