"""Lists of finished matches, page by page, from a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import Refused
from bot.history.listing import PER_PAGE, HistoryQuery, Listing, Venue
from bot.history.matches import load_listing, load_table, load_venue
from bot.ids import ChannelId, GuildId, TableId, UserId, optional
from bot.records import (
    ActionRecord,
    Change,
    MatchRecord,
    MatchScore,
    MatchSeat,
    NewTable,
    RoundRecord,
    RoundSeat,
    SeatRecord,
)
from bot.storage import Store
from bot.storage.ended_matches import Sight
from tests.bot.databases import open_store
from tests.bot.states import NOON

GUILD, ADA, BEN = GuildId(10), UserId(101), UserId(102)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(tmp_path / "bot.db")
    yield opened
    await opened.close()


async def a_match(
    store: Store,
    channel: ChannelId,
    user: UserId = ADA,
    *,
    guild: GuildId = GUILD,
    before: int | None = None,
    parent: ChannelId | None = None,
) -> int:
    """Store a match that this person finished, after `before` had the seat."""
    new = NewTable(
        guild_id=guild,
        channel_id=channel,
        parent_channel_id=parent,
        host_id=user,
        created_at=NOON,
        status="playing",
    )
    table = (await store.tables.create(new)).id
    seat = RoundSeat(seat=0, user_id=UserId(before or user), kind="person", column=0, place=1)
    round_ = RoundRecord(number=1, ended_at=NOON, scores=(), seats=(seat,))
    at = NOON + timedelta(minutes=table)
    match = MatchRecord(
        variant="nanjing",
        ended_at=at,
        reason="finished",
        rounds=1,
        scores=(MatchScore(column=0, total=table, won=True),),
        seats=(MatchSeat(seat=0, user_id=user, name="A", kind="person", column=0, won=True),),
    )
    ended = Change(status="finished", ended_at=at, round=round_, match=match)
    await store.tables.commit(table, ended)
    return table


CHANNELS = frozenset({20, 21})


def sight(
    asker: UserId = BEN, seen: Collection[int] = CHANNELS, known: Collection[int] = CHANNELS
) -> Sight:
    """Return the sight of somebody who sees these channels, out of those the bot knows."""
    return Sight(asker, frozenset(map(ChannelId, seen)), frozenset(map(ChannelId, {*known, *seen})))


async def found(
    store: Store,
    seen: Sight | None = None,
    user_id: UserId = UserId(0),
    channel_id: ChannelId = ChannelId(0),
) -> list[int]:
    """Return the first page of matches found with this sight, by default in all channels."""
    wanted = HistoryQuery(user_id, channel_id)
    return tables(await load_listing(store, GUILD, wanted, seen or sight()))


def tables(listing: Listing) -> list[int]:
    for table, match in listing.matches:
        assert match.scores[0].total == table
    return [table for table, _ in listing.matches]


async def test_pages_forwards_and_backwards(store: Store) -> None:
    every = [await a_match(store, ChannelId(20)) for _ in range(2 * PER_PAGE + 3)][::-1]
    wanted, pages = HistoryQuery(), list[Listing]()
    while True:
        pages.append(await load_listing(store, GUILD, wanted, sight()))
        if not pages[-1].older:
            break
        wanted = HistoryQuery(beyond=TableId(tables(pages[-1])[-1]))
    assert [tables(page) for page in pages] == [every[:8], every[8:16], every[16:]]
    assert [page.newer for page in pages] == [False, True, True]
    back = await load_listing(
        store, GUILD, HistoryQuery(beyond=TableId(every[16]), newer=True), sight()
    )
    assert (tables(back), back.newer, back.older) == (every[8:16], True, True)
    back = await load_listing(
        store, GUILD, HistoryQuery(beyond=TableId(every[8]), newer=True), sight()
    )
    assert (tables(back), back.newer, back.older) == (every[:8], False, True)
    full = await load_listing(
        store, GUILD, HistoryQuery(beyond=TableId(every[2]), newer=True), sight()
    )
    assert (tables(full), full.newer) == (every[:8], False)


async def test_everybody_who_sat_in_a_match_finds_it(store: Store) -> None:
    adas = await a_match(store, ChannelId(20))
    bens = await a_match(store, ChannelId(20), BEN)
    left = await a_match(store, ChannelId(21), BEN, before=ADA)
    await a_match(store, ChannelId(20), guild=GuildId(11))

    assert await found(store) == [left, bens, adas]
    assert await found(store, user_id=ADA) == [left, adas]
    assert await found(store, user_id=BEN) == [left, bens]
    assert await found(store, channel_id=ChannelId(20)) == [bens, adas]
    assert await found(store, user_id=ADA, channel_id=ChannelId(20)) == [adas]
    assert await found(store, user_id=UserId(103)) == []


async def test_invisible_matches_take_no_place_on_a_page(store: Store) -> None:
    open_ones = [await a_match(store, ChannelId(20)) for _ in range(4)]
    hidden = [await a_match(store, ChannelId(66)) for _ in range(23)]
    more = [await a_match(store, ChannelId(20)) for _ in range(5)]
    seen = sight(seen={20}, known={66})
    page = await load_listing(store, GUILD, HistoryQuery(), seen)
    assert tables(page) == [*more[::-1], *open_ones[:0:-1]]
    assert page.older
    page = await load_listing(store, GUILD, HistoryQuery(beyond=TableId(tables(page)[-1])), seen)
    assert tables(page) == open_ones[:1]
    assert not page.older
    assert not set(hidden) & set(tables(page))
    assert await found(store, seen, user_id=ADA) == [*more[::-1], *open_ones[:0:-1]]
    assert await found(store, seen, channel_id=ChannelId(66)) == []
    assert await found(store, seen, user_id=ADA, channel_id=ChannelId(66)) == []


async def test_match_in_a_deleted_place_is_visible_to_the_right_people(
    store: Store,
) -> None:
    threads = {
        parent: await a_match(store, ChannelId(1000 + parent), parent=ChannelId(parent))
        for parent in (20, 66)
    }
    gone = await a_match(store, ChannelId(70), ADA, before=BEN)
    of_gone = await a_match(store, ChannelId(71), BEN, parent=ChannelId(72))
    still_there = await a_match(store, ChannelId(73), BEN, parent=ChannelId(20))

    async def looks(asker: UserId, *, seen: Collection[int] = (20,), **wanted: Any) -> list[int]:
        eyes = sight(asker, seen, (20, 66, 73))
        return await found(store, eyes, **wanted)

    assert await looks(UserId(103)) == [threads[20]]
    assert await looks(ADA) == [gone, threads[20]]
    assert await looks(BEN) == [of_gone, gone, threads[20]]
    assert await looks(UserId(103), seen=(66,)) == [threads[66]]
    assert await looks(UserId(103), seen=(20, 73)) == [still_there, threads[20]]
    assert await looks(BEN, user_id=BEN) == [of_gone, gone]
    assert await looks(ADA, user_id=BEN) == [gone]
    assert await looks(UserId(103), user_id=ADA) == [threads[20]]
    assert await looks(ADA, channel_id=UserId(70)) == [gone]
    assert await looks(UserId(103), channel_id=UserId(70)) == []
    assert await looks(UserId(103), channel_id=UserId(1020)) == [threads[20]]


async def test_returns_the_place_of_a_match_and_whether_the_asker_sat_there(store: Store) -> None:
    left = await a_match(store, ChannelId(20), BEN, before=ADA)
    bens = await a_match(store, ChannelId(20), BEN, parent=ChannelId(7))
    first, second = [await store.tables.get(TableId(number)) for number in (left, bens)]
    assert first is not None
    assert second is not None
    assert await load_venue(store, first, ADA) == Venue(ChannelId(20), None, sat=True)
    assert await load_venue(store, second, BEN) == Venue(ChannelId(20), ChannelId(7), sat=True)
    assert await load_venue(store, second, ADA) == Venue(ChannelId(20), ChannelId(7), sat=False)


async def test_somebody_who_left_in_the_first_round_counts_as_a_player(store: Store) -> None:
    table = await a_match(store, ChannelId(20))
    (action,) = (ActionRecord(seq=1, round=1, seat=0, text="x", at=NOON),)
    people = [
        SeatRecord(seat=0, user_id=UserId(user), name="A", kind="person") for user in (BEN, ADA)
    ]
    await store.tables.commit(TableId(table), Change(actions=(action,), seats=(people[0],)))
    await store.tables.commit(TableId(table), Change(seats=(people[1],)))
    assert await store.history.took_part(TableId(table), BEN)
    assert not await store.history.took_part(TableId(99), BEN)
    assert not await store.history.took_part(TableId(table), UserId(103))
    assert await found(store, sight(BEN, seen=(), known=(21,))) == [table]


async def test_a_running_match_is_not_in_the_list_but_can_be_replayed(store: Store) -> None:
    over = await a_match(store, ChannelId(20))
    new = NewTable(
        guild_id=GUILD, channel_id=ChannelId(20), host_id=ADA, created_at=NOON, status="playing"
    )
    running = (await store.tables.create(new)).id
    assert tables(await load_listing(store, GUILD, HistoryQuery(), sight())) == [over]
    assert (await load_table(store, GUILD, ChannelId(20), None)).id == over
    await store.tables.commit(
        running, Change(round=RoundRecord(number=1, ended_at=NOON, scores=(), seats=()))
    )
    assert (await load_table(store, GUILD, ChannelId(20), None)).id == running
    assert (await load_table(store, GUILD, ChannelId(20), TableId(over))).id == over
    for channel, number, code in (
        (21, None, "nothing-played-here"),
        (None, None, "nothing-played-here"),
        (20, 99, "no-such-table"),
    ):
        with pytest.raises(Refused, match=code):
            await load_table(store, GUILD, optional(ChannelId, channel), optional(TableId, number))
    with pytest.raises(Refused, match="no-such-table"):
        await load_table(store, GuildId(11), ChannelId(20), TableId(over))
