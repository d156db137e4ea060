"""The open database: transactions for reading and writing, which all services share.

Work in a transaction is a plain function of a SQLAlchemy `Connection`: its statements are executed
by the asyncio driver. Errors are `StorageError`s with a sentence for a person.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.runtime.clock import Clock
from bot.runtime.throttled_log import ThrottledLog
from bot.storage import backends, error_messages
from bot.storage.backend import Backend, in_transaction
from bot.storage.errors import RuleBroken, StorageError, StorageUnavailable, StorageUnfit
from bot.storage.migrate import migrate

log = logging.getLogger(__name__)

_P = ParamSpec("_P")
_T = TypeVar("_T")
_E = TypeVar("_E", bound=Exception)
_Prepared = TypeVar("_Prepared")
_Rows = TypeVar("_Rows")
_FEW = 500
"""Number of rows that become records within a few milliseconds."""
_READING = "reading the database"


class Database:
    """One connection that writes and some that read; see `Database.open`.

    A transaction for reading sees one state of the database. One for writing is stored as a whole,
    or not at all if its work raises. Writers take turns in the order in which they ask.
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
        """Open the database at `url` on the newest schema; create it if it is missing.

        With `keep` an older one is backed up before, where that is for us to do.

        Raises StorageUnavailable, with one sentence for a person, if that is not possible.
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
        """Refuse calls from now on; close all connections when the last writer is done."""
        self._closed = True
        async with self.write_turn:
            await self._backend.disconnect()
            await self.reader.dispose()
            await self.writer.dispose()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StorageUnavailable("The storage is closed.")

    # --- reading -------------------------------------------------------------------------------

    async def read(
        self,
        work: Callable[Concatenate[Connection, _P], _T],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """Return the result of `work`, called with a connection in a transaction for reading."""
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

    async def built(self, build: Callable[[_Rows], _T], rows: _Rows, number: int) -> _T:
        """Return what `build` makes of `number` rows; many are built outside the event loop."""
        try:
            if number <= _FEW:
                return build(rows)
            return await asyncio.to_thread(build, rows)
        except Exception as error:
            raise failure(_READING, error) from error

    # --- writing -------------------------------------------------------------------------------

    async def write(
        self,
        doing: str,
        work: Callable[Concatenate[Connection, _P], _T],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """Return the result of `work`, called with a connection in a transaction for writing.

        Other processes may write at the same time: it must need no more than the rows that it
        changes. `doing` is part of the text of errors.
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
        """As `write`, but no other process writes meanwhile."""
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
        """Return the result of `work`, a transaction that writes alone, after `prepare`.

        `prepare` fills temporary tables of the same connection in a transaction of its own, while
        others write. `work` gets its result, and begins with a statement that writes.
        """
        self._refuse_if_closed()
        engine = self._backend.engine_apart()
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
        """Leave nothing of deleted rows in free pages; others who write wait for it."""
        await self._maintain("sweeping the database", self._backend.compact)

    async def empty_log(self) -> None:
        """Empty the write-ahead log, as far as it is ours.

        It stays if a reader needs it for long, and is emptied some other time.
        """
        await self._maintain("emptying the log of the database", self._backend.empty_log)

    async def keep_expiring(self, clock: Clock) -> None:
        """Delete expired pre-update backups once a day; return at once where none are kept."""
        await self._backend.keep_expiring(clock)

    async def _maintain(self, doing: str, work: Callable[[], Awaitable[None]]) -> None:
        """Await work on the whole database while nobody else writes."""
        async with self._turn(doing):
            await work()

    @asynccontextmanager
    async def _turn(self, doing: str) -> AsyncIterator[None]:
        """Keep other writers of this process waiting; translate and log errors of the block.

        Raises StorageUnavailable if the database is closed, or cannot be written now.
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
    """Log an error of the database, with what the operator can do."""
    if isinstance(error, DBAPIError | PoolTimeout) and not isinstance(error, IntegrityError):
        step = error_messages.next_step(error)
        reason = error_messages.reason(error)
        failures.failure(f"{reason}; {step}" if step else reason)


def unavailable(doing: str, error: Exception) -> StorageUnavailable:
    """Return the StorageUnavailable for an error of the database that came while `doing`."""
    step = error_messages.next_step(error)
    why = error_messages.reason(error) + (f"; {step}" if step else "")
    kind = StorageUnfit if error_messages.is_unfit(error) else StorageUnavailable
    return _caused(kind(f"Error while {doing}: {why}."), error)


def failure(doing: str, error: Exception) -> StorageError:
    """Return the StorageError for any error that came while `doing`, with it as the cause."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, IntegrityError):
        return _caused(RuleBroken(f"Error while {doing}: it breaks a rule of the database."), error)
    if isinstance(error, error_messages.ERRORS):
        return unavailable(doing, error)
    return _caused(StorageError(f"Error while {doing}: a fault in the program."), error)


def _caused(failed: _E, error: Exception) -> _E:
    failed.__cause__ = error
    return failed
