"""Whether the stored figures follow from the actions as this version of the program derives them.

Rounds, matches, ratings and leaderboards are derived from the actions. A change of how that is done
gets a new number (`bot.history.rebuild.DERIVATION`). The number by which everything in the database
was derived is stored there, so that the program knows when it has to be done anew.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from bot.records import Count
from bot.storage import schema, statements

_DERIVATION = "derivation"
_REWRITES = "rewrites"


def is_outdated(connection: Connection, derivation: int) -> bool:
    """Whether the figures were not derived by the derivation with this number.

    A new database has no number yet and gets this one. Nor have those of schema 0007 and before:
    0001 and 0002 stored less about a round; from 0003 on it was what derivation 1 gives.
    """
    stored = _value(connection, _DERIVATION)
    if stored is None:
        rounds, seats = schema.rounds, schema.round_seats
        incomplete = select(seats.c.table_id).where(seats.c.margin.is_(None))
        old = incomplete if derivation == 1 else select(rounds.c.table_id)
        if connection.scalar(old.limit(1)) is not None:
            return True
        note(connection, derivation)
        return False
    return stored != str(derivation)


def note(connection: Connection, derivation: int) -> None:
    """Note that all figures are those of the derivation with this number."""
    _keep(connection, _DERIVATION, str(derivation))


def rewrites(connection: Connection) -> Count:
    """How often stored actions, seats or rounds were rewritten; see `note_rewrite`."""
    return int(_value(connection, _REWRITES) or 0)


def note_rewrite(connection: Connection) -> None:
    """Note that something stored is changed or removed in this transaction, not only added to.

    Whoever changes or removes actions, seats, rounds or matches of the past must call it. A rebuild
    that has read them before then begins again, and brings nothing of it back.
    """
    _keep(connection, _REWRITES, str(rewrites(connection) + 1))


def _value(connection: Connection, key: str) -> str | None:
    state = schema.app_state
    found: str | None = connection.scalar(select(state.c.value).where(state.c.key == key))
    return found


def _keep(connection: Connection, key: str, value: str) -> None:
    connection.execute(statements.upsert(schema.app_state), {"key": key, "value": value})
