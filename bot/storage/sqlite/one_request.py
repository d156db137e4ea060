"""Connections to SQLite whose thread is asked once for each statement.

aiosqlite has a thread for each connection, in which everything is done. For a statement SQLAlchemy
would ask it three or four times: for a cursor, to execute, for the rows, and to close the cursor.
Each time the thread and the event loop are woken, which takes longer than most statements do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import partial
from typing import Any, Self

import aiosqlite

_ROWS_AT_ONCE = 64
"""What aiosqlite wants to know of those who read row by row; nobody does."""


class _Cursor(aiosqlite.Cursor):
    """A cursor that fetches the rows of a statement when it executes it."""

    def __init__(self, connection: OneRequestConnection) -> None:
        self._owner = connection
        self._rows: Iterable[sqlite3.Row] = ()

    async def __aenter__(self) -> Self:
        """Make the cursor."""
        super().__init__(self._owner, self._owner.sqlite_cursor())
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> Self:
        """Execute a statement and fetch its rows."""
        await self._execute(self._fetched, sql, parameters or ())  # type: ignore[no-untyped-call]
        return self

    def _fetched(self, sql: str, parameters: Iterable[Any]) -> None:
        self._cursor.execute(sql, parameters)  # type: ignore[arg-type]
        self._rows = self._cursor.fetchall() if self._cursor.description else ()

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        """The rows of the last statement, once."""
        rows, self._rows = self._rows, ()
        return rows

    async def close(self) -> None:
        """Nothing is left to be closed: all rows are fetched."""


class OneRequestConnection(aiosqlite.Connection):
    """A connection of aiosqlite with such cursors."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A connection that is not open yet; the arguments are those of `sqlite3.connect`."""
        super().__init__(partial(sqlite3.connect, *args, **kwargs), _ROWS_AT_ONCE)
        self._thread.daemon = True

    def cursor(self) -> _Cursor:  # type: ignore[override]
        """A new cursor, to be entered."""
        return _Cursor(self)

    def sqlite_cursor(self) -> sqlite3.Cursor:
        """A cursor that nobody uses yet: the thread need not make it."""
        return self._conn.cursor()

    async def rollback(self) -> None:
        """Roll the transaction back, if there is one."""
        if self._conn.in_transaction:
            await super().rollback()
