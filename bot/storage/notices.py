"""Notices to other processes on the same database about data that they cache.

They are numbered in the order of their commits. Only the newest ones are stored, so a process that
has missed others reloads everything.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import BigInteger, Column, Connection, Table, delete, func, insert, select

from bot.ids import UserId
from bot.storage import statements
from bot.storage.schema import metadata

_MOST_KEPT = 5_000

notices = Table(
    "notices",
    metadata,
    Column("number", statements.TABLE_ID, primary_key=True),
    Column("user_id", BigInteger),
)
"""Users whose settings have changed; NULL stands for the erasure of an unnamed person."""
_columns = notices.c


class Noticed(NamedTuple):
    """Notices after a given one."""

    last: int
    """Number of the last notice."""
    users: frozenset[UserId]
    """People whose settings have changed."""
    forgotten: bool
    """True if a person was erased."""
    missed: bool
    """True if notices may be missing."""


def note(connection: Connection, user_id: UserId | None) -> None:
    """Add a notice about changed settings of a person, or about an erasure (`None`)."""
    statements.advisory_lock(connection, statements.NOTICES)
    added = insert(notices).returning(_columns.number)
    number = connection.execute(added, {"user_id": user_id}).scalar_one()
    connection.execute(delete(notices).where(_columns.number <= number - _MOST_KEPT))


def forget(connection: Connection, user_id: UserId) -> None:
    """Add a notice about an erasure, and delete the notices about this person."""
    note(connection, None)
    connection.execute(delete(notices).where(_columns.user_id == user_id))


def last(connection: Connection) -> int:
    """Return the number of the last notice; 0 if there is none."""
    return (connection.scalar(select(func.max(_columns.number)))) or 0


def since(connection: Connection, number: int) -> Noticed:
    """Return all notices with a larger number."""
    rows = connection.execute(select(notices).where(_columns.number > number)).all()
    users = frozenset(row.user_id for row in rows)
    newest = max((row.number for row in rows), default=number)
    missed = newest - number >= _MOST_KEPT
    return Noticed(newest, users - {None}, None in users, missed)
