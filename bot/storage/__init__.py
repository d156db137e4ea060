"""Storage in a file of SQLite, or on a server of PostgreSQL: SQL and nothing else.

A `Store` has one service for each kind of thing that is kept: `tables`, `history`, `rankings`,
`personal_settings`, `server_settings`, `people`, ... What goes in and comes out are the records of
`bot.records` and `bot.score_records`.
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
