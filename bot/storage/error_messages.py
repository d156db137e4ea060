"""What errors of a database mean, whatever its kind, in words for a person."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.storage.errors import StorageError, StorageUnavailable
from bot.storage.postgres import errors as postgres
from bot.storage.sqlite import errors as sqlite

ERRORS = (DBAPIError, PoolTimeout, sqlite.Error)
"""Errors of a database: through SQLAlchemy, and of maintenance that does without it."""
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


def is_second_open_table(error: StorageError) -> bool:
    """Return whether a row was refused because its channel has an open table already."""
    cause = error.__cause__
    if not isinstance(cause, IntegrityError):
        return False
    return any(name in str(cause.orig) for name in _ONE_OPEN_TABLE)


def is_outage(error: StorageError) -> bool:
    """Return whether nothing can be written at all now, so that no single row is at fault."""
    cause = error.__cause__
    if isinstance(cause, DBAPIError):
        return isinstance(cause, OperationalError) or postgres.is_outage(cause)
    return isinstance(error, StorageUnavailable)
