"""Databases on the newest schema: migrated once in a process, then copied.

Migrations take much longer than most tests; what they do is tested in `storage/test_opening.py`.
Statements are compiled once in a process, too.
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
"""Milliseconds that one of two writers waits for the other: no machine is slower."""

_migrated: list[bytes] = []
"""The content of an empty database, once it was made."""


async def place_database(file: Path) -> None:
    """Put an empty database at this place, unless there is a file already."""
    if ON_POSTGRES:
        await postgres.place(file, _make)
    else:
        await place_file(file)


async def place_file(file: Path) -> None:
    """The same with an empty database of SQLite, whatever stores are opened on."""
    if not _migrated:
        compile_once(pytest.MonkeyPatch())  # and never as before
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "made.db"
            await _make(f"sqlite:///{made}")
            _migrated.append(made.read_bytes())
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated[0])
        is_on_newest_schema(file)


async def open_store(file: Path, rules: ScoreRules = LEDGER, *, busy_ms: int = 5000) -> Store:
    """The store in this file; an empty one if there is no file."""
    await place_database(file)
    return await Store.open(url_of(file), rules, busy_ms=busy_ms)


def url_of(file: Path) -> str:
    """The URL of the database in this file, or of the one that stands for it."""
    return postgres.url_of(file) if ON_POSTGRES else f"sqlite:///{file}"


def place_of(file: Path) -> Path | str:
    """The file, or the URL of the database that stands for it."""
    return url_of(file) if ON_POSTGRES else file


def outside(file: Path) -> sqlite3.Connection:
    """Another program's connection to the database in this file, or to what stands for it."""
    if ON_POSTGRES:
        return cast(sqlite3.Connection, postgres.outside(file))
    return sqlite3.connect(file)


async def _make(url: str) -> None:
    """Make a new database there."""
    await (await Store.open(url, LEDGER)).close()


async def set_pragma(database: Database, pragma: str) -> None:
    """Set something, such as `query_only=ON`, on the connection that writes."""
    async with database.write_turn:
        await database._backend.disconnect()  # noqa: SLF001 - the pool lends it to us, then again
        async with database.writer.connect() as connection:
            await connection.run_sync(
                lambda plain: plain.connection.cursor().execute(f"PRAGMA {pragma}")
            )


class NoScores:
    """Rules by which nothing counts: for tests that need no ratings and no leaderboards."""

    def required_rows(self, ended: Sequence[Ended]) -> RowKeys:
        """Nobody."""
        return RowKeys(frozenset(), frozenset(), frozenset())

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter nothing."""

    def sort_keys(self, stats: LineStats) -> SortKeys:
        """Nothing."""
        return SortKeys()

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """As in the game itself."""
        return LEDGER.dealer_opposes_all(variant)
