"""What each kind of database does in its own way; all else in `bot/storage` is SQLAlchemy Core.

`Sqlite` (in `sqlite/`) and `Postgres` (in `postgres/`) are the two there are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.runtime.clock import Clock

_T = TypeVar("_T")


def in_transaction(connection: Connection, work: Callable[[Connection], _T]) -> _T:
    """Return the result of `work`, called with this connection in a transaction."""
    with connection.begin():
        return work(connection)


class Backend(Protocol):
    """A database of one kind at one place. Whoever makes one may get `StorageUnavailable`."""

    @property
    def name(self) -> str:
        """How sentences call it; without a password."""

    def engines(self) -> tuple[AsyncEngine, AsyncEngine]:
        """The engines for writing (one connection) and for reading."""

    async def write(
        self, writer: AsyncEngine, work: Callable[[Connection], _T], *, alone: bool
    ) -> _T:
        """Return the result of `work`, called in a transaction of the engine for writing.

        With `alone` no other process writes meanwhile. Else others may: it must need no more than
        the rows that it changes.
        """

    async def disconnect(self) -> None:
        """Close the connection that `write` keeps, if any."""

    def engine_apart(self) -> AsyncEngine:
        """An engine of one connection, for transactions with temporary tables."""

    def migration_engine(self) -> AsyncEngine:
        """An engine for migrations, whose transactions keep all others from writing."""

    def problem(self) -> str | None:
        """Return why nothing may be written now, in words for a person; `None` if it may."""

    def check_settings(self, connection: Connection) -> None:
        """Raise StorageUnfit if the database has not taken a setting that we need."""

    def check_sound(self, connection: Connection) -> None:
        """Raise StorageUnfit if rows contradict each other after a migration."""

    def lock_writers(self, connection: Connection) -> None:
        """Keep all others from writing until the end of this transaction.

        Nothing is done where the first statement that writes does that.
        """

    def lock(self) -> ExitStack:
        """Lock the file of the database for one program; see `instance_lock.take`."""

    def keep(self, version: str) -> Path | None:
        """Keep the database, of this version, as it is before an update; where, if it is kept."""

    def expire_kept(self) -> None:
        """Remove what was kept so and need not be any more."""

    async def keep_expiring(self, clock: Clock) -> None:
        """Do so every day, for ever; return at once if nothing is kept here."""

    def how_long_kept(self) -> str:
        """How many of those are kept, and for how long, as a clause."""

    def way_back(self, version: str) -> str:
        """How to get back a database of this version, as the end of a sentence."""

    async def compact(self) -> None:
        """Leave nothing of what is deleted in free room. Nobody writes meanwhile."""

    async def empty_log(self) -> None:
        """Empty the log of what was written lately, as far as that is ours. Nobody writes."""
