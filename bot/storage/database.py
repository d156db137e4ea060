"""Transactions for reading and writing, shared by all stores.

Work in a transaction is a plain function of a SQLAlchemy `Connection`, run with `run_sync` on the
asyncio driver. Errors are `StorageError`s with a sentence for the operator.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.runtime.clock import Clock
from bot.runtime.throttled_log import ThrottledLog
from bot.storage import backends
from bot.storage.backend import Backend, in_transaction
from bot.storage.errors import RuleBroken, StorageError, StorageUnavailable, StorageUnfit
from bot.storage.migrate import migrate
from bot.storage.postgres import errors as postgres
from bot.storage.sqlite import errors as sqlite

log = logging.getLogger(__name__)

_P = ParamSpec("_P")
_T = TypeVar("_T")
_E = TypeVar("_E", bound=Exception)
_Prepared = TypeVar("_Prepared")
_Rows = TypeVar("_Rows")
_FEW = 500
"""Number of rows that are converted to records within a few milliseconds."""
_READING = "reading the database"
DATABASE_ERRORS = (DBAPIError, PoolTimeout, sqlite.Error)
"""Database errors: of SQLAlchemy, and of maintenance that bypasses it."""
_ONE_OPEN_TABLE = ("tables.channel_id", "uq_tables_open_channel")
"""Either name is in the database's error if the unique index on open tables refuses a row."""


