"""What can go wrong in the storage: one family of exceptions, and the sentences people read.

Used by the application, which shows `str(error)` to a person or writes it into the log. No text
here ever holds a value of the database: the texts of actions contain the cards of hands.
"""

import sqlite3
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

_E = TypeVar("_E", bound=Exception)

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
_PRIMARY_CODE = 0xFF  # SQLite's extended result codes keep the primary code in the low byte


class StorageError(Exception):
    """Something was not stored, and nothing else was changed either."""


class StorageUnavailable(StorageError):
    """The database cannot be opened, read or written now; it may work again later."""


class UnknownTable(StorageError):
    """There is no table with this id (`table_id`)."""

    def __init__(self, table_id: int) -> None:
        super().__init__(f"there is no table {table_id}")
        self.table_id = table_id


class ChannelTaken(StorageError):
    """The channel already has an open table (`table_id`)."""

    def __init__(self, table_id: int) -> None:
        super().__init__(f"the channel already has the open table {table_id}")
        self.table_id = table_id


class Conflict(StorageError):
    """The table has another number of actions (`stored`) than the change `expected`."""

    def __init__(self, table_id: int, expected: int, stored: int) -> None:
        super().__init__(
            f"table {table_id} has {stored} stored actions, the change expected {expected}"
        )
        self.table_id = table_id
        self.expected = expected
        self.stored = stored


def unavailable(doing: str, error: Exception) -> StorageUnavailable:
    """The StorageUnavailable for an error of the database that came while `doing` something."""
    reason = "the database does not answer"
    original = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(original, sqlite3.Error):
        code = getattr(original, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        name = getattr(original, "sqlite_errorname", "an error")
        reason = _SENTENCES.get(code & _PRIMARY_CODE, f"the database reports {name}")
    return _caused(StorageUnavailable(f"Error while {doing}: {reason}."), error)


def failure(doing: str, error: Exception) -> StorageError:
    """The StorageError for any error that came while `doing` something, with it as the cause."""
    if isinstance(error, StorageError):
        return error
    if isinstance(error, IntegrityError):
        broken = StorageError(f"Error while {doing}: it breaks a rule of the database.")
        return _caused(broken, error)
    if isinstance(error, DBAPIError | PoolTimeout):
        return unavailable(doing, error)
    return _caused(StorageError(f"Error while {doing}: a fault in the program."), error)


def _caused(failed: _E, error: Exception) -> _E:
    failed.__cause__ = error
    return failed
