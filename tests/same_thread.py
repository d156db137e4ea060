"""Database that answers in the thread of the event loop: faster and deterministic.

An asyncio connection has a thread that every statement wakes, and SQLAlchemy needs a layer to wait
for it. Where a test is not about the storage, that is up to a third of its time. Here the event
loop itself runs each transaction in its next iteration and in the order of the calls: the caller
still waits, and others run before. The connections are plain ones of sqlite3 with the bot's
settings. Threads and layers are tested by those in `tests/bot/storage` that do not use
`one_thread`, by `test_tables_storage.py` and `test_tables_many.py` in `tests/bot/live`, by
`tests/bot/test_client.py` and by `tests/demo`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any, Self, TypeVar

import pytest
from sqlalchemy import URL, Connection, CursorResult, Engine, Executable, ScalarResult
from sqlalchemy.util import greenlet_spawn

from bot.storage.sqlite import engines

T = TypeVar("T")


class _Connection:
    """Connection with the bot's interface that runs each statement in the next iteration.

    It takes a plain connection from the pool for its first statement. Simultaneous transactions
    share one that way, because each ends in the iteration in which it begins.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.dialect = engine.dialect

    @cached_property
    def _connection(self) -> Connection:
        return self._engine.connect()

    async def _opened(self) -> Self:
        return self

    def __await__(self) -> Generator[Any, None, Self]:
        return self._opened().__await__()

    __aenter__ = _opened

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Return the plain connection to the pool, if there is one."""
        if "_connection" in vars(self):
            self._connection.close()

    async def execute(self, statement: Executable, parameters: Any = None) -> CursorResult[Any]:
        """Execute a statement."""
        await asyncio.sleep(0)
        return self._connection.execute(statement, parameters)

    async def scalars(self, statement: Executable, parameters: Any = None) -> ScalarResult[Any]:
        """Return the first column of all rows of a statement."""
        await asyncio.sleep(0)
        return self._connection.scalars(statement, parameters)

    async def exec_driver_sql(self, statement: str) -> CursorResult[Any]:
        """Execute a statement in the SQLite dialect."""
        await asyncio.sleep(0)
        return self._connection.exec_driver_sql(statement)

    async def run_sync(self, do: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Return the result of `do` on the plain connection."""
        await asyncio.sleep(0)
        result: T = await greenlet_spawn(do, self._connection, *args, **kwargs)
        return result

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        """Run a transaction."""
        await asyncio.sleep(0)
        with self._connection.begin():
            yield


class _Engine:
    """Engine with the bot's interface and any number of such connections."""

    def __init__(self, engine: Engine) -> None:
        self.sync_engine = engine

    def connect(self) -> _Connection:
        """Return a connection, to be awaited or entered."""
        return _Connection(self.sync_engine)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[_Connection]:
        """Yield a connection with a transaction."""
        async with self.connect() as connection, connection.begin():
            yield connection

    async def dispose(self) -> None:
        """Close all connections."""
        self.sync_engine.dispose()


def _engine(url: URL, **options: Any) -> _Engine:
    """Replace `create_async_engine`; nobody may wait in this thread for a connection."""
    options |= {"connect_args": {}, "max_overflow": -1}
    create_engine = vars(engines)["create_engine"]  # with or without shared compiled statements
    return _Engine(create_engine(url.set(drivername="sqlite"), **options))


def answer_in_this_thread(patch: pytest.MonkeyPatch) -> None:
    """Let all connections opened from now on answer in the thread of the event loop."""
    patch.setattr("bot.storage.sqlite.engines.create_async_engine", _engine)
