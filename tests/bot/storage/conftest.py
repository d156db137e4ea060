"""Fixtures of the storage tests: a store on a real file, and a second connection to the file."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage import Store
from tests.bot.databases import open_store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the database lies; its folder does not exist yet."""
    return tmp_path / "new" / "folder" / "bot.db"


@pytest.fixture
def url(file: Path) -> str:
    """The URL of the database."""
    return f"sqlite:///{file}"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    """A store on a new file that waits only shortly for locks."""
    opened = await open_store(file, busy_ms=50)
    yield opened
    await opened.close()


@pytest.fixture
def outside(store: Store, file: Path) -> Iterator[sqlite3.Connection]:
    """Another program's connection to the same file, without transactions of its own."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
        yield connection
