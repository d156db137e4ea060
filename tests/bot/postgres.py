"""Test databases on PostgreSQL: `TEST_DATABASE=postgresql`, as in `make test-postgres`.

Each SQLite file that a test names is replaced by a database on the server whose socket is in the
folder `TEST_POSTGRES`. Tests for SQLite alone have the mark `sqlite`.
"""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import os
import sqlite3
from collections.abc import Coroutine, Iterator, Sequence
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

ON_POSTGRES = os.environ.get("TEST_DATABASE") == "postgresql"
"""True if tests open their stores on PostgreSQL."""

_SOCKET = os.environ.get("TEST_POSTGRES", "")
_USER = "tests"
_TEMPLATE = f"template_{os.getpid()}"
_LOCK_WRITERS = "SELECT pg_advisory_xact_lock(x'7469636875'::bigint)"
_COLUMNS = """SELECT ordinal_position, column_name FROM information_schema.columns
WHERE table_name = 'tables'"""
_made: dict[str, str] = {}
"""Owning test by database."""
T = TypeVar("T")


def url_of(file: Path) -> str:
    """Return the URL of the database that replaces this file."""
    return _url(_name_of(file))


async def place(file: Path, make: Any) -> None:
    """Provide an empty database for this file; `make` migrates the template once."""
    server = _server()
    if _TEMPLATE not in _made:
        server.execute(f"CREATE DATABASE {_TEMPLATE}")
        await make(_url(_TEMPLATE))
        _made[_TEMPLATE] = ""
    name, test = _name_of(file), os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    for other in [other for other, whose in _made.items() if whose not in ("", test)]:
        server.execute(f"DROP DATABASE {other} WITH (FORCE)")
        del _made[other]
    if name not in _made:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        _made[name] = test


class Outside:
    """Another program's connection with the interface of `sqlite3`."""

    def __init__(self, name: str) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._connection = _done(_connected(name))

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Outside:
        """Execute a statement and keep its rows; do not wait for locks."""
        import asyncpg

        if statement.startswith("PRAGMA foreign_keys"):
            return self  # PostgreSQL always checks them
        if statement.startswith("PRAGMA table_info"):
            statement = _COLUMNS
        if statement.startswith("DROP TRIGGER actions"):
            statement += " ON actions"
        # A row that would replace another is refused like any other with the same key.
        parts = statement.replace("INSERT OR REPLACE", "INSERT").split("?")
        text = "".join(f"{part}${n}" for n, part in enumerate(parts[:-1], 1)) + parts[-1]
        try:
            if text == "BEGIN IMMEDIATE":
                _done(self._connection.execute(f"BEGIN; {_LOCK_WRITERS}"))
            elif parameters or text.lstrip().startswith("SELECT"):
                self._rows = [
                    tuple(row) for row in _done(self._connection.fetch(text, *parameters))
                ]
            else:
                _done(self._connection.execute(text))
        except asyncpg.IntegrityConstraintViolationError as error:
            raise sqlite3.IntegrityError(str(error)) from None
        return self

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute a statement for each row."""
        for row in rows:
            self.execute(statement, row)

    def __enter__(self) -> Outside:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.execute("COMMIT" if kind is None else "ROLLBACK")

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._rows)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows of the last statement."""
        return self._rows

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the first row of the last statement."""
        return next(iter(self._rows), None)

    def rollback(self) -> None:
        """Roll the transaction back."""
        self.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection."""
        _done(self._connection.close())

    def __del__(self) -> None:
        if not self._connection.is_closed():
            _loop().call_soon_threadsafe(self._connection.terminate)


def outside(file: Path) -> Outside:
    """Connect as another program to the database that replaces this file."""
    return Outside(_name_of(file))


def _name_of(file: Path) -> str:
    return "test_" + hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]


def _url(name: str) -> str:
    return f"postgresql+asyncpg://{_USER}@/{name}?host={_SOCKET}"


@cache
def _server() -> Outside:
    opened = Outside("postgres")
    atexit.register(opened.close)
    return opened


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


def _done(work: Coroutine[Any, Any, T]) -> T:
    """Return the result of `work`, run in a thread of its own."""
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


async def _connected(name: str) -> Any:
    import asyncpg

    settings = {"lock_timeout": "10"}
    return await asyncpg.connect(user=_USER, database=name, host=_SOCKET, server_settings=settings)
