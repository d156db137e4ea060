"""Schema of club events: events, their people, their actions and their deals."""

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Integer, Table, Text

from bot.storage import statements
from bot.storage.schema import Moment, metadata

club_events = Table(
    "club_events",
    metadata,
    Column("id", statements.TABLE_ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("organiser_id", BigInteger, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("settings", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("message_id", BigInteger),
    Column("shown", Integer, nullable=False),
    Column("scheduled_id", BigInteger),
    Column("seq", Integer, nullable=False),
    statements.holds_json("settings"),
    CheckConstraint("status IN ('open', 'running', 'over', 'cancelled')", name="status"),
    CheckConstraint("seq >= 0", name="seq"),
    sqlite_autoincrement=True,
)
"""Events; `seq` is the number of their actions, and `shown` how many the public message shows.

Numbers are never used again, because the buttons of an event have its number.
"""

club_people = Table(
    "club_people",
    metadata,
    Column("event_id", statements.TABLE_ID, ForeignKey("club_events.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("reminded", Integer, nullable=False),
    **statements.STORED_BY_KEY,
)
"""People of events, by the number that the actions have for them."""

club_actions = Table(
    "club_actions",
    metadata,
    Column("event_id", statements.TABLE_ID, ForeignKey("club_events.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
    Column("actor_id", BigInteger),
    Column("body", Text, nullable=False),
    statements.holds_json("body"),
    **statements.STORED_BY_KEY,
)
"""Actions of events, in order (`bot.club.actions`)."""

club_deals = Table(
    "club_deals",
    metadata,
    Column("event_id", statements.TABLE_ID, ForeignKey("club_events.id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("secret", Text, nullable=False),
    **statements.STORED_BY_KEY,
)
"""Secrets of the deals that all tables of a round of an event play."""
