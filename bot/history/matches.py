"""Matches that are over, page by page, and the rounds that can be looked at again.

Who may see what is decided by the caller: it says which channels can be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.errors import Reason, Refused
from bot.history.listing import PER_PAGE, HistoryQuery, Listing, Venue
from bot.history.seat_history import SeatedRound, seated_at
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.records import EndedMatch, TableRecord
from bot.storage import Store
from bot.table.state import TableState

_BATCH = 100


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


def _venue(table: EndedMatch | TableRecord, *, sat: bool) -> Venue:
    return Venue(table.channel_id, table.parent_channel_id, sat)


async def table_of(
    store: Store, guild_id: GuildId | None, channel_id: ChannelId | None, number: TableId | None
) -> TableRecord:
    """The table with this number, by default the last of the channel with a round that is over.

    `Refused` unless it belongs to this server.
    """
    if number is not None:
        missing = Refused(Reason.NO_SUCH_TABLE, number=number)
        return of_server(await store.tables.get(number), guild_id, missing)
    last = await store.history.last_table(channel_id) if channel_id is not None else None
    return of_server(last, guild_id, Refused(Reason.NOTHING_PLAYED_HERE))


def of_server(table: TableRecord | None, guild_id: GuildId | None, missing: Refused) -> TableRecord:
    """This table if it is one of the server. Raises `missing` otherwise."""
    if table is None or table.guild_id != guild_id:
        raise missing
    return table


async def seated_rounds(store: Store, table: TableState) -> list[SeatedRound]:
    """The finished rounds of a table, by number."""
    rounds = await store.history.rounds(table.id)
    ends = await store.history.round_ends(table.id)
    seat_changes = await store.tables.seat_changes(table.id)
    return [
        (seated_at(table, seat_changes, ends.get(round_.number, 0)), round_) for round_ in rounds
    ]
