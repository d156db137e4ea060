"""Interface of a database backend; all other code of the package is SQLAlchemy Core.

The implementations are `Sqlite` (in `sqlite/`) and `Postgres` (in `postgres/`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.runtime.clock import Clock

LITESTREAM_TABLES: Final = frozenset({"_litestream_seq", "_litestream_lock"})
"""Tables that Litestream adds to each database that it copies."""
_T = TypeVar("_T")


def in_transaction(connection: Connection, work: Callable[[Connection], _T]) -> _T:
    """Return the result of `work`, called with this connection in a transaction."""
    with connection.begin():
        return work(connection)


class Backend(Protocol):
    """Database of one kind and location; constructors raise `StorageUnavailable`."""

    @property
    def name(self) -> str:
        """Name in messages, without a password."""

    def engines(self) -> tuple[AsyncEngine, AsyncEngine]:
        """Return the engines for writing (one connection) and for reading."""

    async def write(
        self, writer: AsyncEngine, work: Callable[[Connection], _T], *, alone: bool
    ) -> _T:
        """Return the result of `work`, called in a transaction of the engine for writing.

        With `alone` no other process writes at the same time. Otherwise `work` must not depend on
        any rows but those that it changes.
        """

    async def disconnect(self) -> None:
        """Close the connection that `write` keeps, if any."""

    def separate_engine(self) -> AsyncEngine:
        """Return an engine with one connection, for transactions with temporary tables."""

    def migration_engine(self) -> AsyncEngine:
        """Return an engine for migrations, whose transactions exclude other writers."""

    def problem(self) -> str | None:
        """Return why writes are impossible now, as a clause, or `None`."""

    def check_settings(self, connection: Connection) -> None:
        """Raise `StorageUnfit` if the database does not accept a required setting."""

    def check_consistency(self, connection: Connection) -> None:
        """Raise `StorageUnfit` if rows contradict each other after a migration."""

    def lock_writers(self, connection: Connection) -> None:
        """Exclude other writers until the end of this transaction.

        It does nothing if the first writing statement has that effect.
        """

    def lock(self) -> ExitStack:
        """Lock the database file for this process; see `instance_lock.acquire`."""

    def keep(self, version: str) -> Path | None:
        """Back up the database of this schema version; return the file, if one was made."""

    def expire_backups(self) -> None:
        """Delete expired pre-update backups."""

    async def keep_expiring(self, clock: Clock) -> None:
        """Delete expired pre-update backups daily; return at once if none are made."""

    def retention(self) -> str:
        """Return number and age of the kept backups, as a clause."""

    def restore_advice(self, version: str) -> str:
        """Return how to restore a database of this version, as the end of a sentence."""

    async def compact(self) -> None:
        """Remove deleted data from free pages, while nobody writes."""

    async def empty_log(self) -> None:
        """Empty the write-ahead log, if there is one, while nobody writes."""
