"""Leagues: fixtures that pairs open, other matches that count, and the end of a season."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.club import league, rules
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.league import WEEK
from bot.errors import Reason, Refused
from bot.ids import ChannelId, ClubEventId, TableId, UserId
from bot.table.commands import CloseLobby
from bot.table.lobby import LobbyPlan, empty_chairs
from bot.table.state import Chair
from tests.bot.live.club_nights import BEGIN, MINUTE, ORGANISER, ClubWorld
from tests.bot.live.kills import until_finished
from tests.bot.live.test_tournaments import announced, manage, results
from tests.bot.states import GUILD, PEOPLE
from tests.bot.table_world import QUICK

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ClubWorld]:
    """Yield a season of four pairs; the bot looks at events daily, because weeks pass."""
    monkeypatch.setattr("bot.live.club_events.LOOK_EVERY", timedelta(days=1))
    world = ClubWorld(tmp_path)
    await world.open()
    await announced(world, format="league", rounds=None)
    await world.until(BEGIN)
    yield world
    await world.close()


async def people_of(world: ClubWorld, round_: int = 1, match: int = 0) -> list[list[UserId]]:
    """Return the people of a fixture by side."""
    event = await world.event()
    return [
        [event.people[person].user_id for person in event.entrants[side[0] - 1].people]
        for side in event.rounds[round_ - 1].matches[match].sides
    ]


async def opened(world: ClubWorld, user_id: UserId, round_: int = 1, match: int = 0) -> ClubEvent:
    """Let a person open the table of a fixture."""
    return await world.tables.club_events.open_fixture(
        ClubEventId(1), GUILD, user_id, round_, match
    )


async def play_elsewhere(world: ClubWorld, round_: int, match: int) -> TableId:
    """Let both pairs of a fixture play at an ordinary table, the second one on the first seats."""
    first, second = await people_of(world, round_, match)
    chairs = empty_chairs(4)
    for seat, user_id in enumerate((second[0], first[0], second[1], first[1])):
        chair = Chair(seat=seat, kind="person", user_id=user_id, name=PEOPLE[user_id - 101])
        chairs = (*chairs[:seat], chair, *chairs[seat + 1 :])
    channel = ChannelId(900 + len(world.threads))
    plan = LobbyPlan(GUILD, channel, second[0], QUICK, chairs)
    table = await world.tables.create(plan)
    await until_finished(world, table.id)
    await world.quiet()
    return table.id


async def test_no_table_opens_by_itself(world: ClubWorld) -> None:
    await world.run(3600)
    assert (world.of_event(), world.threads) == ([], [])


async def test_pair_opens_the_table_of_its_fixture_once(world: ClubWorld) -> None:
    first, second = await people_of(world)
    await asyncio.gather(opened(world, first[0]), opened(world, second[1]))
    (table,) = world.of_event()
    assert set(table.user_ids()) == {*first, *second}
    stranger = (await people_of(world, 1, 1))[0][0]
    with pytest.raises(Refused) as refused:
        await opened(world, stranger)
    assert refused.value.code == Reason.NOT_YOUR_MATCH
    await world.come(table)
    await until_finished(world, table.id)
    await world.quiet()
    result = results(await world.event())[0]
    assert result is not None
    assert result.ending == "played"


async def test_closed_lobby_can_be_opened_again(world: ClubWorld) -> None:
    first, _ = await people_of(world)
    await opened(world, first[0])
    (table,) = world.of_event()
    await world.tables.execute(table.id, table.host_id, CloseLobby())
    await world.quiet()
    assert (await world.event()).rounds[0].matches[0].table_id is None
    await opened(world, first[1])
    assert len(world.of_event()) == 1


async def test_replaced_person_leaves_the_lobby_of_a_fixture(world: ClubWorld) -> None:
    first, _ = await people_of(world)
    event = await opened(world, first[0])
    await world.answer(event, "substitute", 8)
    old, new = event.number_of(first[1]), (await world.event()).number_of(UserId(109))
    assert old is not None
    assert new is not None
    events = world.tables.club_events
    await events.substitute(event.id, GUILD, ORGANISER, old, new, may_manage=False)
    await world.quiet()
    assert world.of_event() == []
    await opened(world, first[0])
    (table,) = world.of_event()
    assert {first[0], UserId(109)} < set(table.user_ids())


async def test_lobby_of_a_fixture_waits_half_a_day(world: ClubWorld) -> None:
    first, _ = await people_of(world)
    await opened(world, first[0])
    (table,) = world.of_event()
    await world.come(table, first)
    await world.run(12 * 3600 - 60)
    assert len(world.of_event()) == 1, "no computer sits in"
    await world.run(60)
    assert world.of_event() == []
    assert (await world.event()).rounds[0].matches[0].table_id is None


async def test_other_match_of_both_pairs_counts_once(world: ClubWorld) -> None:
    table_id = await play_elsewhere(world, 3, 1)
    event = await world.event()
    match = event.rounds[2].matches[1]
    record = await world.store.history.match(table_id)
    assert record is not None
    assert match.table_id == table_id
    assert match.result is not None
    totals = [score.total for score in sorted(record.scores, key=lambda each: each.column)]
    assert list(match.result.totals) == totals[::-1]
    await play_elsewhere(world, 3, 1)
    after = await world.event()
    assert after.rounds == event.rounds, "the second one does not count"


async def test_other_match_counts_after_a_restart(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(league, "count", lambda *_: [])
        await play_elsewhere(world, 2, 0)
    assert results(await world.event(), 2)[0] is None
    await world.reopen()
    assert results(await world.event(), 2)[0] is not None


async def test_season_ends_after_its_last_week(world: ClubWorld) -> None:
    await play_elsewhere(world, 1, 0)
    await world.until(BEGIN + 3 * WEEK - MINUTE)
    assert (await world.event()).status == "running"
    await world.until(BEGIN + 3 * WEEK)
    event = await world.event()
    assert event.status == "over"
    endings = [result.ending for number in (1, 2, 3) for result in results(event, number) if result]
    assert sorted(endings) == ["forfeit"] * 5 + ["played"]


async def test_organiser_decides_an_overdue_fixture(world: ClubWorld) -> None:
    await world.until(BEGIN + WEEK)
    event = await manage(world, lambda event, now: league.award(event, 1, 0, 1, now))
    assert results(event)[0] == Result("forfeit", 1)


async def test_several_clicks_announce_one_next_season(world: ClubWorld) -> None:
    async def click(user_id: UserId = ORGANISER) -> ClubEvent:
        events = world.tables.club_events
        return await events.announce_next_season(ClubEventId(1), GUILD, user_id, may_manage=False)

    with pytest.raises(Refused) as refused:
        await click()
    assert refused.value.code == Reason.UNKNOWN_BUTTON, "the season is not over"
    await world.until(BEGIN + 3 * WEEK)
    first, second = await asyncio.gather(click(), click())
    assert first == second
    assert first.settings.dates == (BEGIN + 4 * WEEK,)
    with pytest.raises(Refused) as refused:
        await click(UserId(101))
    assert refused.value.code == Reason.ORGANISER_ONLY
    events = world.tables.club_events
    await events.manage(
        first.id, GUILD, ORGANISER, lambda event, _: rules.cancel(event), may_manage=False
    )
    assert (await click()).id > first.id, "a cancelled one can be announced again"


async def test_weeks_begin_by_themselves(world: ClubWorld) -> None:
    await world.until(BEGIN + WEEK - MINUTE)
    assert (await world.event()).week == 1
    await world.reopen()
    world.changed.clear()
    await world.until(BEGIN + WEEK)
    assert (await world.event()).week == 2
    assert ClubEventId(1) in world.changed, "its message shows the week"


async def test_next_season_follows_the_last_one(world: ClubWorld) -> None:
    await world.until(BEGIN + 3 * WEEK)
    given: dict[str, Any] = {"format": "league", "follows": ClubEventId(1)}
    second = await world.announced(BEGIN + 4 * WEEK, **given)
    await world.answer(second, "yes", *range(8))
    await world.tables.club_events.begin_now(second.id, GUILD, ORGANISER, may_manage=False)
    assert len((await world.event(second.id)).entrants) == 4
