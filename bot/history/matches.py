"""Matches that are over, page by page, and the rounds that can be looked at again.

Who may see what is decided by the caller: it says which channels can be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.errors import Reason, Refused
from bot.storage import EndedMatch, MatchRecord, Store, TableRecord

PER_PAGE = 8
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Selection:
    """Which matches of a server: of this person, of this channel (0: all).

    `beyond` is the table at which the page before ended, `newer` whether it goes to newer ones.
    """

    user_id: int = 0
    channel_id: int = 0
    beyond: int = 0
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a match was played, and whether whoever asks `sat` there.

    `channel_id` can be a thread; `parent_channel_id` is the channel of one that the bot opened.
    """

    channel_id: int
    parent_channel_id: int | None
    sat: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of matches by number of the table, newest first; are there newer and older ones?"""

    wanted: Selection
    matches: tuple[tuple[int, MatchRecord], ...]
    newer: bool
    older: bool


async def past_matches(
    store: Store,
    guild_id: int,
    wanted: Selection,
    asker_id: int,
    visible: Callable[[Venue], bool],
) -> Listing:
    """A page of matches that have ended where it is `visible` to whoever asks."""
    found = await _tables(store, guild_id, wanted, asker_id, visible)
    more = len(found) > PER_PAGE
    if wanted.newer and not more:  # the newest page is always full, if there are enough
        wanted = replace(wanted, beyond=0, newer=False)
        found = await _tables(store, guild_id, wanted, asker_id, visible)
        more = len(found) > PER_PAGE
    shown = found[:PER_PAGE]
    records = await store.matches(shown)
    return Listing(
        wanted,
        tuple((table, records[table]) for table in sorted(shown, reverse=True)),
        newer=more if wanted.newer else bool(wanted.beyond),
        older=wanted.newer or more,
    )


async def _tables(
    store: Store,
    guild_id: int,
    wanted: Selection,
    asker_id: int,
    visible: Callable[[Venue], bool],
) -> list[int]:
    """The tables of a page and one more, if there is one; nearest to where one was first."""
    found: list[int] = []
    beyond = wanted.beyond or None
    seen: dict[Venue, bool] = {}
    while len(found) <= PER_PAGE:
        batch = await store.ended_matches(
            guild_id,
            user_id=wanted.user_id or None,
            channel_id=wanted.channel_id or None,
            beyond=beyond,
            newer=wanted.newer,
            limit=_BATCH,
        )
        sat = await store.sat([match.table_id for match in batch], asker_id)
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


async def venue_of(store: Store, record: TableRecord, asker_id: int) -> Venue:
    """Where a table is, for this person."""
    return _venue(record, sat=bool(await store.sat([record.id], asker_id)))


def _venue(where: EndedMatch | TableRecord, *, sat: bool) -> Venue:
    return Venue(where.channel_id, where.parent_channel_id, sat)


async def table_of(
    store: Store, guild_id: int | None, channel_id: int | None, number: int | None
) -> TableRecord:
    """The table with this number, by default the last of the channel with a round that is over.

    `Refused` unless it belongs to this server.
    """
    if number is not None:
        found = await store.table(number)
    else:
        found = await store.last_played_table(channel_id) if channel_id is not None else None
    if found is None or found.guild_id != guild_id:
        if number is None:
            raise Refused(Reason.NOTHING_PLAYED_HERE)
        raise Refused(Reason.NO_SUCH_TABLE, number=number)
    return found
