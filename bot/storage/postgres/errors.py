"""Operator messages for PostgreSQL errors, and removal of stored values from errors.

Errors are identified by their SQLSTATE, so asyncpg need not be imported.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ExceptionContext
from sqlalchemy.exc import DBAPIError, OperationalError

NO_CONNECTION: Final = "08001"
_UNREACHABLE: Final = "the database server cannot be reached"
_RESTARTING: Final = "the database server is ending or starting"
_SENTENCES: Final = {
    "08": _UNREACHABLE,
    "28": "the database server refuses the user or the password of DATABASE_URL",
    "3D": "there is no database of this name on the database server",
    "40": "two transactions stood in each other's way",
    "42501": "the user of DATABASE_URL may not do that in the database",
    "25006": "the database server is read-only",
    "25P03": "the database server has ended a transaction that took too long",
    "53": "the database server has no room for more",
    "53100": "the disk with the database is full",
    "53300": "the database server has too many connections",
    "55P03": "the database is locked by another program",
    "57": _RESTARTING,
    "57014": "the database server has ended a statement that took too long",
    "58": "the disk with the database reports an error",
    "XX001": "the database is damaged",
    "XX002": "the database is damaged",
}
_STEPS: Final = {
    "08": "see whether it runs, and whether DATABASE_URL names the right machine",
    "28": "mend DATABASE_URL",
    "3D": "make it with createdb, or mend DATABASE_URL",
    "42501": "let that user own the database",
    "25006": "let DATABASE_URL name the server that may be written",
    "53100": "make room there, then play goes on by itself",
    "53300": "end other programs, or raise its max_connections",
    "55P03": "find that program and stop it",
    "58": "look at the disk and at the log of the server",
    "XX001": "stop the bot and restore a backup of the server",
    "XX002": "stop the bot and restore a backup of the server",
}
"""Next steps for the operator; keys are SQLSTATEs or their classes, as in `_SENTENCES`."""
_OUTAGES: Final = ("08", "25006", "25P03", "28", "3D", "53", "55P03", "57", "58", "XX")


def reason(error: Exception) -> str:
    """Return the reason of a PostgreSQL error; empty for any other error."""
    code = _code(error)
    return _lookup(_SENTENCES, code) or (f"the database reports SQLSTATE {code}" if code else "")


def next_step(error: Exception) -> str:
    """Return the next step for the operator; empty if unknown."""
    return _lookup(_STEPS, _code(error))


def is_unfit(error: Exception) -> bool:
    """Return whether the operator must fix something first."""
    return _code(error).startswith(("28", "3D", "42501", "XX001", "XX002"))


def is_outage(error: Exception) -> bool:
    """Return whether no statement can succeed now."""
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return lost or _code(error).startswith(_OUTAGES)


def connection_error(error: Exception) -> OperationalError:
    """Return a connection error as an error of SQLAlchemy."""
    original: Any = Exception("no connection")
    original.sqlstate = getattr(error, "sqlstate", None) or NO_CONNECTION
    return OperationalError(None, None, original)


def remove_stored_values(context: ExceptionContext) -> None:
    """Reduce an error to its type, SQLSTATE and broken constraint, without stored values."""
    error: Any = context.original_exception
    chain = [error, getattr(error, "orig", None), error.__cause__]
    details = [
        next(filter(None, (getattr(each, name, None) for each in chain)), None)
        for name in ("sqlstate", "constraint_name")
    ]
    text = " ".join([type(error).__name__, *(str(detail) for detail in details if detail)])
    for each in (*chain, context.sqlalchemy_exception):
        if isinstance(each, Exception):
            each.args = (text,)
            if getattr(each, "detail", None):
                each.detail = None  # type: ignore[attr-defined]


def _code(error: Exception) -> str:
    original = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return str(getattr(original, "sqlstate", None) or NO_CONNECTION)
    return str(getattr(original, "sqlstate", None) or "")


def _lookup(sentences: dict[str, str], code: str) -> str:
    return sentences.get(code) or sentences.get(code[:2], "")
