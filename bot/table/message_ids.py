"""Ids of the public messages of a table, to find them again."""

from __future__ import annotations

from typing import Any, TypedDict

from bot.ids import ChannelId, MessageId, UserId
from bot.records import Change, Count
from bot.table.outcome import Outcome, write_details
from bot.table.state import OpenTable
from engine import Seat


class Posted(TypedDict, total=False):
    """Ids of posted messages; 0 removes one."""

    lobby: MessageId
    """The lobby."""
    table: MessageId
    """The newest table message."""
    table_round: Count
    """Number of the round that the table message shows."""
    vote: MessageId
    """The open vote to stop."""
    invitations: tuple[MessageId, ...]
    """All invitations that are still in the channel."""
    nudge: MessageId
    """The message that nudges awaited people, if not the table message."""
    away: dict[Seat, MessageId]
    """By chair all lines about people who are away."""
    free: dict[Seat, MessageId]
    """By chair all lines that offer a computer player's seat to everybody."""
    direct: dict[UserId, tuple[ChannelId, MessageId]]
    """By user all direct messages that nudge: channel and message id."""
    added: tuple[UserId, ...]
    """All users whom the bot has added to the thread of the table."""
    result: MessageId
    """The result with the countdown to the next round."""


_NO_IDS = ("table_round", "away", "free", "direct", "invitations", "added")
"""Fields that are not a single message id."""
_COLUMNS = {"lobby": "lobby_message_id", "table": "table_message_id"}
"""Database columns of the fields that have their own."""


def outcome_of_message_ids(table: OpenTable, posted: Posted) -> Outcome:
    """Return the outcome of storing these ids at a table."""
    ids: dict[str, Any] = {
        name: value if name in _NO_IDS else value or None for name, value in posted.items()
    }
    after = table.with_messages(**ids)
    columns = {column: ids[name] for name, column in _COLUMNS.items() if name in ids}
    return Outcome(after, Change(**columns, details=write_details(after)))
