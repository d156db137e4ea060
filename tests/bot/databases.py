"""Databases on the newest schema: migrated once in a process, then copied.

Migrations take much longer than most tests; what they do is tested in `storage/test_opening.py`.
Statements are also compiled once in a process. SQLAlchemy keeps them with an engine, for its
dialect: a bot has the same three engines as long as it runs, a test has three of its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.rating.ledger import LEDGER
from bot.score_records import Books, Concerned, Ended, ScoreRules, Standing, Variant, Worth
from bot.storage import Store, sqlite

_migrated: list[bytes] = []
"""The content of an empty database, once it was made."""
_dialects: list[Dialect] = []
"""The dialect of the first engine, which all later ones share."""
_compiled: dict[Any, Any] = {}
"""Statements that were compiled for it."""


def _engine(*given: Any, **options: Any) -> AsyncEngine:
    """An engine with the statements that were compiled before."""
    made = create_async_engine(*given, **options, execution_options={"compiled_cache": _compiled})
    if not _dialects:
        _dialects.append(made.dialect)
    made.sync_engine.dialect = _dialects[0]
    return made


async def place_database(file: Path) -> None:
    """Put an empty database at this place, unless there is a file already."""
    if not _migrated:
        vars(sqlite)["create_async_engine"] = _engine
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "made.db"
            await (await Store.open(f"sqlite:///{made}", LEDGER)).close()
            _migrated.append(made.read_bytes())
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated[0])


async def open_store(file: Path, rules: ScoreRules = LEDGER, *, busy_ms: int = 5000) -> Store:
    """The store in this file; an empty one if there is no file."""
    await place_database(file)
    return await Store.open(f"sqlite:///{file}", rules, busy_ms=busy_ms)


class NoScores:
    """Rules by which nothing counts: for tests that need no ratings and no leaderboards."""

    def concerned(self, ended: Sequence[Ended]) -> Concerned:
        """Nobody."""
        return Concerned(frozenset(), frozenset(), frozenset())

    def enter(self, books: Books, ended: Sequence[Ended]) -> None:
        """Enter nothing."""

    def worth(self, standing: Standing) -> Worth:
        """Nothing."""
        return Worth()

    def dealer_opposes_all(self, variant: Variant) -> bool:
        """As in the game itself."""
        return LEDGER.dealer_opposes_all(variant)
