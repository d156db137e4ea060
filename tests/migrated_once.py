"""Databases whose schema is created and checked once, not each time they are opened.

A new database is created once in a process, then copied, because migrations take longer than most
tests. Checking a schema needs a connection of its own and a third of the time to open a store. A
test that is not about the storage has placed its database on the newest schema, or has opened it
before. The checks and migrations are tested by `test_opening.py`, `test_versions.py` and
`test_update_backups.py` in `tests/bot/storage`, which do not use this.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.storage.backend import Backend
from bot.storage.migrate import migrate

_newest: set[Path] = set()
"""Files on the newest schema."""
_empty: list[bytes] = []
"""Content of a new database, filled by the first use."""


def is_on_newest_schema(file: Path) -> None:
    """Record that this file is on the newest schema."""
    _newest.add(file)


async def _migrate(database: Backend, *, keep: bool) -> None:
    """Migrate to the newest schema, unless it is known to be there."""
    file: Path | None = getattr(database, "file", None)  # PostgreSQL has none
    if file is None:
        await migrate(database, keep=keep)
        return
    new = not file.exists()
    if new and _empty:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_empty[0])
    elif new or file not in _newest:
        await migrate(database, keep=keep)
    if new and not _empty:
        _empty.append(file.read_bytes())
    _newest.add(file)


def migrate_once(patch: pytest.MonkeyPatch) -> None:
    """Let all stores opened from now on check the schema of a file once."""
    patch.setattr("bot.storage.database.migrate", _migrate)
