"""Which matches that are over a person asks for, and a page of them. Values alone.

`bot.history.matches` finds them in the store.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import ChannelId, TableId, UserId
from bot.records import MatchRecord

PER_PAGE = 8
"""The matches on one page."""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Which matches of a server a person wants to see."""

    user_id: UserId = UserId(0)
    """Only those in which this person sat; 0: anybody."""
    channel_id: ChannelId = ChannelId(0)
    """Only those of this channel; 0: of all."""
    beyond: TableId = TableId(0)
    """The table at which the page before ended; 0: the first page."""
    newer: bool = False
    """Whether the page goes to newer matches, not to older ones."""


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a match was played, and whether the person who asks `sat` there.

    `channel_id` can be a thread; `parent_channel_id` is the channel of one that the bot opened.
    """

    channel_id: ChannelId
    parent_channel_id: ChannelId | None
    sat: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of matches by number of the table, newest first; are there newer and older ones?"""

    query: HistoryQuery
    matches: tuple[tuple[TableId, MatchRecord], ...]
    newer: bool
    older: bool
