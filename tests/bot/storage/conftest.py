"""Fixtures of storage tests: a store on a real file, and a second connection to it."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from bot.rating.ledger import LEDGER
from bot.storage import Store
from bot.storage.database import Database
from tests.bot import postgres
from tests.bot.databases import place_database, url_of
from tests.bot.postgres import ON_POSTGRES
from tests.migrated_once import migrate_once
from tests.same_thread import answer_in_this_thread

collect_ignore = [] if ON_POSTGRES else ["test_postgres.py", "test_postgres_writers.py"]


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database answer in the thread of the test, except in tests about threads."""
    answer_in_this_thread(monkeypatch)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the database, whose folder does not exist yet."""
    return tmp_path / "new" / "folder" / "bot.db"


@pytest.fixture
def url(file: Path) -> str:
    """Return the URL of the database."""
    return url_of(file)


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    """Yield the open database below the store, with a short lock timeout."""
    await place_database(file)
    with pytest.MonkeyPatch.context() as patch:
        migrate_once(patch)
        opened = await Database.open(url_of(file), busy_ms=50)
    yield opened
    await opened.close()


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    """Yield a store on a new file."""
    opened = Store(database, LEDGER)
    yield opened
    await opened.close()


@pytest.fixture
def outside(store: Store, file: Path) -> Iterator[sqlite3.Connection]:
    """Yield another program's autocommit connection to the same file."""
    if ON_POSTGRES:
        with closing(postgres.outside(file)) as other:
            yield cast(sqlite3.Connection, other)
        return
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as connection:
        yield connection
