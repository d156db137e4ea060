"""Match points of the deal of the day, stored when a day is over, and their leaderboards."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.board_records import NewSoloRound, SoloProgress, SoloResult
from bot.ids import GuildId, UserId
from bot.score_records import WORLD, Preferences
from bot.standings.daily_standings import DailyLeaders, Standing
from bot.standings.match_points import chance_variance
from bot.storage import Store
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.solo_rounds import results
from tests.bot.storage.test_forgetting import Rewriting

DAY = timedelta(days=1)
MONDAY = date(2026, 11, 23)
HERE = GuildId(10)
ADA, BEN, CAI, DEE = map(UserId, (1, 2, 3, 4))
NAMES = {ADA: "Ada", BEN: "Ben", CAI: "Cai", DEE: "Dee"}
WEEK, MONTH = "2026-W48", "2026-11"


async def play(
    store: Store,
    day: date,
    points: Mapping[UserId, int | None],
    *,
    version: int = 1,
    practice: bool = False,
    names: Iterable[str] = (),
    guild_id: GuildId = HERE,
) -> None:
    """Store a round of each of these people on the deal of a day, `None` for an unfinished one."""
    named = {**NAMES, **dict(zip(points, names, strict=False))}
    await store.boards.draw_days([day], lambda: "00" * 32)
    (board,) = await store.boards.days(day, day)
    at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    for user_id, own in points.items():
        new = NewSoloRound(board.id, user_id, named[user_id], guild_id, practice, version, at)
        begun = await store.boards.begin(new)
        assert begun is not None
        if own is not None:
            result = SoloResult(own, None, None, 1)
            end = SoloProgress(begun.id, 0, ("0:play:S2",), practice, at, result)
            assert await store.boards.go_on(end)


async def match_points(store: Store, day: date) -> dict[UserId, float | None]:
    """Return the stored match points of a day."""
    (board,) = await store.boards.days(day, day)
    return {each.user_id: each.match_points for each in await results(store, board.id)}


async def leaders(store: Store, scope: int, period: str = MONTH, **args: int) -> DailyLeaders:
    """Return a page of a leaderboard, by default the first one, read by Ada."""
    args = {"number": 0, "size": 10, "reader": ADA} | args
    return await store.daily_standings.page(
        scope, period, args["number"], args["size"], UserId(args["reader"])
    )


async def test_day_is_closed_once_it_is_over(store: Store) -> None:
    await play(store, MONDAY, {ADA: 100, BEN: 0, CAI: 0, DEE: None})
    await store.daily_standings.close_days(MONDAY)
    assert set((await match_points(store, MONDAY)).values()) == {None}
    for _ in range(2):
        await store.daily_standings.close_days(MONDAY + DAY)
        assert await match_points(store, MONDAY) == {ADA: 100.0, BEN: 25.0, CAI: 25.0}
        for period in (WEEK, MONTH):
            own = (await leaders(store, HERE, period, reader=BEN)).own
            assert own is not None
            assert own.standing == Standing(1, 25.0, 625.0, chance_variance(3))
            assert own.place == 0
        assert (await leaders(store, HERE, reader=DEE)).own is None


async def test_days_of_a_downtime_are_closed_together(file: Path) -> None:
    """The last days of a year belong to a week of the next one."""
    first = date(2030, 12, 30)
    store = await open_store(file)
    for number in (0, 1, 3):
        await play(store, first + number * DAY, {ADA: 10, BEN: 0})
    await store.close()
    again = await open_store(file)
    await again.daily_standings.close_days(first + 9 * DAY)
    for period, days in (("2031-W01", 3), ("2030-12", 2), ("2031-01", 1), ("2030-W53", None)):
        own = (await leaders(again, HERE, period)).own
        assert (None if own is None else own.standing.days) == days, period
    await again.close()


async def test_several_processes_close_a_day_once(file: Path) -> None:
    stores = [await open_store(file, busy_ms=PATIENT_MS) for _ in range(3)]
    for number in range(3):
        await play(stores[0], MONDAY + number * DAY, {ADA: 10, BEN: 0})
    closing = (each.daily_standings.close_days(MONDAY + 3 * DAY) for each in stores)
    await asyncio.gather(*closing)
    own = (await leaders(stores[0], HERE)).own
    assert own is not None
    assert own.standing.days == 3
    for each in stores:
        await each.close()


async def test_only_rounds_that_count_have_match_points(store: Store) -> None:
    await play(store, MONDAY, {ADA: 100, BEN: 0})
    await play(store, MONDAY, {CAI: 300}, practice=True)
    await play(store, MONDAY + DAY, {ADA: 100})
    await store.daily_standings.close_days(MONDAY + 2 * DAY)
    assert await match_points(store, MONDAY) == {ADA: 100.0, BEN: 0.0}
    assert await match_points(store, MONDAY + DAY) == {ADA: None}, "nobody else has played"
    own = (await leaders(store, HERE)).own
    assert own is not None
    assert own.standing.days == 1


@pytest.fixture
async def played(store: Store) -> Store:
    """Return a store with four days of four people; Dee has missed one."""
    points = {ADA: 300, BEN: 0, CAI: 0, DEE: 100}
    for number in range(4):
        today = {user: own for user, own in points.items() if user != DEE or number}
        await play(store, MONDAY + number * DAY, today)
    for user in (ADA, BEN, CAI):
        await store.boards.note_server(HERE, user)
    await store.daily_standings.close_days(MONDAY + 4 * DAY)
    return store


async def test_leaderboard_lists_people_of_the_server_with_four_days(played: Store) -> None:
    found = await leaders(played, HERE)
    lines = [(each.place, each.name, each.standing.days) for each in found.lines]
    assert lines == [(1, "Ada", 4), (2, "Cai", 4), (2, "Ben", 4)]
    assert found.own is not None
    assert (found.own.user_id, found.own.place) == (ADA, 1)
    assert [each.within_chance for each in found.lines] == [True, True, False]
    assert (await leaders(played, GuildId(11))).lines == ()


async def test_pages_know_the_next_line_and_the_readers_own(played: Store) -> None:
    first = await leaders(played, HERE, size=1, reader=BEN)
    assert [each.user_id for each in first.lines] == [ADA]
    assert first.lines[0].within_chance
    assert first.own is not None
    assert (first.own.user_id, first.own.place) == (BEN, 2)
    last = await leaders(played, HERE, size=2, number=9)
    assert (last.number, last.size) == (1, 3)
    assert [each.user_id for each in last.lines] == [BEN]
    assert await played.daily_standings.lines(HERE, MONTH) == list(
        (await leaders(played, HERE)).lines
    )


async def test_hidden_people_are_on_no_leaderboard(played: Store) -> None:
    await played.preferences.choose(ADA, Preferences(hidden=True, worldwide=True))
    assert [each.user_id for each in (await leaders(played, HERE)).lines] == [CAI, BEN]
    assert (await leaders(played, WORLD)).lines == ()


async def test_people_join_the_leaderboard_of_all_servers(played: Store) -> None:
    assert (await leaders(played, WORLD)).lines == ()
    await played.preferences.choose(BEN, Preferences(worldwide=True), "ben")
    (line,) = (await leaders(played, WORLD)).lines
    assert (line.place, line.name) == (1, "ben")


async def test_best_of_a_server(played: Store) -> None:
    assert [each.user_id for each in await played.daily_standings.best(HERE, MONTH, 6)] == [ADA]


async def test_played_days_and_updates_of_the_computers(store: Store) -> None:
    await play(store, MONDAY, {ADA: 0, BEN: None})
    await play(store, MONDAY + 2 * DAY, {BEN: 0}, version=2)
    for user_id, day in ((ADA, MONDAY), (BEN, MONDAY + 2 * DAY)):
        played, updated = await store.daily_standings.played_days(user_id, 2)
        assert (played, updated) == (frozenset({day}), frozenset({MONDAY}))


async def test_an_update_of_the_computers_counts_before_they_have_played(store: Store) -> None:
    await play(store, MONDAY, {ADA: 0, BEN: None})
    assert await store.daily_standings.played_days(ADA, 1) == (frozenset({MONDAY}), frozenset())
    assert await store.daily_standings.played_days(BEN, 2) == (frozenset(), frozenset({MONDAY}))


async def test_forgotten_people_have_no_standing(played: Store) -> None:
    await played.people.forget(ADA, Rewriting())
    assert [each.user_id for each in (await leaders(played, HERE)).lines] == [CAI, BEN]
    assert (await leaders(played, HERE)).own is None
