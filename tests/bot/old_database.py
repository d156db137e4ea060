"""Database of the program before table states were typed, for tests that open a copy.

Its content and origin are described in `tests/bot/data/write_tables_0003.py`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.bot.databases import open_store
from tests.bot.old_databases import place

_DATA = Path(__file__).parent / "data"
KNOWN: dict[str, Any] = json.loads((_DATA / "tables-0003.json").read_text("utf-8"))
"""Expected state: `now`, the leaderboard (`board`), and `tables` by name."""
OPEN: dict[str, dict[str, Any]] = {
    name: stood for name, stood in KNOWN["tables"].items() if stood["status"] != "over"
}
"""Expected states of the open tables by name, such as ``nanjing/premove``."""
_updated: list[bytes] = []
"""Content of the migrated database, filled by the first use."""


def place_old_database(file: Path, names: Iterable[str]) -> None:
    """Put a copy at this path in which only the open tables with these names stay open."""
    place("0003", file)
    leave_open(file, names)


async def place_updated_database(file: Path, names: Iterable[str]) -> None:
    """Put a migrated copy at this path; the migration runs once in a process."""
    if not _updated:
        place_old_database(file, OPEN)
        await (await open_store(file)).close()
        _updated.append(file.read_bytes())
    file.write_bytes(_updated[0])
    leave_open(file, names)


def leave_open(file: Path, names: Iterable[str]) -> None:
    """Stop all open tables except those with these names."""
    wanted = [OPEN[name]["id"] for name in names]
    with closing(sqlite3.connect(file)) as connection:
        open_ones = f"SELECT id FROM tables WHERE id IN ({', '.join('?' * len(wanted))})"
        connection.execute(
            f"UPDATE tables SET status = 'stopped' WHERE id NOT IN ({open_ones}) "
            "AND status IN ('lobby', 'playing')",
            wanted,
        )
        connection.commit()
