"""Tables that should be open and cannot be read back: whoever asks for one is told so.

The log says what to do about each (`told_damaged` in `bot.live.restoring`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.ids import ChannelId, TableId
from bot.runtime.log_context import ErrorId


class Damaged(NamedTuple):
    """A stored table that is open and cannot be read back."""

    table_id: TableId
    channel_id: ChannelId
    error: ErrorId
    """Names the line of the log that tells of it."""


class DamagedTables:
    """The damaged tables that were found so far: all of them, one by one, or their number."""

    def __init__(self) -> None:
        self._by_id: dict[TableId, Damaged] = {}

    def __iter__(self) -> Iterator[Damaged]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, damaged: Damaged) -> None:
        """Note a table that could not be read back."""
        self._by_id[damaged.table_id] = damaged

    def remove(self, table_id: TableId) -> None:
        """Forget a table that is closed now, if it is one of these."""
        self._by_id.pop(table_id, None)

    def check(self, table_id: TableId) -> None:
        """`Refused` if this table is damaged (``table-damaged``)."""
        if (damaged := self._by_id.get(table_id)) is not None:
            raise Refused(Reason.TABLE_DAMAGED, error=damaged.error)

    def check_channel(self, channel_id: ChannelId) -> None:
        """`Refused` if the table of this channel is damaged (``table-damaged``)."""
        for damaged in self:
            if damaged.channel_id == channel_id:
                raise Refused(Reason.TABLE_DAMAGED, error=damaged.error)
