"""Exceptions of the storage, with messages for people.

`str(error)` is shown to a person or logged. No message ever contains stored values, because the
texts of actions contain the cards of hands.
"""

import logging
from typing import Literal

from bot.ids import TableId
from bot.records import Count, Fence


class StorageError(Exception):
    """Base of all storage errors; nothing was changed."""

    @property
    def level(self) -> int:
        """Log level for the handler of the error.

        It is DEBUG while the database is unavailable, because `Database` logs that itself, once a
        minute.
        """
        logged = isinstance(self, StorageUnavailable) or isinstance(
            self.__cause__, StorageUnavailable
        )
        return logging.DEBUG if logged else logging.ERROR


class StorageUnavailable(StorageError):
    """The database cannot be opened, read or written now; a retry may succeed."""


class StorageUnfit(StorageUnavailable):
    """The database cannot be used until the operator has fixed the stated problem."""


class Damaged(StorageUnfit):
    """The database file is damaged and must be replaced by a backup."""


class NotRead(StorageError):
    """Data for a command could not be read, so the command was not executed."""


class RuleBroken(StorageError):
    """The change breaks a constraint of the database."""


class UnknownTable(StorageError):
    """No table has this id (`table_id`)."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(f"there is no table {table_id}")
        self.table_id = table_id


class ChannelTaken(StorageError):
    """The channel already has an open table (`table_id`)."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(f"the channel already has the open table {table_id}")
        self.table_id = table_id


class Conflict(StorageError):
    """Another process has written the table, so the change builds on an old state.

    `stored` is the table's number of actions or its version, `expected` the one that the change
    builds on.
    """

    def __init__(
        self,
        table_id: TableId,
        counted: Literal["actions", "version"],
        expected: Count,
        stored: Count,
    ) -> None:
        number = f"{stored} actions" if counted == "actions" else f"version {stored}"
        super().__init__(
            f"another process has written table {table_id}: it has {number}, not {expected}"
        )
        self.table_id = table_id
        self.expected = expected
        self.stored = stored


class LeaseLost(StorageError):
    """Another process has acquired the lease (`fence`) under which a table was read."""

    def __init__(self, fence: Fence) -> None:
        super().__init__(f"another process has the lease of {fence.name} by now")
        self.fence = fence
