"""Databases with the newest schema: migrated once in a process, then copied.

Migrations take longer than most tests; `storage/test_opening.py` tests them. Statements are
compiled once in a process, too.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from bot.rating.ledger import LEDGER
from bot.score_records import Books, Ended, LineStats, RowKeys, ScoreRules, SortKeys, Variant
from bot.storage import Store
from bot.storage.database import Database
from tests.bot import postgres
from tests.bot.postgres import ON_POSTGRES
from tests.compiled_once import compile_once
from tests.migrated_once import is_on_newest_schema

PATIENT_MS = 600_000
"""Milliseconds that one of two writers waits for the other, enough for slow machines."""

_migrated: list[bytes] = []
"""Content of an empty migrated database, filled by the first use."""


async def place_database(file: Path) -> None:
    """Put an empty database at this path, unless a file exists."""
    if ON_POSTGRES:
        await postgres.place(file, _make)
    else:
        await place_file(file)


async def place_file(file: Path) -> None:
    """Put an empty SQLite database at this path, also when tests run on PostgreSQL."""
    if not _migrated:
        compile_once(pytest.MonkeyPatch())  # never reuse the old content
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "made.db"
            await _make(f"sqlite:///{made}")
            _migrated.append(made.read_bytes())
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated[0])
        is_on_newest_schema(file)


async def open_store(file: Path, rules: ScoreRules = LEDGER, *, busy_ms: int = 5000) -> Store:
    """Open the store in this file; create an empty one if there is no file."""
    await place_database(file)
    return await Store.open(url_of(file), rules, busy_ms=busy_ms)


def url_of(file: Path) -> str:
    """Return the URL of the database in this file, or of the one that stands in for it."""
    return postgres.url_of(file) if ON_POSTGRES else f"sqlite:///{file}"


def place_of(file: Path) -> Path | str:
    """Return the file, or the URL of the database that stands in for it."""
    return url_of(file) if ON_POSTGRES else file


def outside(file: Path) -> sqlite3.Connection:
    """Connect as another program to the database of this file."""
    if ON_POSTGRES:
        return cast(sqlite3.Connection, postgres.outside(file))
    return sqlite3.connect(file)


async def _make(url: str) -> None:
    """Create a new database there."""
    await (await Store.open(url, LEDGER)).close()


async def set_pragma(database: Database, pragma: str) -> None:
    """Set a pragma such as `query_only=ON` on the writing connection."""
    async with database.write_turn:
        await database._backend.disconnect()  # noqa: SLF001 - the pool lends it to us, then again
        async with database.writer.connect() as connection:
            await connection.run_sync(
                lambda plain: plain.connection.cursor().execute(f"PRAGMA {pragma}")
            )


class NoScores:
    """Rules by which nothing counts, for tests without ratings and leaderboards."""

    def required_rows(self, ended: Sequence[Ended]) -> RowKeys:
        """Return nobody."""
        return RowKeys(frozenset(), frozenset(), frozenset())

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter nothing."""

    def sort_keys(self, stats: LineStats) -> SortKeys:
        """Return a value of nothing."""
        return SortKeys()

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """Return the value of the usual rules."""
        return LEDGER.dealer_opposes_all(variant)
