"""What each kind of database does in its own way; all else in `bot/storage` is SQLAlchemy Core.

`Sqlite` (in `sqlite/`) and `Postgres` (in `postgres/`) are the two there are.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.clock import Clock
from bot.storage.commit_thread import Commits
from bot.storage.instance_lock import InstanceLock


class Guard(Protocol):
    """Watches that what is open stays what it was."""

    mark_due: bool
    """Whether the next transaction must set another mark."""

    def trouble(self) -> str | None:
        """Why nothing may be written now, in words for a person; `None` if it may."""

    def written(self, *, marked: bool) -> None:
        """A transaction was written, which has set another mark or not."""

    async def set_mark(self, connection: AsyncConnection) -> None:
        """Set another mark, in a transaction that writes."""

    def close(self) -> None:
        """The database is closed."""


class Backend(Protocol):
    """A database of one kind at one place. Whoever makes one may get `StorageUnavailable`."""

    @property
    def name(self) -> str:
        """How sentences call it; without a password."""

    def engines(self) -> tuple[AsyncEngine, AsyncEngine]:
        """The engines for writing (one connection) and for reading."""

    def transaction(
        self, writer: AsyncEngine, *, alone: bool
    ) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction of the engine for writing, which is stored at the end of the block.

        If it is `alone`, nobody else writes meanwhile, in no process. Else the database may let
        others write beside it: it must need no more than the rows that it changes.
        """

    def engine_apart(self) -> AsyncEngine:
        """An engine of one connection, for transactions with temporary tables."""

    def migration_engine(self) -> AsyncEngine:
        """An engine for migrations, whose transactions keep all others from writing."""

    def commits(self, writer: AsyncEngine) -> Commits:
        """What does whole commits, not alone; it may use the engine for writing."""

    def guard(self) -> Guard:
        """A guard of the database, which is open."""

    def check_settings(self, connection: Connection) -> None:
        """Raise StorageUnfit if the database has not taken a setting that we need."""

    def check_sound(self, connection: Connection) -> None:
        """Raise StorageUnfit if rows contradict each other after a migration."""

    async def lock_writers(self, connection: AsyncConnection) -> None:
        """Keep all others from writing until the end of this transaction.

        Where the first statement that writes does that, nothing is done.
        """

    def lock(self) -> InstanceLock:
        """The lock of the database for one program; see `instance_lock.take`."""

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
