"""Databases whose schema is made and looked at once, not each time that they are opened.

A new one is made once in a process, then copied: migrations take much longer than most tests. To
look at a schema takes a connection of its own, and a third of the time in which a store is opened.
A test that is not about the storage has placed its database on the newest schema, or has opened it
before. What is looked at, and what is done then, is proven by `test_opening.py`, `test_versions.py`
and `test_update_backups.py` in `tests/bot/storage`, which do not use this.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.storage.backend import Backend
from bot.storage.migrate import migrate

_newest: set[Path] = set()
"""Files that are on the newest schema."""
_empty: list[bytes] = []
"""The content of a new database, once one was made."""


def is_on_newest_schema(file: Path) -> None:
    """Remember that nothing is to be done for this file."""
    _newest.add(file)


async def _migrate(database: Backend, *, keep: bool) -> None:
    """Bring the schema to the newest version, unless it is known to be there."""
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
    """Let all stores that are opened from now on look once at the schema of a file."""
    patch.setattr("bot.storage.database.migrate", _migrate)
