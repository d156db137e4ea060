"""The public messages of a table, by their ids: kept with it, to be found after a restart."""

from __future__ import annotations

from typing import Any, TypedDict

from bot.ids import ChannelId, MessageId, UserId
from bot.records import Change, Count
from bot.table.outcome import Outcome, write_desk
from bot.table.state import OpenTable
from engine import Seat


class Posted(TypedDict, total=False):
    """Messages that were posted; 0 forgets one."""

    lobby: MessageId
    table: MessageId
    table_round: Count
    """The round that the table message shows."""
    vote: MessageId
    invitations: tuple[MessageId, ...]
    """All that stand there."""
    nudge: MessageId
    away: dict[Seat, MessageId]
    """All lines about people who are away."""
    free: dict[Seat, MessageId]
    """All lines that offer a seat to everybody."""
    direct: dict[UserId, tuple[ChannelId, MessageId]]
    """All direct messages that call somebody."""
    result: MessageId


_NO_IDS = ("table_round", "away", "free", "direct", "invitations")
"""What is not the id of one message."""
_COLUMNS = {"lobby": "lobby_message_id", "table": "table_message_id"}
"""Those that have a column of their own in the storage."""


def remembered(table: OpenTable, posted: Posted) -> Outcome:
    """The table with these ids."""
    ids: dict[str, Any] = {
        name: value if name in _NO_IDS else value or None for name, value in posted.items()
    }
    after = table.with_messages(**ids)
    columns = {column: ids[name] for name, column in _COLUMNS.items() if name in ids}
    return Outcome(after, Change(**columns, desk=write_desk(after)))
