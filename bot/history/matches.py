"""Matches that are over, page by page, and the rounds that can be looked at again.

Who may see what is decided by the caller: it says which channels can be seen.
"""

from __future__ import annotations

from dataclasses import replace

from bot.errors import Reason, Refused
from bot.history.hiding import shown_matches
from bot.history.listing import PER_PAGE, HistoryQuery, Listing, Venue
from bot.history.seat_history import SeatedRound, seated_at
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.records import TableRecord
from bot.storage import Store
from bot.storage.ended_matches import EndedQuery, Sight
from bot.table.state import TableState


async def listed_matches(
    store: Store, guild_id: GuildId, query: HistoryQuery, sight: Sight
) -> Listing:
    """A page of matches that have ended where the person who asks can look.

    `Refused` where they ask for the matches of somebody who is hidden (``profile-hidden``).
    """
    asked = query.user_id
    if asked not in (0, sight.asker_id) and await store.preferences.hidden([asked]):
        raise Refused(Reason.PROFILE_HIDDEN)
    found = await _tables(store, guild_id, query, sight)
    more = len(found) > PER_PAGE
    if query.newer and not more:  # the newest page is always full, if there are enough
        query = replace(query, beyond=TableId(0), newer=False)
        found = await _tables(store, guild_id, query, sight)
        more = len(found) > PER_PAGE
    shown = found[:PER_PAGE]
    shown.sort(reverse=True)
    records = await store.history.matches(shown)
    in_order = [records[table] for table in shown]
    return Listing(
        query,
        tuple(zip(shown, await shown_matches(store, in_order, sight.asker_id), strict=True)),
        newer=more if query.newer else bool(query.beyond),
        older=query.newer or more,
    )


async def _tables(
    store: Store, guild_id: GuildId, query: HistoryQuery, sight: Sight
) -> list[TableId]:
    """The tables of a page and one more, if there is one; nearest to where one was first."""
    wanted = EndedQuery(
        guild_id,
        sight,
        user_id=query.user_id or None,
        channel_id=query.channel_id or None,
        beyond=query.beyond or None,
        newer=query.newer,
        limit=PER_PAGE + 1,
    )
    return await store.history.ended(wanted)


async def venue_of(store: Store, record: TableRecord, asker_id: UserId) -> Venue:
    """Where a table is, for this person."""
    sat = await store.history.sat(record.id, asker_id)
    return Venue(record.channel_id, record.parent_channel_id, sat)


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
