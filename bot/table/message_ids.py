"""The public messages of a table, by their ids: kept with it, to be found after a restart."""

from __future__ import annotations

from typing import Any, TypedDict

from bot.ids import ChannelId, MessageId, UserId
from bot.records import Change, Count
from bot.table.outcome import Outcome, write_details
from bot.table.state import OpenTable
from engine import Seat


class Posted(TypedDict, total=False):
    """Messages that were posted; 0 forgets one."""

    lobby: MessageId
    """The lobby."""
    table: MessageId
    """The newest table message."""
    table_round: Count
    """The number of the round that the table message shows."""
    vote: MessageId
    """The open vote to stop."""
    invitations: tuple[MessageId, ...]
    """All invitations that still stand in the channel."""
    nudge: MessageId
    """What nudges whoever is waited for, if that is not the table message itself."""
    away: dict[Seat, MessageId]
    """By chair all lines about people who are away."""
    free: dict[Seat, MessageId]
    """By chair all lines that offer a computer player's seat to everybody."""
    direct: dict[UserId, tuple[ChannelId, MessageId]]
    """By user all direct messages that nudge somebody: the channel, and the id there."""
    added: tuple[UserId, ...]
    """All users whom the bot has added to the thread of the table."""
    result: MessageId
    """The result that counts down to the next round."""


_NO_IDS = ("table_round", "away", "free", "direct", "invitations", "added")
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
    return Outcome(after, Change(**columns, details=write_details(after)))
