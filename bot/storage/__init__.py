"""Storage of tables, actions, rounds and matches in one SQLite file.

Used by the rest of `bot/`: a `Store`, the records that go in and out, ratings, and its errors.
"""

from bot.storage.errors import (
    ChannelTaken,
    Conflict,
    StorageError,
    StorageUnavailable,
    UnknownTable,
)
from bot.storage.honours import Played
from bot.storage.ratings import FIXED, Rating
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
from bot.storage.score_schema import WORLD
from bot.storage.standings import Board, Leaders, Order, Place, Wanted
from bot.storage.store import Store
from bot.storage.tallies import EVER, LATELY, Tally, last_season, season_of, span_of

__all__ = [
    "CLOCK",
    "EVER",
    "FIXED",
    "LATELY",
    "WORLD",
    "ActionRecord",
    "Board",
    "Change",
    "ChannelTaken",
    "Conflict",
    "Leaders",
    "MatchRecord",
    "MatchScore",
    "MatchSeat",
    "NewTable",
    "Order",
    "Place",
    "Played",
    "Rating",
    "RoundRecord",
    "RoundScore",
    "RoundSeat",
    "SeatRecord",
    "StorageError",
    "StorageUnavailable",
    "Store",
    "TableRecord",
    "Tally",
    "UnknownTable",
    "Wanted",
    "last_season",
    "season_of",
    "span_of",
]
