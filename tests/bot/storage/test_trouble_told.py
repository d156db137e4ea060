"""Logging of database failures: the reason and the remedy, once for each failure."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from bot.storage import StorageError, StorageUnavailable, StorageUnfit, Store
from bot.storage.database import failure, unavailable
from bot.storage.errors import NotRead


def sqlite_error(code: int) -> OperationalError:
    """Return the error that SQLAlchemy raises for this SQLite code."""
    original = sqlite3.OperationalError("play:DRAGON")
    original.sqlite_errorcode = code
    return OperationalError("INSERT", {"text": "play:DRAGON"}, original)


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Return a caplog of the database's lines alone."""
    caplog.set_level(logging.INFO, logger="bot.storage.database")
    return caplog


def raising(error: Exception) -> Callable[[Connection], None]:
    """Return work in a transaction that raises this error."""

    def work(connection: Connection) -> None:
        raise error

    return work


async def failing(store: Store, code: int) -> None:
    """Try a write that fails with this SQLite code."""
    await store._database.write("trying", raising(sqlite_error(code)))  # noqa: SLF001


async def test_full_disk_and_its_end_are_logged_once(
    store: Store, told: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        with pytest.raises(StorageUnavailable):
            await failing(store, sqlite3.SQLITE_FULL)
    before = store.failing
    assert await store.write_failure() is None
    assert (before, store.failing) == (True, False)
    lines = [record.getMessage() for record in told.records]
    assert lines[0] == (
        "database write failed: the disk with the database is full; make room there, then "
        "play goes on by itself"
    )
    assert lines[1].endswith("and 5 failures")
    assert len(lines) == 2
    assert "DRAGON" not in told.text


async def test_bug_is_not_logged_as_a_database_failure(
    store: Store, told: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StorageError):
        await store._database.write("trying", raising(ValueError("play:DRAGON")))  # noqa: SLF001
    assert not store.failing
    assert told.records == []


def test_damaged_file_is_not_logged_as_temporary() -> None:
    damaged = unavailable("saving", sqlite_error(sqlite3.SQLITE_CORRUPT))
    assert isinstance(damaged, StorageUnfit)
    assert "`python -m bot restore FILE`" in str(damaged)
    assert "DRAGON" not in str(damaged)
    assert not isinstance(unavailable("saving", sqlite_error(sqlite3.SQLITE_BUSY)), StorageUnfit)


def test_errors_caused_by_a_logged_failure_have_debug_level() -> None:
    locked = unavailable("saving", sqlite_error(sqlite3.SQLITE_BUSY))
    not_read = NotRead("not read")
    not_read.__cause__ = locked
    assert locked.level == not_read.level == logging.DEBUG
    assert failure("saving", ValueError("play:DRAGON")).level == logging.ERROR
    assert NotRead("not read").level == logging.ERROR
