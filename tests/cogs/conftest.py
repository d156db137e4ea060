"""What every test of the Discord surface has: a world with a bot, and no silent errors."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.cogs.worlds import World, a_world


class ErrorRecords(logging.Handler):
    """Keeps every ERROR record; a test says with `allow` which ones it has provoked itself."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._found: list[str] = []
        self._allowed: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
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


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A running bot in a server with one channel."""
    async with a_world(tmp_path) as opened:
        yield opened
