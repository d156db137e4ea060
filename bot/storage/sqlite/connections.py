"""Connections of aiosqlite that ask their thread once for each statement.

SQLAlchemy asks a connection for a cursor, then the cursor to execute, and to close. aiosqlite
carries each of these out in the thread of the connection, and the way there and back costs more
processor time than most statements. `Connection.execute` of aiosqlite makes a cursor and executes
in one step.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread
from typing import Any, Self

import aiosqlite


class _Cursor:
    """A cursor for SQLAlchemy, opened by its statement and read to the end at once."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._cursor: aiosqlite.Cursor

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Execute a statement."""
        self._cursor = await self._connection.execute(sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Execute a statement with each of these parameters."""
        self._cursor = await self._connection.executemany(sql, parameters)
        return self

    async def fetchall(self) -> Iterable[Any]:
        """Return all rows."""
        return await self._cursor.fetchall()

    async def close(self) -> None:
        """Do nothing: the rows are fetched, so the cursor holds no lock."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


class _Connection:
    """A connection of aiosqlite with such cursors."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._aiosqlite = connection

    def cursor(self) -> _Cursor:
        """Return a new cursor."""
        return _Cursor(self._aiosqlite)

    async def rollback(self) -> None:
        """Roll the transaction back, if there is one: the pool asks for it each time."""
        if self._aiosqlite.in_transaction:
            await self._aiosqlite.rollback()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._aiosqlite, name)


async def connect(*args: Any, **kwargs: Any) -> _Connection:
    """Open a connection; the arguments are those of `sqlite3.connect`.

    The program does not wait for its thread at the end, as a disk may never answer: threads inherit
    that from the thread that makes them.
    """
    made: list[aiosqlite.Connection] = []
    maker = Thread(target=lambda: made.append(aiosqlite.connect(*args, **kwargs)), daemon=True)
    maker.start()
    maker.join()
    return _Connection(await made[0])
