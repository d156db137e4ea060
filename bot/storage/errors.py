"""What can go wrong in the storage: one family of exceptions, and the sentences people read.

Used by the application, which shows `str(error)` to a person or writes it into the log. No text
here ever holds a value of the database: the texts of actions contain the cards of hands.
"""

import logging
from typing import Literal

from bot.ids import TableId
from bot.records import Count, Fence


class StorageError(Exception):
    """Something was not stored, and nothing else was changed either."""

    @property
    def level(self) -> int:
        """The level at which whoever has met it logs it.

        While the database cannot be used, the database itself tells of it, once a minute.
        """
        told = isinstance(self, StorageUnavailable) or isinstance(
            self.__cause__, StorageUnavailable
        )
        return logging.DEBUG if told else logging.ERROR


class StorageUnavailable(StorageError):
    """The database cannot be opened, read or written now; it may work again later."""


class StorageUnfit(StorageUnavailable):
    """The database cannot be used until a person has changed what the text says."""


class Damaged(StorageUnfit):
    """The file is no sound database any more: a backup has to take its place."""


class NotRead(StorageError):
    """What a change needs to know could not be read, so it was not even tried."""


class RuleBroken(StorageError):
    """The change breaks a constraint of the database."""


class UnknownTable(StorageError):
    """There is no table with this id (`table_id`)."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(f"there is no table {table_id}")
        self.table_id = table_id


class ChannelTaken(StorageError):
    """The channel already has an open table (`table_id`)."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(f"the channel already has the open table {table_id}")
        self.table_id = table_id


class Conflict(StorageError):
    """Another process has written the table: it is not the one that the change builds on.

    It has another number of actions, or another version (`stored`), than the change `expected`.
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
    """Another process has the lease by now under which a table was read (`fence`)."""

    def __init__(self, fence: Fence) -> None:
        super().__init__(f"another process has the lease of {fence.name} by now")
        self.fence = fence
