"""Version of the derivation that produced the stored rounds, matches and ratings.

Rounds, matches, ratings and leaderboards are derived from the actions. A change of their derivation
gets a new number (`bot.history.rebuild.DERIVATION`). The number used for the stored rows is stored,
too, so that the program knows when a rebuild is due.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from bot.records import Count
from bot.storage import schema, statements

_DERIVATION = "derivation"
_REWRITES = "rewrite_count"


def is_outdated(connection: Connection, derivation: int) -> bool:
    """Return whether the stored rows were derived by another version of the derivation.

    In a database without a stored version, which is new, `derivation` is stored.
    """
    stored = _value(connection, _DERIVATION)
    if stored is None:
        set_version(connection, derivation)
    return stored not in (None, str(derivation))


def set_version(connection: Connection, derivation: int) -> None:
    """Store that all rows were derived by this version of the derivation."""
    _keep(connection, _DERIVATION, str(derivation))


def rewrite_count(connection: Connection) -> Count:
    """Return the number of rewrites; see `note_rewrite`."""
    return int(_value(connection, _REWRITES) or 0)


def note_rewrite(connection: Connection) -> None:
    """Count a rewrite, because this transaction changes or deletes history.

    Each change or deletion of past actions, seats, rounds or matches must call this. Then a rebuild
    that has read the previous rows starts again, so that it does not restore deleted data.
    """
    _keep(connection, _REWRITES, str(rewrite_count(connection) + 1))


def _value(connection: Connection, key: str) -> str | None:
    state = schema.app_state
    found: str | None = connection.scalar(select(state.c.value).where(state.c.key == key))
    return found


def _keep(connection: Connection, key: str, value: str) -> None:
    connection.execute(statements.upsert(schema.app_state), {"key": key, "value": value})
