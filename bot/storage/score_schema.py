"""The tables of ratings and leaderboards, and what people and servers have chosen about them.

All but the choices is derived from rounds and matches, in the transaction that stores those. A
`scope` is a server, or 0 for all servers together; days are counted since 1970, in UTC.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    Table,
    Text,
    false,
)

from bot.storage import statements
from bot.storage.schema import Moment, metadata

ratings = Table(
    "ratings",
    metadata,
    Column("scope", BigInteger, primary_key=True),
    Column("variant", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("rounds", Integer, nullable=False),
    **statements.STORED_BY_KEY,
)

rating_days = Table(
    "rating_days",
    metadata,
    Column("scope", BigInteger, primary_key=True),
    Column("variant", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    **statements.STORED_BY_KEY,
)
"""The last rating of each day on which somebody played."""

_COUNTED = ("rounds", "points", "matches", "wins", "calls", "calls_made")


def _counters() -> list[Column[int]]:
    """What is added up; points in hundredths (see `bot.records.RoundSeat.margin`)."""
    return [Column(name, Integer, nullable=False) for name in _COUNTED]


standings = Table(
    "standings",
    metadata,
    Column("scope", BigInteger, primary_key=True),
    Column("variant", Text, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    *_counters(),
    Column("rating", Float, nullable=False),
    Column("by_rating", Float),
    Column("by_wins", Float),
    Column("by_win_rate", Float),
    Column("by_points", Float),
    Column("by_calls", Float),
    **statements.STORED_BY_KEY,
)
"""What a leaderboard is made of; a `by_` column is empty for who is not on that one."""

ORDERS = ("rating", "wins", "win_rate", "points", "calls")
for _order in ORDERS:
    _column = standings.c[f"by_{_order}"]
    statements.partial_index(
        f"ix_standings_by_{_order}",
        standings.c.scope,
        standings.c.variant,
        standings.c.period,
        _column,
        standings.c.user_id,
        where=_column.is_not(None),
    )
Index("ix_standings_user_id", standings.c.user_id)

tallies = Table(
    "tallies",
    metadata,
    Column("day", Integer, primary_key=True),
    Column("scope", BigInteger, primary_key=True),
    Column("variant", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    *_counters(),
    **statements.STORED_BY_KEY,
)
"""What was added up on each of the last thirty days, to be taken off again when it is too old."""

people = Table(
    "people",
    metadata,
    statements.given_key("user_id"),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("worldwide", Boolean, nullable=False, server_default=false()),
    **statements.STORED_BY_KEY,
)

names = Table(
    "names",
    metadata,
    Column("scope", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    **statements.STORED_BY_KEY,
)
"""What a person was called on a server when they last sat down there; for all servers together the
name that they had in Discord itself when they chose to be seen there."""

guilds = Table(
    "guilds",
    metadata,
    statements.given_key("guild_id"),
    Column("honours_channel_id", BigInteger),
    Column("honoured", Text),
    Column("gone_since", Moment),
    **statements.STORED_BY_KEY,
)
"""The channel of the monthly ranking, and the last season posted there (such as 2026-11).

`gone_since` is when it was noticed that the bot is not in the server any more.
"""
