"""What every test of the Discord surface has: a world with a bot, and no silent errors."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.cogs.worlds import World, a_world
from tests.migrated_once import is_on_newest_schema
from tests.translated_commands import keep_told

_SHM = "/dev/shm"
MEMORY = _SHM if os.access(_SHM, os.W_OK) else None
"""The folder of Linux whose files are in memory; `None` where there is none."""


class ErrorRecords(logging.Handler):
    """Keeps every ERROR record; a test says with `allow` which ones it has provoked itself."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []
        self._found: list[str] = []
        self._allowed: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
        self._found.append(self.format(record))

    def allow(self, containing: str) -> None:
        """Records with this text are expected."""
        self._allowed.append(containing)

    @property
    def allowed(self) -> list[str]:
        """The records that a test has provoked itself."""
        return [found for found in self._found if found not in self.unexpected]

    @property
    def unexpected(self) -> list[str]:
        """The records nobody has allowed."""
        return [found for found in self._found if not any(word in found for word in self._allowed)]


@pytest.fixture(autouse=True)
def errors() -> Iterator[ErrorRecords]:
    """Fails the test on any ERROR record in any log."""
    records = ErrorRecords()
    root = logging.getLogger()
    root.addHandler(records)
    yield records
    root.removeHandler(records)
    assert records.unexpected == []


@pytest.fixture(scope="session")
def new_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The database of a bot that was started once and has told its commands; made once.

    What a bot does at its very first start takes a while. Worlds know these commands.
    """
    folder = tmp_path_factory.mktemp("new")

    async def make() -> None:
        async with a_world(folder) as world:
            keep_told(world.env)

    asyncio.run(make())
    return (folder / "tichu.db").read_bytes()


@pytest.fixture
def tmp_path(new_database: bytes) -> Iterator[Path]:
    """A folder with a new database, in memory where the system offers that.

    The bot has SQLite wait until each change is on the disk: on a disk, that is most of the time.
    """
    with tempfile.TemporaryDirectory(dir=MEMORY, ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "tichu.db"
        file.write_bytes(new_database)
        is_on_newest_schema(file)
        yield Path(folder)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A running bot in a server with one channel."""
    async with a_world(tmp_path) as opened:
        yield opened
