"""Opens the SQLite file: folder, connections with their pragmas, and migrations at the start.

Used by the store only. Writers begin their transactions with BEGIN IMMEDIATE, so that a
transaction that has begun cannot meet a lock in its middle.
"""

import logging
import os
import sqlite3
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, event, inspect, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.errors import StorageUnavailable, unavailable

MIGRATIONS = Path(__file__).parent / "migrations"
_READERS = 2
_EFFECTIVE = os.access in os.supports_effective_ids
_LOGGING_NAME = "storage"


async def connect(url: str, *, busy_ms: int) -> tuple[AsyncEngine, AsyncEngine]:
    """The engines for writing (one connection) and for reading, on a migrated database.

    Raises StorageUnavailable, with one sentence for a person, if that is not possible.
    """
    location = _location(url)
    _keep_secrets_out_of_logs()
    writer = _engine(location, begin="BEGIN IMMEDIATE", size=1, busy_ms=busy_ms)
    reader = _engine(location, begin="BEGIN", size=_READERS, busy_ms=busy_ms, read_only=True)
    try:
        await _migrate(location, busy_ms)
        for engine in (writer, reader):
            async with engine.connect() as connection:
                await connection.run_sync(_check_pragmas, busy_ms)
    except BaseException as error:
        await writer.dispose()
        await reader.dispose()
        if isinstance(error, SQLAlchemyError):
            raise unavailable(f"opening the database {location.database}", error) from error
        raise
    return writer, reader


def migration_config(connection: Connection) -> Config:
    """Alembic's settings for our migrations on this connection; there is no alembic.ini.

    A developer makes a new revision with `alembic.command.revision(config, autogenerate=True)`.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _location(url: str) -> URL:
    """The URL for SQLAlchemy of a file that can be opened; made here if it was missing."""
    try:
        location = make_url(url)
    except ArgumentError as error:
        raise StorageUnavailable("The database URL cannot be read.") from error
    path = location.database
    if location.drivername not in ("sqlite", "sqlite+aiosqlite"):
        raise StorageUnavailable("The database URL must begin with sqlite:///.")
    if not path or path.startswith((":memory:", "file:")):
        raise StorageUnavailable(
            "The database URL must name a file, as in sqlite:///data/tichu.db."
        )
    folder = Path(path).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnavailable(
            f"The folder {folder} for the database cannot be created: {error.strerror}."
        ) from error
    for needed in (folder, Path(path)):
        if needed.exists() and not os.access(needed, os.W_OK, effective_ids=_EFFECTIVE):
            raise StorageUnavailable(f"The database needs to write {needed}, but it is read-only.")
    try:  # aiosqlite leaves a thread behind when it cannot open a file
        sqlite3.connect(path).close()
    except sqlite3.Error as error:
        raise unavailable(f"opening the database {path}", error) from error
    return location.set(drivername="sqlite+aiosqlite")


def _keep_secrets_out_of_logs() -> None:
    """aiosqlite logs every statement's parameters at DEBUG, SQLAlchemy every row: never do."""
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    logging.getLogger(f"sqlalchemy.engine.Engine.{_LOGGING_NAME}").setLevel(logging.WARNING)


def _engine(
    location: URL,
    *,
    begin: str,
    size: int,
    busy_ms: int,
    read_only: bool = False,
    foreign_keys: bool = True,
) -> AsyncEngine:
    engine = create_async_engine(
        location,
        hide_parameters=True,
        logging_name=_LOGGING_NAME,
        pool_size=size,
        max_overflow=0,
    )
    pragmas = [
        f"busy_timeout={busy_ms}",
        "journal_mode=WAL",
        "synchronous=FULL",
        f"foreign_keys={'ON' if foreign_keys else 'OFF'}",
        f"query_only={'ON' if read_only else 'OFF'}",
    ]

    @event.listens_for(engine.sync_engine, "connect")
    def _set_up(dbapi_connection: Any, _record: Any) -> None:
        try:
            dbapi_connection.isolation_level = None  # sqlite3 begins nothing by itself
            cursor = dbapi_connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except BaseException:
            dbapi_connection.close()
            raise

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _check_pragmas(connection: Connection, busy_ms: int) -> None:
    wanted = {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "synchronous": 2,
        "busy_timeout": busy_ms,
    }
    for pragma, value in wanted.items():
        if connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() != value:
            raise StorageUnavailable(
                f"The database does not accept the setting {pragma}={value};"
                " it must lie on a local disk, not on a network drive."
            )


async def _migrate(location: URL, busy_ms: int) -> None:
    """Brings the schema to the newest version, in one transaction, or leaves it as it was.

    Foreign keys are off meanwhile, as SQLite asks for when tables are rebuilt, and checked after.
    """
    engine = _engine(location, begin="BEGIN IMMEDIATE", size=1, busy_ms=busy_ms, foreign_keys=False)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade, str(location.database))
    except CommandError as error:
        raise StorageUnavailable("The database could not be brought up to date.") from error
    finally:
        await engine.dispose()


def _upgrade(connection: Connection, path: str) -> None:
    config = migration_config(connection)
    script = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_heads()
    if not current and inspect(connection).get_table_names():
        raise StorageUnavailable(f"The file {path} is a database of another program.")
    if not set(current) <= {revision.revision for revision in script.walk_revisions()}:
        raise StorageUnavailable(
            f"The database {path} was written by a newer version of this program; update the bot."
        )
    if set(current) != set(script.get_heads()):
        command.upgrade(config, "head")
        if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
            raise StorageUnavailable(f"The database {path} holds rows that contradict each other.")
    # Changes nothing, but fails now and not at the first move if the file is read-only.
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
