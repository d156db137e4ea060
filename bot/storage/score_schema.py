"""Schema of ratings and leaderboards, and of preferences of users and servers.

Everything but the preferences is derived from rounds and matches, in the transaction that stores
them. A `scope` is a server, or 0 for all servers together. Days are counted since 1970, in UTC.
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
"""Last rating of each day on which a user played."""

_COUNTED = ("rounds", "points", "matches", "wins", "calls", "calls_made")


def _counters() -> list[Column[int]]:
    """Return the columns of counters; points in hundredths (`bot.records.RoundSeat.margin`)."""
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
"""Lines of leaderboards; a `by_` column is NULL if the user is not listed there."""

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
"""Results of each of the last thirty days, subtracted again when they expire."""

daily_standings = Table(
    "daily_standings",
    metadata,
    Column("period", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, index=True),
    Column("days", Integer, nullable=False),
    Column("total", Float, nullable=False),
    Column("squares", Float, nullable=False),
    Column("chance", Float, nullable=False),
    Column("mean", Float),
    **statements.STORED_BY_KEY,
)
"""Sums of the match points of deals of the day in a week (2026-W48) or month (2026-11).

They are the fields of `bot.standings.daily_standings.Standing`, derived from `solo_rounds` when a
day is over. `mean` is NULL if there are too few days to be listed.
"""
statements.partial_index(
    "ix_daily_standings_mean",
    daily_standings.c.period,
    daily_standings.c.mean,
    daily_standings.c.user_id,
    where=daily_standings.c.mean.is_not(None),
)

people = Table(
    "people",
    metadata,
    statements.discord_id_key("user_id"),
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
"""Names of users on servers, as of the last time they sat down there.

For scope 0 (all servers), it is the user's name on Discord at the time when they chose to be on the
worldwide leaderboard.
"""

guilds = Table(
    "guilds",
    metadata,
    statements.discord_id_key("guild_id"),
    Column("honours_channel_id", BigInteger),
    Column("honoured", Text),
    Column("gone_since", Moment),
    **statements.STORED_BY_KEY,
)
"""Channel of the monthly ranking, and the last season posted (such as 2026-11).

`gone_since` is the time when the bot was first missing in the server.
"""
