"""Storage of tables, actions, rounds and matches in one SQLite file.

Used by the rest of `bot/`: a `Store`, the records that go in and out, and its errors.
"""

from bot.storage.errors import (
    ChannelTaken,
    Conflict,
    StorageError,
    StorageUnavailable,
    UnknownTable,
)
from bot.storage.records import (
    CLOCK,
    ActionRecord,
    Change,
    MatchRecord,
    MatchScore,
    MatchSeat,
    NewTable,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatRecord,
    TableRecord,
)
from bot.storage.store import Store

__all__ = [
    "CLOCK",
    "ActionRecord",
    "Change",
    "ChannelTaken",
    "Conflict",
    "MatchRecord",
    "MatchScore",
    "MatchSeat",
    "NewTable",
    "RoundRecord",
    "RoundScore",
    "RoundSeat",
    "SeatRecord",
    "StorageError",
    "StorageUnavailable",
    "Store",
    "TableRecord",
    "UnknownTable",
]
