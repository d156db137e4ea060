"""Storage of tables, actions, rounds and matches in one SQLite file.

Used by the rest of `bot/`: a `Store`, the records that go in and out, ratings, and its errors.
"""

from bot.rating.ratings import FIXED, Rating
from bot.rating.tallies import EVER, LATELY, WORLD, Tally, last_season, season_of, span_of
from bot.records import (
    CLOCK,
    ActionRecord,
    Change,
    EndedMatch,
    MatchRecord,
    MatchScore,
    MatchSeat,
    NewTable,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatRecord,
    SittingRecord,
    TableRecord,
)
from bot.storage.careers import Company, Ending, Played, Stretch
from bot.storage.errors import (
    ChannelTaken,
    Conflict,
    StorageError,
    StorageUnavailable,
    UnknownTable,
)
from bot.storage.rankings import Board, Leaders, Order, Place, Wanted
from bot.storage.rebuild import Derived, Rebuilt
from bot.storage.settings import Amount
from bot.storage.store import Store

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
    "Company",
    "Conflict",
    "EndedMatch",
    "Leaders",
    "Ending",
    "MatchRecord",
    "MatchScore",
    "MatchSeat",
    "NewTable",
    "Order",
    "Place",
    "Played",
    "Amount",
    "Rating",
    "Derived",
    "Rebuilt",
    "RoundRecord",
    "RoundScore",
    "RoundSeat",
    "SeatRecord",
    "SittingRecord",
    "StorageError",
    "StorageUnavailable",
    "Store",
    "Stretch",
    "TableRecord",
    "Tally",
    "UnknownTable",
    "Wanted",
    "last_season",
    "season_of",
    "span_of",
]
