"""Tournaments: rounds that follow each other, absent pairs, deadlines and corrections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.club import tournament
from bot.club.competition import Result
from bot.club.event import ClubEvent
from bot.club.formats import FORMATS
from bot.club.tournament import BREAK
from bot.club_records import PersonNumber
from bot.errors import Reason, Refused
from bot.ids import ClubEventId, UserId
from bot.storage import StorageUnavailable
from bot.storage.club_events import ClubEventStore
from bot.table.action_log import is_deal
from bot.table.deadlines import CHECK_IN_TIME
from bot.table.state import Game, OpenTable
from tests.bot.live.club_nights import BEGIN, MINUTE, ORGANISER, ClubWorld
from tests.bot.live.kills import until_finished
from tests.bot.states import GUILD

pytestmark = pytest.mark.usefixtures("one_thread")

PEOPLE = range(8)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[ClubWorld]:
    world = ClubWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def announced(world: ClubWorld, people: range = PEOPLE, **settings: Any) -> ClubEvent:
    """Announce a tournament, and sign up: 101 and 102 as a pair, 103 and 104, and so on."""
    event = await world.announced(**{"format": "swiss", "rounds": 2, **settings})
    await world.answer(event, "yes", *people)
    for person in people:
        partner = PersonNumber((person ^ 1) + 1)
        await world.tables.club_events.name_partner(event.id, GUILD, UserId(101 + person), partner)
    return await world.event()


async def begun(world: ClubWorld, **settings: Any) -> list[OpenTable]:
    """Let a tournament begin; return the tables of its first round."""
    await announced(world, **settings)
    await world.until(BEGIN + BREAK)
    return world.of_event()


async def finish(world: ClubWorld) -> None:
    """Play all open tables to their end."""
    for table in world.of_event():
        await world.come(table)
        await until_finished(world, table.id)
    await world.quiet()


def results(event: ClubEvent, round_: int = 1) -> list[Result | None]:
    return [match.result for match in event.rounds[round_ - 1].matches]


async def manage(world: ClubWorld, rule: Any) -> ClubEvent:
    """Let the organiser change the tournament."""
    event = await world.event()
    return await world.tables.club_events.manage(event.id, GUILD, ORGANISER, rule, may_manage=False)


# --- rounds --------------------------------------------------------------------------------------


async def test_pairs_sit_opposite_each_other_after_the_break(world: ClubWorld) -> None:
    await announced(world)
    await world.until(BEGIN + BREAK - MINUTE)
    assert world.of_event() == [], "the organiser can still correct the pairings"
    await world.until(BEGIN + BREAK)
    tables = world.of_event()
    assert len(tables) == 2
    pairs = {
        frozenset(table.chairs[seat].user_id for seat in team)
        for table in tables
        for team in table.options.teams
    }
    assert pairs == {frozenset((UserId(each), UserId(each + 1))) for each in (101, 103, 105, 107)}


async def test_organiser_begins_the_round_at_once(world: ClubWorld) -> None:
    event, club = await announced(world), world.tables.club_events
    for opened in (0, 2):
        await club.begin_now(event.id, GUILD, ORGANISER, may_manage=False)
        await world.quiet()
        assert len(world.of_event()) == opened


async def test_tournament_is_played_to_its_end(world: ClubWorld) -> None:
    await begun(world)
    await finish(world)
    event = await world.event()
    assert [each.is_over for each in event.rounds] == [True, False]
    assert event.rounds[1].begins_at > event.rounds[0].begins_at + BREAK
    await world.run(BREAK.total_seconds())
    assert len(world.of_event()) == 2
    await finish(world)
    event = await world.event()
    assert event.status == "over"
    for match in (match for round_ in event.rounds for match in round_.matches):
        assert match.table_id is not None
        record = await world.store.history.match(match.table_id)
        assert record is not None
        assert match.result is not None
        assert match.result.totals == tuple(score.total for score in record.scores)
    met = [frozenset(match.sides) for round_ in event.rounds for match in round_.matches]
    assert len(set(met)) == 4, "nobody meets the same pair twice"


async def test_few_pairs_cancel_the_tournament(world: ClubWorld) -> None:
    await announced(world, range(6))
    await world.until(BEGIN + BREAK)
    assert ((await world.event()).status, world.threads) == ("cancelled", [])


async def test_others_can_be_substitutes_only(world: ClubWorld) -> None:
    event = await announced(world)
    await world.until(BEGIN)
    await world.answer(event, "substitute", 8)
    with pytest.raises(Refused) as refused:
        await world.answer(event, "yes", 9)
    assert refused.value.code == Reason.TOURNAMENT_DRAWN


# --- absent people -------------------------------------------------------------------------------


@pytest.mark.parametrize("no_show", ["computer", "forfeit"])
async def test_absent_pair(world: ClubWorld, no_show: str) -> None:
    table, _ = await begun(world, no_show=no_show)
    first = [table.chairs[seat].user_id for seat in table.options.teams[0]]
    await world.come(table, [each for each in first if each is not None])
    await world.run(CHECK_IN_TIME.total_seconds())
    result = results(await world.event())[0]
    if no_show == "computer":
        assert isinstance(world.tables.find(table.id), Game), "computers play for the others"
        assert result is None
    else:
        assert world.tables.find(table.id) is None
        assert result == Result("forfeit", 0)


async def test_lone_person_plays_with_a_computer(world: ClubWorld) -> None:
    table, _ = await begun(world, no_show="forfeit")
    one_each = [table.chairs[team[0]].user_id for team in table.options.teams]
    await world.come(table, [each for each in one_each if each is not None])
    await world.run(CHECK_IN_TIME.total_seconds())
    assert isinstance(world.tables.find(table.id), Game)
    assert results(await world.event())[0] is None


@pytest.mark.parametrize("no_show", ["computer", "forfeit"])
async def test_match_to_which_nobody_comes_is_lost_by_both(world: ClubWorld, no_show: str) -> None:
    await begun(world, no_show=no_show)
    await world.run(CHECK_IN_TIME.total_seconds() + 60)
    assert results(await world.event()) == [Result("forfeit")] * 2
    assert len((await world.event()).rounds) == 2, "the next round follows"


async def test_match_that_its_last_person_has_left_ends(world: ClubWorld) -> None:
    table, other = await begun(world)
    await world.come(table, table.user_ids()[:1])
    await world.come(other)
    await until_finished(world, other.id)
    await world.run(2 * 3600)
    assert world.tables.find(table.id) is None
    assert len((await world.event()).rounds) == 2, "the others do not wait for days"


async def test_stopped_match_has_its_points(world: ClubWorld) -> None:
    table, _ = await begun(world)
    await world.come(table)
    await world.stop(table.id)
    assert results(await world.event())[0] == Result("forfeit"), "no round was played"


# --- deadlines -----------------------------------------------------------------------------------


async def test_deadline_ends_the_round(world: ClubWorld) -> None:
    first, second = await begun(world, round_hours=1)
    assert first.options.turn_based
    await world.come(first)
    assert isinstance(world.tables.find(first.id), Game)
    await world.come(second, second.user_ids()[:1])
    await world.run(3600 - 60)
    assert results(await world.event()) == [None, None]
    await world.run(60)
    event = await world.event()
    came = [second.chairs[seat].user_id for seat in second.options.teams[0]]
    winner = 0 if second.user_ids()[0] in came else 1
    assert results(event) == [Result("played", None, (0, 0)), Result("forfeit", winner)]
    assert isinstance(world.tables.find(first.id), Game), "the match goes on, but does not count"
    assert world.tables.find(second.id) is None
    assert len(event.rounds) == 2


async def test_lone_person_is_a_whole_side_at_the_deadline(world: ClubWorld) -> None:
    event = await announced(world, round_hours=1)
    await world.answer(event, "no", 7)
    await world.until(BEGIN + BREAK)
    alone = UserId(107)
    table = next(each for each in world.of_event() if alone in each.user_ids())
    other = next(each for each in table.user_ids() if each != alone)
    await world.come(table, [alone, other])
    await world.run(3600)
    side = next(
        side
        for side, team in enumerate(table.options.teams)
        if alone in [table.chairs[seat].user_id for seat in team]
    )
    position = next(each.options.event.match for each in (table,) if each.options.event)
    assert results(await world.event())[position] == Result("forfeit", side)


async def test_moved_deadline(world: ClubWorld) -> None:
    await begun(world, round_hours=1)
    later = world.time.now() + timedelta(hours=2)
    await manage(world, lambda event, now: tournament.move_deadline(event, later, now))
    await world.run(2 * 3600 - 60)
    assert results(await world.event()) == [None, None]
    await world.run(60)
    assert results(await world.event()) == [Result("forfeit")] * 2


@pytest.mark.parametrize("paused", [False, True])
async def test_match_whose_table_cannot_open_does_not_hold_the_round_for_ever(
    world: ClubWorld, paused: bool
) -> None:
    await announced(world)
    await world.until(BEGIN)
    if paused:
        await manage(world, lambda event, now: tournament.pause(event, True, now))
    else:
        world.failure = Refused(Reason.TOO_MANY_TABLES)
    await world.until(BEGIN + BREAK)
    await world.close()
    world.time.jump(BEGIN + timedelta(days=1, hours=1))
    await world.open()
    if paused:
        await manage(world, lambda event, now: tournament.pause(event, False, now))
        await world.quiet()
        assert results(await world.event()) == [None, None], "the pause does not count"
        assert len(world.of_event()) == 2
    else:
        assert results(await world.event()) == [Result("void")] * 2
        assert len((await world.event()).rounds) == 2


# --- kills ---------------------------------------------------------------------------------------


async def test_restart_in_each_state_changes_nothing(world: ClubWorld) -> None:
    await announced(world)
    await world.until(BEGIN)
    await world.reopen()
    await world.until(BEGIN + BREAK)
    tables = {table.id for table in world.of_event()}
    await world.reopen()
    assert {table.id for table in world.of_event()} == tables
    await finish(world)
    await world.reopen()
    assert len((await world.event()).rounds) == 2
    await world.run(BREAK.total_seconds())
    await world.reopen()
    await finish(world)
    event = await world.event()
    assert event.status == "over"
    stored = await world.tables.club_events.history(event.id)
    assert sum('"opened"' in each.body for each in stored) == 4, "each table once"


async def test_round_is_drawn_once_although_two_results_come_together(
    world: ClubWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(world)
    for table in world.of_event():
        await world.come(table)
    append = ClubEventStore.append

    async def killed(*_: object, **__: object) -> bool:
        raise StorageUnavailable("killed")

    with monkeypatch.context() as patch:
        patch.setattr(ClubEventStore, "append", killed)
        for table in world.of_event():
            await until_finished(world, table.id)
    assert ClubEventStore.append is append
    await world.reopen()
    event = await world.event()
    assert [len(each.matches) for each in event.rounds] == [2, 2]
    assert all(results(event))


# --- duplicate -----------------------------------------------------------------------------------


async def test_all_tables_of_a_duplicate_play_the_same_deals(world: ClubWorld) -> None:
    first, second = await begun(world, format="duplicate", rounds=None, match_rounds=2)
    await finish(world)
    event = await world.event()
    deals = [
        [each.text for each in await world.store.tables.actions(table.id) if is_deal(each)]
        for table in (first, second)
    ]
    assert len(deals[0]) == 2
    assert deals[0] == deals[1]
    for result in results(event):
        assert result is not None
        assert len(result.boards) == 2
        assert tuple(map(sum, zip(*result.boards, strict=True))) == result.totals
    lines = FORMATS["duplicate"].standings(event.competition)
    assert sum(line.score for line in lines) == 2, "100 % for each table"


async def test_next_round_of_a_duplicate_has_other_deals(world: ClubWorld) -> None:
    await begun(world, format="duplicate", rounds=None, match_rounds=1)
    await finish(world)
    await world.run(BREAK.total_seconds())
    await finish(world)
    secrets = [
        await world.store.club_events.draw_deals(ClubEventId(1), round_, 1, bytes)
        for round_ in (1, 2)
    ]
    assert secrets[0] != secrets[1]


async def test_two_teams_play_the_same_cards(world: ClubWorld) -> None:
    await begun(world, format="teams", rounds=None, match_rounds=2)
    await finish(world)
    event = await world.event()
    assert event.status == "over"
    assert [len(result.boards) for result in results(event) if result is not None] == [2, 2]
    best, last = (FORMATS["teams"].standings(event.competition)[each] for each in (0, 3))
    assert best.score + last.score == 20
