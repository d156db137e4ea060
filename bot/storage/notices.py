"""Notices: what other processes on the same database have to learn, as they keep it in memory.

Each notice has a larger number than those before it, in the order in which they are stored. Only
the last ones are kept: whoever has missed some looks at everything.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import BigInteger, Column, Connection, Table, delete, func, insert, select

from bot.ids import UserId
from bot.storage import statements
from bot.storage.schema import metadata

_KEPT = 5_000

notices = Table(
    "notices",
    metadata,
    Column("number", statements.TABLE_ID, primary_key=True),
    Column("user_id", BigInteger),
)
"""Whose settings have changed; NULL: somebody was forgotten, and it does not say who."""
_own = notices.c


class Noticed(NamedTuple):
    """What was noted since some notice."""

    last: int
    """The number of the last notice."""
    users: frozenset[UserId]
    """People whose settings have changed."""
    forgotten: bool
    """Whether somebody was forgotten."""
    missed: bool
    """Whether there may be more of all that."""


def note(connection: Connection, user_id: UserId | None) -> None:
    """Note in this transaction that a person's settings change, or that one is forgotten."""
    statements.advisory_lock(connection, statements.NOTICES)
    added = insert(notices).returning(_own.number)
    number = connection.execute(added, {"user_id": user_id}).scalar_one()
    connection.execute(delete(notices).where(_own.number <= number - _KEPT))


def forget(connection: Connection, user_id: UserId) -> None:
    """Note that a person is forgotten, and remove what was noted of them."""
    note(connection, None)
    connection.execute(delete(notices).where(_own.user_id == user_id))


def last(connection: Connection) -> int:
    """The number of the last notice; 0 if there is none."""
    return (connection.scalar(select(func.max(_own.number)))) or 0


def since(connection: Connection, number: int) -> Noticed:
    """What was noted after the notice with this number."""
    rows = connection.execute(select(notices).where(_own.number > number)).all()
    users = frozenset(row.user_id for row in rows)
    newest = max((row.number for row in rows), default=number)
    missed = newest - number >= _KEPT
    return Noticed(newest, users - {None}, None in users, missed)
