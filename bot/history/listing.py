"""Queries for finished matches, and a page of results; values only.

`bot.history.matches` reads them from the store.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import ChannelId, TableId, UserId
from bot.records import MatchRecord

PER_PAGE = 8
"""Number of matches on one page."""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Query for the finished matches of a server."""

    user_id: UserId = UserId(0)
    """Matches in which this person sat; 0 for all."""
    channel_id: ChannelId = ChannelId(0)
    """Matches of this channel; 0 for all."""
    beyond: TableId = TableId(0)
    """Table at which the previous page ended; 0 for the first page."""
    newer: bool = False
    """True if the page continues with newer matches instead of older ones."""


@dataclass(frozen=True, slots=True)
class Venue:
    """Channel of a match, and whether the reader `sat` there.

    `channel_id` may be a thread; `parent_channel_id` is the channel of a thread that the bot
    opened.
    """

    channel_id: ChannelId
    parent_channel_id: ChannelId | None
    sat: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """Page of matches, the newest table first, and whether there are newer and older ones."""

    query: HistoryQuery
    matches: tuple[tuple[TableId, MatchRecord], ...]
    newer: bool
    older: bool
