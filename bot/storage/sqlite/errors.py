"""Operator messages for SQLite errors."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

_SENTENCES = {
    sqlite3.SQLITE_BUSY: "the database is locked by another program",
    sqlite3.SQLITE_LOCKED: "the database is locked by another program",
    sqlite3.SQLITE_FULL: "the disk with the database is full",
    sqlite3.SQLITE_READONLY: "the database or its folder is read-only",
    sqlite3.SQLITE_PERM: "the database may not be opened by this user",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened",
    sqlite3.SQLITE_NOTADB: "the file is not a database",
    sqlite3.SQLITE_CORRUPT: "the database file is damaged",
    sqlite3.SQLITE_IOERR: "the disk with the database reports an error",
}
_STEPS = {
    sqlite3.SQLITE_BUSY: "find that program and stop it",
    sqlite3.SQLITE_LOCKED: "find that program and stop it",
    sqlite3.SQLITE_FULL: "make room there, then play goes on by itself",
    sqlite3.SQLITE_READONLY: "let the user of the bot write both, then play goes on by itself",
    sqlite3.SQLITE_PERM: "let the user of the bot read and write it",
    sqlite3.SQLITE_CANTOPEN: "see whether its folder is there and belongs to the user of the bot",
    sqlite3.SQLITE_NOTADB: "does DATABASE_URL name the right one? Else put back a backup with "
    "`python -m bot restore FILE`",
    sqlite3.SQLITE_CORRUPT: "stop the bot and put back a backup with `python -m bot restore FILE`; "
    "`python -m bot check` says what is damaged",
    sqlite3.SQLITE_IOERR: "look at the disk and at the system's log",
}
"""Next steps for the operator, by SQLite's code."""
Error = sqlite3.Error
"""Error of the functions that take a path."""
_PRIMARY_CODE = 0xFF
"""Mask of the primary code, which is the low byte of SQLite's extended result codes."""


def reason(error: Exception) -> str:
    """Return the reason of an error for the operator, without stored values."""
    original = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(original, sqlite3.Error):
        return "the database does not answer"
    name = getattr(original, "sqlite_errorname", "an error")
    return _SENTENCES.get(_code(original), f"the database reports {name}")


def next_step(error: Exception) -> str:
    """Return the next step for the operator; empty if unknown."""
    return _STEPS.get(_code(error), "")


def is_unfit(error: Exception) -> bool:
    """Return whether the file is damaged or no database, so that retries are useless."""
    return _code(error) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def is_busy(error: Exception) -> bool:
    """Return whether another connection prevents the access."""
    return _code(error) == sqlite3.SQLITE_BUSY


def _code(error: Exception) -> int:
    """Return SQLite's primary code of an error, `SQLITE_ERROR` for other errors."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code: int = getattr(original, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & _PRIMARY_CODE
