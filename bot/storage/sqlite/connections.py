"""aiosqlite connections with one thread hop for each statement.

For each statement SQLAlchemy opens a cursor, executes, and closes the cursor. aiosqlite runs each
of these steps in the thread of the connection, and a hop to the thread costs more CPU time than
most statements. `Connection.execute` of aiosqlite opens the cursor and executes in one hop.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread
from typing import Any, Self

import aiosqlite


class _Cursor:
    """Cursor for SQLAlchemy that is opened by its statement."""

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
        """Do nothing, because all rows are fetched and the cursor holds no lock."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


class _Connection:
    """aiosqlite connection with `_Cursor`s."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._aiosqlite = connection

    def cursor(self) -> _Cursor:
        """Return a new cursor."""
        return _Cursor(self._aiosqlite)

    async def rollback(self) -> None:
        """Roll back the transaction, if there is one; the pool always calls this."""
        if self._aiosqlite.in_transaction:
            await self._aiosqlite.rollback()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._aiosqlite, name)


async def connect(*args: Any, **kwargs: Any) -> _Connection:
    """Open a connection; the arguments are those of `sqlite3.connect`.

    Its thread is a daemon, inherited from the thread that starts it, so a disk that never responds
    does not block the end of the program.
    """
    connections: list[aiosqlite.Connection] = []
    create = Thread(
        target=lambda: connections.append(aiosqlite.connect(*args, **kwargs)), daemon=True
    )
    create.start()
    create.join()
    return _Connection(await connections[0])