class Database:
    """Database with one writing and several reading connections; see `Database.open`.

    A read transaction sees a consistent snapshot. A write transaction is stored completely, or not
    at all if its work raises. Writers are served in the order of their calls.
    """

    def __init__(self, backend: Backend, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._backend = backend
        self.writer = writer
        self.reader = reader
        self.write_turn = asyncio.Lock()
        self._closed = False
        self.read_log = ThrottledLog(log, "database read failed")
        self.write_log = ThrottledLog(log, "database write failed")

    @classmethod
    async def open(cls, url: str, *, busy_ms: int, keep: bool = True) -> Self:
        """Open the database at `url` with the newest schema; create it if it is missing.

        With `keep` an older database is backed up before the migration, if the backend does
        backups. Raises `StorageUnavailable`, with a sentence for the operator, if it cannot be
        opened.
        """
        backend = backends.backend(url, busy_ms=busy_ms)
        writer, reader = backend.engines()
        try:
            await migrate(backend, keep=keep)
            for engine in (writer, reader):
                async with engine.connect() as connection:
                    await connection.run_sync(backend.check_settings)
        except BaseException as error:
            await writer.dispose()
            await reader.dispose()
            if isinstance(error, SQLAlchemyError):
                raise unavailable(f"opening the database {backend.name}", error) from error
            raise
        return cls(backend, writer, reader)

    @property
    def name(self) -> str:
        """Name of the database in messages, without its password."""
        return self._backend.name

    async def close(self) -> None:
        """Refuse further calls, and close all connections after the last write."""
        self._closed = True
        async with self.write_turn:
            await self._backend.disconnect()
            await self.reader.dispose()
            await self.writer.dispose()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageUnavailable("The storage is closed.")

    # --- reads ---------------------------------------------------------------------------------

    async def read(
        self,
        work: Callable[Concatenate[Connection, _P], _T],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """Return the result of `work`, called with a connection in a read transaction."""
        self._refuse_if_closed()
        try:
            async with self.reader.connect() as connection:
                result = await connection.run_sync(
                    in_transaction, lambda connection: work(connection, *args, **kwargs)
                )
        except Exception as error:
            _log_failure(self.read_log, error)
            raise failure(_READING, error) from error
        self.read_log.success()
        return result

    async def build_records(self, build: Callable[[_Rows], _T], rows: _Rows, number: int) -> _T:
        """Return `build(rows)`, computed in a thread if the `number` of rows is large."""
        try:
            if number <= _FEW:
                return build(rows)
            return await asyncio.to_thread(build, rows)
        except Exception as error:
            raise failure(_READING, error) from error

    # --- writes --------------------------------------------------------------------------------

    async def write(
        self,
        doing: str,
        work: Callable[Concatenate[Connection, _P], _T],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """Return the result of `work`, called with a connection in a write transaction.

        Other processes may write at the same time, so `work` must not depend on any rows but those
        that it changes. `doing` is part of error messages.
        """
        async with self._turn(doing):
            return await self._backend.write(
                self.writer, lambda connection: work(connection, *args, **kwargs), alone=False
            )

    async def write_alone(
        self,
        doing: str,
        work: Callable[Concatenate[Connection, _P], _T],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """Same as `write`, but no other process writes at the same time."""
        async with self._turn(doing):
            return await self._backend.write(
                self.writer, lambda connection: work(connection, *args, **kwargs), alone=True
            )

    async def write_prepared(
        self,
        doing: str,
        prepare: Callable[[Connection], _Prepared],
        work: Callable[[Connection, _Prepared], _T],
    ) -> _T:
        """Call `prepare`, then return the result of `work`, called in an exclusive write.

        `prepare` fills temporary tables of the same connection in a transaction of its own, while
        others can write. `work` gets the result of `prepare`, and its first statement must write.
        """
        self._refuse_if_closed()
        engine = self._backend.separate_engine()
        try:
            async with engine.connect() as connection:
                prepared = await connection.run_sync(in_transaction, prepare)

                def locked(connection: Connection) -> _T:
                    self._backend.lock_writers(connection)
                    return work(connection, prepared)

                async with self._turn(doing):
                    return await connection.run_sync(in_transaction, locked)
        except Exception as error:
            raise failure(doing, error) from error
        finally:
            await engine.dispose()

    async def compact(self) -> None:
        """Remove deleted data from free pages; other writers wait meanwhile."""
        await self._maintain("sweeping the database", self._backend.compact)

    async def empty_log(self) -> None:
        """Empty the write-ahead log, if the backend owns one.

        If a reader still needs the log after a while, it is not emptied before a later call.
        """
        await self._maintain("emptying the log of the database", self._backend.empty_log)

    async def keep_expiring(self, clock: Clock) -> None:
        """Delete expired pre-update backups once a day; return at once if the backend has none."""
        await self._backend.keep_expiring(clock)

    async def _maintain(self, doing: str, work: Callable[[], Awaitable[None]]) -> None:
        """Await maintenance of the whole database, without other writers."""
        async with self._turn(doing):
            await work()

    @asynccontextmanager
    async def _turn(self, doing: str) -> AsyncIterator[None]:
        """Hold the write lock for the block; translate and log its errors.

        Raises `StorageUnavailable` if the database is closed or not writable.
        """
        self._refuse_if_closed()
        async with self.write_turn:
            if problem := self._backend.problem():
                self.write_log.failure(problem)
                raise StorageUnavailable(f"Error while {doing}: {problem}.")
            try:
                yield
            except Exception as error:
                _log_failure(self.write_log, error)
                raise failure(doing, error) from error
            self.write_log.success()


def _log_failure(failures: ThrottledLog, error: Exception) -> None:
    """Log a database error, with the next step for the operator."""
    if isinstance(error, DBAPIError | PoolTimeout) and not isinstance(error, IntegrityError):
        step = next_step(error)
        reason = failure_reason(error)
        failures.failure(f"{reason}; {step}" if step else reason)


def unavailable(doing: str, error: Exception) -> StorageUnavailable:
    """Return the `StorageUnavailable` for a database error that occurred while `doing`."""
    step = next_step(error)
    why = failure_reason(error) + (f"; {step}" if step else "")
    kind = StorageUnfit if is_unfit(error) else StorageUnavailable
    return _with_cause(kind(f"Error while {doing}: {why}."), error)


def failure(doing: str, error: Exception) -> StorageError:
    """Return the `StorageError` for any error that occurred while `doing`, as its cause."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, IntegrityError):
        return _with_cause(
            RuleBroken(f"Error while {doing}: it breaks a rule of the database."), error
        )
    if isinstance(error, DATABASE_ERRORS):
        return unavailable(doing, error)
    return _with_cause(StorageError(f"Error while {doing}: a fault in the program."), error)


def _with_cause(failed: _E, error: Exception) -> _E:
    failed.__cause__ = error
    return failed


def failure_reason(error: Exception) -> str:
    """Return the reason of a database error for the operator, without stored values."""
    return postgres.reason(error) or sqlite.reason(error)


def next_step(error: Exception) -> str:
    """Return the next step for the operator; empty if unknown."""
    return postgres.next_step(error) or sqlite.next_step(error)


def is_unfit(error: Exception) -> bool:
    """Return whether the database is damaged or foreign, so that retries are useless."""
    return postgres.is_unfit(error) or sqlite.is_unfit(error)


def is_second_open_table(error: StorageError) -> bool:
    """Return whether a row was refused because its channel has an open table already."""
    cause = error.__cause__
    if not isinstance(cause, IntegrityError):
        return False
    return any(name in str(cause.orig) for name in _ONE_OPEN_TABLE)


def is_outage(error: StorageError) -> bool:
    """Return whether no write can succeed now, so that no single row is at fault."""
    cause = error.__cause__
    if isinstance(cause, DBAPIError):
        return isinstance(cause, OperationalError) or postgres.is_outage(cause)
    return isinstance(error, StorageUnavailable)
