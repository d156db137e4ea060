"""The open database: transactions for reading and writing, which all services share.

Their errors are StorageErrors, in words for a person.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Self, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.clock import Clock
from bot.runtime.lasting_trouble import LastingTrouble
from bot.storage import backends, error_words
from bot.storage.backend import Backend
from bot.storage.commit_thread import Work
from bot.storage.errors import StorageError, StorageUnavailable, StorageUnfit
from bot.storage.migrate import migrate

log = logging.getLogger(__name__)

_E = TypeVar("_E", bound=Exception)
_T = TypeVar("_T")
_Rows = TypeVar("_Rows")
_FEW = 500
"""Rows that become records at once, within a few milliseconds."""


class Database:
    """One connection for commits, one that writes all else, some that read; see `Database.open`.

    A block of `reading` sees one state of the database. A block of `changing` is written as a
    whole at its end, or not at all when it raises.
    """

    def __init__(self, backend: Backend, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._backend = backend
        self._guard = backend.guard()
        self.commits = backend.commits(writer)
        self.writer = writer
        self.reader = reader
        self.write_turn = asyncio.Lock()
        self._closed = False
        self.reading_trouble = LastingTrouble(log, "the database cannot be read")
        self.writing_trouble = LastingTrouble(log, "the database cannot be written")

    @classmethod
    async def open(cls, url: str, *, busy_ms: int, keep: bool = True) -> Self:
        """The database at `url`, made if it is missing, on the newest schema.

        With `keep` an older one is kept as it was, where that is for us to do.

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

    def refuse_calls(self) -> None:
        """From now on every call is refused."""
        self._closed = True

    async def close(self) -> None:
        """Close all connections once nobody writes any more."""
        async with self.write_turn:
            await self.reader.dispose()
            await self.writer.dispose()
            await self.commits.close()
        self._guard.close()

    def refuse_if_closed(self) -> None:
        """Raises StorageUnavailable if the database is closed."""
        if self._closed:
            raise StorageUnavailable("The storage is closed.")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for reading."""
        self.refuse_if_closed()
        try:
            async with self.reader.begin() as connection:
                yield connection
        except Exception as error:
            _note(self.reading_trouble, error)
            raise failure("reading the database", error) from error
        self.reading_trouble.over()

    async def built(self, build: Callable[[_Rows], _T], rows: _Rows, number: int) -> _T:
        """What `build` makes of `number` rows; of many, it does so beside the event loop."""
        try:
            if number <= _FEW:
                return build(rows)
            return await asyncio.to_thread(build, rows)
        except Exception as error:
            raise failure("reading the database", error) from error

    @asynccontextmanager
    async def changing(self, doing: str, *, alone: bool = True) -> AsyncIterator[AsyncConnection]:
        """A transaction for writing; `doing` says in its errors what it was for.

        `alone` is what it is for `Backend.transaction`.
        """
        self.refuse_if_closed()
        try:
            async with self.writing(doing, alone=alone) as connection:
                yield connection
        except Exception as error:
            raise failure(doing, error) from error

    @asynccontextmanager
    async def writing(
        self, doing: str, apart: AsyncConnection | None = None, *, alone: bool = True
    ) -> AsyncIterator[AsyncConnection]:
        """A transaction for writing, in the order of asking. Raises SQLAlchemy's errors.

        And StorageUnavailable, if the file was moved away or written over. With `apart` it is one
        of that connection, alone, and its first statement must write.
        """
        async with (
            self._turn_to_write(doing) as marking,
            self._transaction(apart, alone=alone) as connection,
        ):
            if marking:
                await self._guard.set_mark(connection)
            yield connection

    async def written(self, doing: str, work: Work[_T]) -> _T:
        """The result of `work`, done as a whole in a transaction as of `writing`, not alone."""
        async with self._turn_to_write(doing) as marking:
            return await self.commits.transaction(partial(self._marked, work) if marking else work)

    async def _marked(self, work: Work[_T], connection: AsyncConnection) -> _T:
        """The result of `work`, in a transaction that also sets another mark."""
        await self._guard.set_mark(connection)
        return await work(connection)

    @asynccontextmanager
    async def _turn_to_write(self, doing: str) -> AsyncIterator[bool]:
        """Nobody else writes meanwhile. Tells whether the transaction must set another mark.

        Raises StorageUnavailable if the file was moved away or written over.
        """
        async with self.write_turn:
            if found := self._guard.trouble():
                self.writing_trouble.met(found)
                raise StorageUnavailable(f"Error while {doing}: {found}.")
            marking = self._guard.mark_due
            try:
                yield marking
            except Exception as error:
                _note(self.writing_trouble, error)
                raise
            self._guard.written(marked=marking)
            self.writing_trouble.over()

    @asynccontextmanager
    async def _transaction(
        self, apart: AsyncConnection | None, *, alone: bool
    ) -> AsyncIterator[AsyncConnection]:
        """A transaction of the connection that writes, or of the one that is apart."""
        if apart is None:
            async with self._backend.transaction(self.writer, alone=alone) as connection:
                yield connection
        else:
            async with apart.begin():
                await self._backend.lock_writers(apart)
                yield apart

    @asynccontextmanager
    async def set_apart(self, doing: str) -> AsyncIterator[AsyncConnection]:
        """A connection of its own, for transactions that share temporary tables.

        `doing` says in its errors what it was for.
        """
        self.refuse_if_closed()
        engine = self._backend.engine_apart()
        try:
            async with engine.connect() as connection:
                yield connection
        except Exception as error:
            raise failure(doing, error) from error
        finally:
            await engine.dispose()

    async def compact(self) -> None:
        """Leave nothing of what is deleted in free room; others who write wait for it."""
        await self._alone("sweeping the database", self._backend.compact)

    async def empty_log(self) -> None:
        """Empty the log of what was written lately, as far as that is ours.

        If somebody reads for long just now it stays; it is emptied some other time.
        """
        await self._alone("emptying the log of the database", self._backend.empty_log)

    async def keep_expiring(self, clock: Clock) -> None:
        """Look every day what of what was kept before updates need not be kept any more.

        That has no end, or ends at once where nothing is kept.
        """
        await self._backend.keep_expiring(clock)

    async def _alone(self, doing: str, work: Callable[[], Awaitable[None]]) -> None:
        """Have something done with the whole database while nobody else writes."""
        self.refuse_if_closed()
        async with self.write_turn:
            if found := self._guard.trouble():
                raise StorageUnavailable(f"Error while {doing}: {found}.")
            try:
                await work()
            except error_words.ERRORS as error:
                raise unavailable(doing, error) from error
            self._guard.written(marked=False)


def _note(told: LastingTrouble, error: Exception) -> None:
    """Tell the operator of an error of the database, with what they can do."""
    if isinstance(error, DBAPIError | PoolTimeout) and not isinstance(error, IntegrityError):
        step = error_words.next_step(error)
        told.met(f"{error_words.reason(error)}; {step}" if step else error_words.reason(error))


def unavailable(doing: str, error: Exception) -> StorageUnavailable:
    """The StorageUnavailable for an error of the database that came while `doing` something."""
    step = error_words.next_step(error)
    why = error_words.reason(error) + (f"; {step}" if step else "")
    kind = StorageUnfit if error_words.is_unfit(error) else StorageUnavailable
    return _caused(kind(f"Error while {doing}: {why}."), error)


def failure(doing: str, error: Exception) -> StorageError:
    """The StorageError for any error that came while `doing` something, with it as the cause."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, IntegrityError):
        broken = StorageError(f"Error while {doing}: it breaks a rule of the database.")
        return _caused(broken, error)
    if isinstance(error, DBAPIError | PoolTimeout):
        return unavailable(doing, error)
    return _caused(StorageError(f"Error while {doing}: a fault in the program."), error)


def _caused(failed: _E, error: Exception) -> _E:
    failed.__cause__ = error
    return failed
