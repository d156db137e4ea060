"""Data classes for queries of finished matches, and for a page of results.

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
    """Person who played in the matches; 0 for all matches."""
    channel_id: ChannelId = ChannelId(0)
    """Channel of the matches; 0 for all channels."""
    beyond: TableId = TableId(0)
    """Table at the edge of the page shown before, where this page continues; 0 for the first."""
    newer: bool = False
    """True if the page continues with newer matches instead of older ones."""


@dataclass(frozen=True, slots=True)
class Venue:
    """Place of a match, and whether the reader played there; they decide who may see it."""

    channel_id: ChannelId
    """Channel or thread of the match."""
    parent_channel_id: ChannelId | None
    """Channel of a thread that the bot opened."""
    sat: bool
    """True if the reader played in the match."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Page of a list of matches."""

    query: HistoryQuery
    """Query for this page."""
    matches: tuple[tuple[TableId, MatchRecord], ...]
    """Matches on the page, the newest table first."""
    newer: bool
    """True if there are newer matches."""
    older: bool
    """True if there are older matches."""
