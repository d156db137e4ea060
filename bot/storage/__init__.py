"""Storage in a SQLite file or on a PostgreSQL server; SQL and nothing else.

A `Store` has one service per kind of data: `tables`, `history`, `rankings`, `personal_settings`,
`server_settings`, `people`, ... Parameters and results are the records of `bot.records` and
`bot.score_records`.
"""

from bot.storage.errors import (
    ChannelTaken,
    Conflict,
    Damaged,
    LeaseLost,
    NotRead,
    StorageError,
    StorageUnavailable,
    StorageUnfit,
    UnknownTable,
)
from bot.storage.rebuild import Derived, RebuildResult
from bot.storage.store import Store

__all__ = [
    "ChannelTaken",
    "Conflict",
    "Damaged",
    "Derived",
    "LeaseLost",
    "NotRead",
    "RebuildResult",
    "StorageError",
    "StorageUnavailable",
    "StorageUnfit",
    "Store",
    "UnknownTable",
]
