"""Matches that are over, page by page, and the rounds that can be looked at again.

Who may see what is decided by the caller: it says which channels can be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.errors import Reason, Refused
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.records import EndedMatch, MatchRecord, TableRecord
from bot.storage import Store

PER_PAGE = 8
_BATCH = 100


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Which matches of a server a person wants to see."""

    user_id: UserId = 0
    """Only those in which this person sat; 0: anybody."""
    channel_id: ChannelId = 0
    """Only those of this channel; 0: of all."""
    beyond: TableId = 0
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


async def listed_matches(
    store: Store,
    guild_id: GuildId,
    query: HistoryQuery,
    asker_id: UserId,
    visible: Callable[[Venue], bool],
) -> Listing:
    """A page of matches that have ended where it is `visible` to the person who asks."""
    found = await _tables(store, guild_id, query, asker_id, visible)
    more = len(found) > PER_PAGE
    if query.newer and not more:  # the newest page is always full, if there are enough
        query = replace(query, beyond=0, newer=False)
        found = await _tables(store, guild_id, query, asker_id, visible)
        more = len(found) > PER_PAGE
    shown = found[:PER_PAGE]
    records = await store.history.matches(shown)
    return Listing(
        query,
        tuple((table, records[table]) for table in sorted(shown, reverse=True)),
        newer=more if query.newer else bool(query.beyond),
        older=query.newer or more,
    )


async def _tables(
    store: Store,
    guild_id: GuildId,
    query: HistoryQuery,
    asker_id: UserId,
    visible: Callable[[Venue], bool],
) -> list[TableId]:
    """The tables of a page and one more, if there is one; nearest to where one was first."""
    found: list[TableId] = []
    beyond = query.beyond or None
    seen: dict[Venue, bool] = {}
    while len(found) <= PER_PAGE:
        batch = await store.history.ended(
            guild_id,
            user_id=query.user_id or None,
            channel_id=query.channel_id or None,
            beyond=beyond,
            newer=query.newer,
            limit=_BATCH,
        )
        sat = await store.history.sat([match.table_id for match in batch], asker_id)
        for match in batch:
            venue = _venue(match, sat=match.table_id in sat)
            if venue not in seen:
                seen[venue] = visible(venue)
            if seen[venue]:
                found.append(match.table_id)
        if len(batch) < _BATCH:
            break
        beyond = batch[-1].table_id
    return found[: PER_PAGE + 1]


async def venue_of(store: Store, record: TableRecord, asker_id: UserId) -> Venue:
    """Where a table is, for this person."""
    return _venue(record, sat=bool(await store.history.sat([record.id], asker_id)))


def _venue(where: EndedMatch | TableRecord, *, sat: bool) -> Venue:
    return Venue(where.channel_id, where.parent_channel_id, sat)


async def table_of(
    store: Store, guild_id: GuildId | None, channel_id: ChannelId | None, number: TableId | None
) -> TableRecord:
    """The table with this number, by default the last of the channel with a round that is over.

    `Refused` unless it belongs to this server.
    """
    if number is not None:
        found = await store.tables.get(number)
    else:
        found = await store.history.last_table(channel_id) if channel_id is not None else None
    if found is None or found.guild_id != guild_id:
        if number is None:
            raise Refused(Reason.NOTHING_PLAYED_HERE)
        raise Refused(Reason.NO_SUCH_TABLE, number=number)
    return found
