"""PostgreSQL backend (`bot.storage.backend.Backend`).

Each process has one writing connection (`transactions.py`) and several reading ones.
"""

from __future__ import annotations

import importlib.util
import logging
import socket
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from sqlalchemy import URL, Connection, event, make_url, text
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.runtime.clock import Clock
from bot.storage.errors import StorageUnfit
from bot.storage.postgres import errors, transactions
from bot.storage.postgres.transactions import LOCK_WRITERS

PREFIX: Final = "postgresql+asyncpg://"
"""Prefix of PostgreSQL URLs."""
_READERS = 4
_LOGGING_NAME = "storage"
_CONNECTS_WITHIN_S: Final = 10.0
_NOT_IDLE: Final = {"idle_in_transaction_session_timeout": "5000"}
"""Setting that ends stalled transactions, because they would lock their rows forever."""
_SETTINGS: Final = {
    "application_name": "tichu",
    "synchronous_commit": "on",
    "jit": "off",
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""Settings of all connections; the last three let the server detect lost clients."""
_OF_SOCKET: Final = {
    "TCP_KEEPIDLE": 15,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 20_000,
}
"""Socket options that detect a lost server in the same time, if supported."""
_PARTS = text(
    """SELECT 'table', table_name FROM information_schema.tables
WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
UNION ALL SELECT 'column', table_name || '.' || column_name FROM information_schema.columns
WHERE table_schema = current_schema()
UNION ALL SELECT 'index', indexname FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT 'trigger', trigger_name FROM information_schema.triggers
WHERE trigger_schema = current_schema()"""
)

_T = TypeVar("_T")


def is_postgres(url: str) -> bool:
    """Return whether this is the URL of a PostgreSQL database."""
    return url.startswith(PREFIX)


def is_installed() -> bool:
    """Return whether the driver asyncpg is installed."""
    return importlib.util.find_spec("asyncpg") is not None


def name_of(location: URL) -> str:
    """Return the database's name in messages, without password and options."""
    return location.set(password=None, query={}).render_as_string()


class Postgres:
    """Database on a PostgreSQL server; see `bot.storage.backend.Backend`."""

    def __init__(self, url: str, *, busy_ms: int) -> None:
        if url.count("@") > 1:  # the end of the password would be read, and shown, as the host
            raise StorageUnfit("The database URL has an @ in its password: write it as %40.")
        try:
            self.location = make_url(url)
        except (ArgumentError, ValueError):  # its text may quote a part of the password
            raise StorageUnfit("The database URL cannot be read.") from None
        if not self.location.database:
            raise StorageUnfit(
                "The database URL must name a database, as in postgresql+asyncpg://tichu@host/tichu."
            )
        if not is_installed():
            raise StorageUnfit(
                "The database URL names PostgreSQL, but the package asyncpg is not installed: "
                "python -m pip install --require-hashes -r requirements-postgres.txt."
            )
        self._busy_ms = busy_ms
        logging.getLogger(f"sqlalchemy.engine.Engine.{_LOGGING_NAME}").setLevel(logging.WARNING)

    @property
    def name(self) -> str:
        """Name in messages, without a password."""
        return name_of(self.location)

    def engines(self) -> tuple[AsyncEngine, AsyncEngine]:
        """Return the engines for writing and for reading; readers see one snapshot."""
        reader = self._engine(
            _READERS,
            isolation_level="REPEATABLE READ",
            execution_options={"postgresql_readonly": True},
        )
        return self._engine(1, settings=_NOT_IDLE), reader

    def separate_engine(self) -> AsyncEngine:
        """Return an engine with one connection, for transactions with temporary tables."""
        return self._engine(1)

    def migration_engine(self) -> AsyncEngine:
        """Return an engine for migrations."""
        made = self._engine(1)
        event.listen(made.sync_engine, "begin", self.lock_writers)
        return made

    async def write(
        self, writer: AsyncEngine, work: Callable[[Connection], _T], *, alone: bool
    ) -> _T:
        """Return the result of `work`, called in a write transaction."""
        async with transactions.transaction(writer, alone=alone) as connection:
            return await connection.run_sync(work)

    async def disconnect(self) -> None:
        """Do nothing, because no connection is kept."""

    def problem(self) -> str | None:
        """Return `None`, because a server's database cannot be moved away while in use."""
        return None

    def check_settings(self, connection: Connection) -> None:
        """Do nothing, because the server refuses invalid settings itself."""

    def check_consistency(self, connection: Connection) -> None:
        """Do nothing, because PostgreSQL always enforces its constraints."""

    def lock_writers(self, connection: Connection) -> None:
        """Exclude other writers until the end of this transaction."""
        connection.exec_driver_sql(LOCK_WRITERS)

    def lock(self) -> ExitStack:
        """Lock nothing, because leases exclude a second bot."""
        return ExitStack()

    def keep(self, version: str) -> Path | None:
        """Make no backup, because the tools of the server do that."""

    def expire_backups(self) -> None:
        """Do nothing, because no backups are made."""

    async def keep_expiring(self, clock: Clock) -> None:
        """Do nothing, because no backups are made."""

    def retention(self) -> str:
        """Return that no backups are kept, as a clause."""
        return "none are"

    def restore_advice(self, version: str) -> str:
        """Return how to restore a database of this version, as the end of a sentence."""
        return f"restore a backup of the server with schema {version} (pg_restore)"

    async def compact(self) -> None:
        """Remove deleted data from the pages of the database."""
        engine = self._engine(1, isolation_level="AUTOCOMMIT")
        try:
            async with engine.connect() as connection:
                await connection.execute(text("VACUUM"))
        finally:
            await engine.dispose()

    async def empty_log(self) -> None:
        """Do nothing, because the log belongs to the server."""

    def _engine(
        self, size: int, settings: Mapping[str, str] = MappingProxyType({}), **options: Any
    ) -> AsyncEngine:
        made = create_async_engine(
            self.location,
            hide_parameters=True,
            logging_name=_LOGGING_NAME,
            pool_size=size,
            max_overflow=0,
            connect_args={
                "async_creator_fn": _connect,
                "server_settings": {**_SETTINGS, "lock_timeout": str(self._busy_ms), **settings},
            },
            **options,
        )
        event.listen(made.sync_engine, "handle_error", errors.remove_stored_values)
        event.listen(made.sync_engine, "checkout", _refuse_closed)
        return made


def parts(connection: Connection) -> set[tuple[str, str]]:
    """Return tables, columns, indexes and triggers of the database, by kind and name."""
    return {(str(kind), str(name)) for kind, name in connection.execute(_PARTS)}


async def _connect(*args: Any, **options: Any) -> Any:
    """Open a connection of asyncpg; raise `OperationalError` for any failure."""
    import asyncpg

    try:
        connection = await asyncpg.connect(*args, **options, timeout=_CONNECTS_WITHIN_S)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise errors.connection_error(error) from None
    _detect_lost_server(connection)
    return connection


def _detect_lost_server(connection: Any) -> None:
    """Set socket options that close the connection if the server stops responding."""
    opened = connection._transport.get_extra_info("socket")  # noqa: SLF001 - no other way to it
    if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OF_SOCKET.items():
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _refuse_closed(dbapi_connection: Any, *_: object) -> None:
    """Make the pool replace a connection that the server has closed."""
    if dbapi_connection.driver_connection.is_closed():
        raise DisconnectionError
