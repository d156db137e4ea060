"""Databases as each version of the schema left them, for tests that open a copy of one.

What they hold, and how they were written, stands in `tests/bot/data/write_tables.py`; for 0003 in
`write_tables_0003.py` there, which tells in another form what stands in it (`old_database.py`).
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"
SCHEMAS = sorted(path.name.split(".")[0].partition("-")[2] for path in _DATA.glob("*.sql.xz"))
"""The versions of the schema of which there is a database."""


@cache
def known(schema: str) -> dict[str, Any]:
    """How everything stood: `now`, `settings`, `scores`, and `tables` by name."""
    found: dict[str, Any] = json.loads((_DATA / f"tables-{schema}.json").read_text("utf-8"))
    return found


@cache
def _content(schema: str) -> bytes:
    """The content of the file of the database."""
    dump = lzma.decompress((_DATA / f"tables-{schema}.sql.xz").read_bytes()).decode()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(dump)
        return connection.serialize()


def place(schema: str, file: Path) -> None:
    """Put a copy of the database of this schema at this place."""
    file.write_bytes(_content(schema))
