"""Databases of each schema version, for tests that open a copy.

Their content and origin are described in `tests/bot/data/write_tables.py`; for 0003, whose
expectations have another form (`old_database.py`), in `write_tables_0003.py`.
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
"""Schema versions with a stored database."""


@cache
def known(schema: str) -> dict[str, Any]:
    """Return the expected state: `now`, `settings`, `scores`, and `tables` by name."""
    found: dict[str, Any] = json.loads((_DATA / f"tables-{schema}.json").read_text("utf-8"))
    return found


@cache
def _content(schema: str) -> bytes:
    """Return the content of the database file."""
    dump = lzma.decompress((_DATA / f"tables-{schema}.sql.xz").read_bytes()).decode()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(dump)
        return connection.serialize()


def place(schema: str, file: Path) -> None:
    """Put a copy of the database of this schema at this path."""
    file.write_bytes(_content(schema))
