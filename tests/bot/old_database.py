"""The database of the program before its state had a shape, for tests that open a copy of it.

What it holds, and how it was written, stands in `tests/bot/data/write_tables_0003.py`.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"
KNOWN: dict[str, Any] = json.loads((_DATA / "tables-0003.json").read_text("utf-8"))
"""How everything stood: `now`, the leaderboard (`board`), and `tables` by name."""
OPEN: dict[str, dict[str, Any]] = {
    name: stood for name, stood in KNOWN["tables"].items() if stood["status"] != "over"
}
"""How the open tables stood, by name, such as ``nanjing/premove``."""


@cache
def _dump() -> str:
    return lzma.decompress((_DATA / "tables-0003.sql.xz").read_bytes()).decode()


def place_old_database(file: Path, names: Iterable[str]) -> None:
    """Put a copy at this place; of its open tables only those of these names stay open."""
    wanted = [OPEN[name]["id"] for name in names]
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(_dump())
        open_ones = f"SELECT id FROM tables WHERE id IN ({', '.join('?' * len(wanted))})"
        connection.execute(
            f"UPDATE tables SET status = 'stopped' WHERE id NOT IN ({open_ones}) "
            "AND status IN ('lobby', 'playing')",
            wanted,
        )
        connection.commit()
