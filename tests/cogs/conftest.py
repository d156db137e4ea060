"""Fixtures of all tests with Discord: a world with a bot, and no silent errors."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cogs.worlds import World, a_world, synced_commands
from tests.migrated_once import is_on_newest_schema

_SHM = "/dev/shm"
MEMORY = _SHM if os.access(_SHM, os.W_OK) else None
"""A Linux folder in memory; `None` where there is none."""


class ErrorRecords(logging.Handler):
    """Collects ERROR records; a test calls `allow` for those it provokes."""

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
        """Expect records with this text."""
        self._allowed.append(containing)

    @property
    def allowed(self) -> list[str]:
        """Return the records that the test has provoked."""
        return [found for found in self._found if found not in self.unexpected]

    @property
    def unexpected(self) -> list[str]:
        """Return the unexpected records."""
        return [found for found in self._found if not any(word in found for word in self._allowed)]


@pytest.fixture(autouse=True)
def errors() -> Iterator[ErrorRecords]:
    """Fail the test on any unexpected ERROR record."""
    records = ErrorRecords()
    root = logging.getLogger()
    root.addHandler(records)
    yield records
    root.removeHandler(records)
    assert records.unexpected == []


@pytest.fixture(scope="session")
def new_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the database of a bot that was started once and has synced its commands.

    The very first start of a bot is slow, so it is done once, and worlds know these commands.
    """
    folder = tmp_path_factory.mktemp("new")

    async def make() -> None:
        async with a_world(folder) as world:
            synced_commands.clear()
            synced_commands.update(world.env.backend.commands[None])

    asyncio.run(make())
    return (folder / "tichu.db").read_bytes()


@pytest.fixture
def tmp_path(new_database: bytes) -> Iterator[Path]:
    """Yield a folder with a new database, in memory where the system offers that.

    The bot has SQLite wait until each change is on disk, which would take most of the time.
    """
    with tempfile.TemporaryDirectory(dir=MEMORY, ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "tichu.db"
        file.write_bytes(new_database)
        is_on_newest_schema(file)
        yield Path(folder)


@pytest.fixture
def daily_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at reminders once a day, in tests in which weeks pass."""
    monkeypatch.setattr("bot.live.reminders._LOOK_EVERY_S", timedelta(days=1).total_seconds())


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Yield a running bot in a guild with one channel."""
    async with a_world(tmp_path) as opened:
        yield opened
