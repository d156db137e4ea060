"""Schema of challenges; their deals and rounds are those of boards."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Table, Text

from bot.storage import statements
from bot.storage.schema import Moment, metadata

challenges = Table(
    "challenges",
    metadata,
    Column("id", statements.TABLE_ID, primary_key=True),
    Column("challenger", BigInteger, nullable=False, index=True),
    Column("challenged", BigInteger, nullable=False, index=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("accepted_at", Moment),
    Column("ended_at", Moment),
    Column("ended_by", BigInteger),
    Column("message_id", BigInteger),
    Column("shown", Text),
    CheckConstraint(
        "status IN ('offered', 'accepted', 'declined', 'expired', 'left', 'finished', 'updated')",
        name="status",
    ),
    sqlite_autoincrement=True,
)
"""Challenges of two people; `message_id` is the public message, and `shown` the status there."""
