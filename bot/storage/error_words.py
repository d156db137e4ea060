"""What errors of a database mean, whatever its kind, in words for a person."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.storage.postgres import errors as postgres
from bot.storage.sqlite import errors as sqlite

ERRORS = (SQLAlchemyError, sqlite.Error)
"""What is raised when a database fails: by SQLAlchemy, and by what goes past it."""
_ONE_OPEN_TABLE = ("tables.channel_id", "uq_tables_open_channel")
"""What databases name when the partial unique index on open tables refuses a row."""


def reason(error: Exception) -> str:
    """Why the database failed, in words for a person; nothing of what it holds."""
    return postgres.reason(error) or sqlite.reason(error)


def next_step(error: Exception) -> str:
    """What the operator does when the database has failed so; empty if nobody can say."""
    return postgres.next_step(error) or sqlite.next_step(error)


def is_unfit(error: Exception) -> bool:
    """Whether the database is damaged or no database: that does not pass by itself."""
    return postgres.is_unfit(error) or sqlite.is_unfit(error)


def is_second_open_table(error: Exception) -> bool:
    """Whether a row was refused because its channel has an open table already."""
    if not isinstance(error, IntegrityError):
        return False
    return any(name in str(error.orig) for name in _ONE_OPEN_TABLE)


def is_whole(error: Exception) -> bool:
    """Whether nothing can be written at all now: no single row is at fault."""
    if isinstance(error, OperationalError | PoolTimeout):
        return True
    return isinstance(error, DBAPIError) and postgres.is_whole(error)
