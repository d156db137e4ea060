"""Operator messages for database errors of all backends."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.storage.errors import StorageError, StorageUnavailable
from bot.storage.postgres import errors as postgres
from bot.storage.sqlite import errors as sqlite

ERRORS = (DBAPIError, PoolTimeout, sqlite.Error)
"""Database errors: of SQLAlchemy, and of maintenance that bypasses it."""
_ONE_OPEN_TABLE = ("tables.channel_id", "uq_tables_open_channel")
"""Names in the database's error if the unique index on open tables refuses a row."""


def reason(error: Exception) -> str:
    """Return the reason of a database error for the operator, without stored values."""
    return postgres.reason(error) or sqlite.reason(error)


def next_step(error: Exception) -> str:
    """Return the next step for the operator; empty if unknown."""
    return postgres.next_step(error) or sqlite.next_step(error)


def is_unfit(error: Exception) -> bool:
    """Return whether the database is damaged or foreign, so that retries are useless."""
    return postgres.is_unfit(error) or sqlite.is_unfit(error)


def is_second_open_table(error: StorageError) -> bool:
    """Return whether a row was refused because its channel has an open table already."""
    cause = error.__cause__
    if not isinstance(cause, IntegrityError):
        return False
    return any(name in str(cause.orig) for name in _ONE_OPEN_TABLE)


def is_outage(error: StorageError) -> bool:
    """Return whether no write can succeed now, so that no single row is at fault."""
    cause = error.__cause__
    if isinstance(cause, DBAPIError):
        return isinstance(cause, OperationalError) or postgres.is_outage(cause)
    return isinstance(error, StorageUnavailable)
