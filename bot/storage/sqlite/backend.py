"""SQLite backend (`bot.storage.backend.Backend`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.clock import Clock
from bot.storage import instance_lock
from bot.storage.backend import in_transaction
from bot.storage.errors import StorageUnfit
from bot.storage.sqlite import engines, update_backups

_T = TypeVar("_T")


class Sqlite:
    """Database in a SQLite file; see `bot.storage.backend.Backend`."""

    def __init__(self, url: str, *, busy_ms: int) -> None:
        self._location = engines.file_location(url)
        self._busy_ms = busy_ms
        self.file = Path(str(self._location.database))
        self._opened = self._identity()
        self._writing: AsyncConnection | None = None
        engines.keep_secrets_out_of_logs()

    @property
    def name(self) -> str:
        """Path of the file."""
        return str(self.file)

    def engines(self) -> tuple[AsyncEngine, AsyncEngine]:
        """Return the engines for writing and for reading."""
        return engines.engines(self._location, busy_ms=self._busy_ms)

    def separate_engine(self) -> AsyncEngine:
        """Return an engine with one connection, whose temporary tables are in memory."""
        return engines.separate_engine(self._location, busy_ms=self._busy_ms)

    def migration_engine(self) -> AsyncEngine:
        """Return an engine for migrations."""
        return engines.migration_engine(self._location, busy_ms=self._busy_ms)

    async def write(
        self, writer: AsyncEngine, work: Callable[[Connection], _T], *, alone: bool
    ) -> _T:
        """Return the result of `work`, called in a write transaction, which is always exclusive.

        The connection is kept, because a checkout from the pool takes as long as a statement.
        """
        try:
            if self._writing is None:
                self._writing = await writer.connect()
            return await self._writing.run_sync(in_transaction, work)
        except BaseException:
            await self.disconnect()  # the connection may be broken, so the next call opens another
            raise

    async def disconnect(self) -> None:
        """Close the connection that `write` keeps."""
        connection, self._writing = self._writing, None
        if connection is not None:
            await connection.close()

    def problem(self) -> str | None:
        """Return why writes are impossible now: the open file was moved away or replaced.

        SQLite does not notice that, and continues to write to the file that it has opened.
        """
        try:
            found = self._identity()
        except OSError:
            return "the database file is not in its place; put it back"
        if found != self._opened:
            return "another file is in the place of the database file; put the right one back"
        return None

    def _identity(self) -> tuple[int, int]:
        """Return device and inode of the file."""
        status = self.file.stat()
        return status.st_dev, status.st_ino

    def check_settings(self, connection: Connection) -> None:
        """Raise `StorageUnfit` if the database does not accept a required setting."""
        engines.check_pragmas(connection, self._busy_ms)

    def check_consistency(self, connection: Connection) -> None:
        """Raise `StorageUnfit` if rows contradict each other after a migration."""
        if engines.broken_references(connection.exec_driver_sql):
            raise StorageUnfit(f"The database {self.file} holds rows that contradict each other.")

    def lock_writers(self, connection: Connection) -> None:
        """Do nothing, because the first writing statement excludes other writers."""

    def lock(self) -> ExitStack:
        """Lock the file for this process."""
        return instance_lock.acquire(self.file)

    def keep(self, version: str) -> Path | None:
        """Make a backup beside the file; return its path."""
        return update_backups.make(self.file, version, _today())

    def expire_backups(self) -> None:
        """Delete expired pre-update backups."""
        update_backups.expire(self.file, _today())

    async def keep_expiring(self, clock: Clock) -> None:
        """Delete expired pre-update backups once a day."""
        await update_backups.keep_expiring(self.file, clock)

    def retention(self) -> str:
        """Return number and age of the kept backups, as a clause."""
        return f"the newest {update_backups.KEPT} are kept for {update_backups.KEPT_DAYS} days"

    def restore_advice(self, version: str) -> str:
        """Return how to restore a database of this version, as the end of a sentence."""
        kept = self.file.with_name(f"{self.file.stem}-schema-{version}-...")
        return (
            f"restore a backup with schema {version}, such as the one that was made before the "
            f"update: `python -m bot restore {kept}`"
        )

    async def compact(self) -> None:
        """Rewrite the file without free pages (VACUUM)."""
        await asyncio.to_thread(engines.compact, self.file)

    async def empty_log(self) -> None:
        """Move the contents of the write-ahead log to the file, and empty the log.

        If a reader needs the log for long, it stays until a later call.
        """
        await asyncio.to_thread(engines.empty_log, self.file)


def _today() -> date:
    return datetime.now(UTC).date()
