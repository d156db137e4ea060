"""The open tables on a real store: create, sit, start, act; who may do what, and when not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import Refused, Stale
from bot.table.state import TableOptions, TableState
from engine.actions import AnswerGrand, CallTichu, Pass
from engine.errors import IllegalAction
from engine.events import RoundDealt
from engine.state import Phase
from tests.bot.states import GUILD, HOST, NOON
from tests.bot.table_world import QUICK, TableWorld
from tests.engine.positions import round_of

STRANGER = 999


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path, limit=3)
    await world.open()
    yield world
    await world.close()


async def refusal(work: Awaitable[object]) -> str:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.code


async def create(world: TableWorld, channel: int, guild: int = GUILD) -> TableState:
    return await world.tables.create(guild, channel, HOST, "Ada", QUICK)


# --- opening ---------------------------------------------------------------------------------


async def test_a_new_table_is_a_lobby_with_its_host(world: TableWorld) -> None:
    at = await world.tables.create(GUILD, 5, HOST, "Ada", QUICK, parent_channel_id=4)
    assert (at.status, at.host_id, at.seat_of(HOST)) == ("lobby", HOST, 0)
    assert world.tables.get(at.id) == world.tables.in_channel(5) == at
    assert world.tables.in_channel(4) is None
    assert list(world.tables.all()) == [at]
    assert at.parent_channel_id == 4
    await world.check_stored(at.id)
    assert world.heard.news == []


async def test_a_rematch_opens_with_everybody_seated(world: TableWorld) -> None:
    chairs = (await world.lobby(1, people=2)).chairs
    at = await world.tables.create(GUILD, 2, HOST, "Ada", QUICK, chairs=chairs)
    assert at.chairs == chairs
    await world.check_stored(at.id)


async def test_a_channel_has_one_table(world: TableWorld) -> None:
    first = await create(world, 1)
    assert await refusal(create(world, 1, guild=77)) == "channel-taken"
    await world.tables.vote_stop(first.id, HOST, moderator=False)
    assert (await create(world, 1)).id != first.id


async def test_two_who_open_a_table_at_once_get_one(world: TableWorld) -> None:
    outcomes = await asyncio.gather(
        *(create(world, 1, guild) for guild in range(10)), return_exceptions=True
    )
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["channel-taken"] * 9
    assert len(list(world.tables.all())) == len(await world.store.tables.all_open()) == 1


async def test_a_server_has_only_so_many_tables(world: TableWorld) -> None:
    await asyncio.gather(*(create(world, channel) for channel in range(3)))
    with pytest.raises(Refused) as refused:
        await create(world, 3)
    assert (refused.value.code, refused.value.details) == ("too-many-tables", {"limit": 3})
    await create(world, 4, guild=77)


async def test_the_limit_holds_when_many_open_at_once(world: TableWorld) -> None:
    outcomes = await asyncio.gather(
        *(create(world, channel) for channel in range(10)), return_exceptions=True
    )
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["too-many-tables"] * 7


async def test_options_out_of_range_open_nothing(world: TableWorld) -> None:
    with pytest.raises(IllegalAction):
        await world.tables.create(GUILD, 1, HOST, "Ada", TableOptions(target=120))
    assert list(world.tables.all()) == []
    assert await world.store.tables.all_open() == []


# --- the lobby -------------------------------------------------------------------------------


async def test_people_sit_down_swap_and_stand_up(world: TableWorld) -> None:
    at = await create(world, 1)
    await world.tables.join(at.id, 102, "Ben")
    await world.tables.add_computer(at.id, 102, "Robot")
    await world.tables.swap(at.id, HOST, 1, 3)
    await world.tables.remove_computer(at.id, 102)
    at = await world.tables.leave(at.id, HOST)
    assert [chair.kind for chair in at.chairs] == ["empty", "empty", "empty", "person"]
    assert (at.host_id, at.stamp) == (102, 5)
    await world.check_stored(at.id)
    assert [what.actor_id for what in world.heard.news] == [102, 102, HOST, 102, HOST]
    assert await refusal(world.tables.join(at.id, 102, "Ben")) == "already-seated"


async def test_the_last_chair_is_taken_once(world: TableWorld) -> None:
    at = await world.lobby(people=3)
    await world.tables.remove_computer(at.id, HOST)
    outcomes = await asyncio.gather(
        *(world.tables.join(at.id, 200 + n, "Eve") for n in range(5)), return_exceptions=True
    )
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["table-full"] * 4


async def test_a_lobby_that_everybody_left_is_closed(world: TableWorld) -> None:
    at = await world.lobby(people=1)
    gone = await world.tables.leave(at.id, HOST)
    assert gone.status == "expired"
    assert world.tables.find(at.id) is None
    assert await refusal(world.tables.join(at.id, 102, "Ben")) == "table-over"
    record = await world.store.tables.get(at.id)
    assert record is not None
    assert (record.status, record.ended_at) == ("expired", NOON)
    assert world.time.alarms == []


async def test_a_lobby_expires_half_an_hour_after_the_last_change(world: TableWorld) -> None:
    at = await create(world, 1)
    await world.run(29 * 60)
    await world.tables.join(at.id, 102, "Ben")
    await world.run(29 * 60)
    assert world.tables.find(at.id) is not None
    await world.run(60)
    assert world.tables.find(at.id) is None
    assert world.heard.news[-1].after.status == "expired"
    assert world.heard.nudges == []
    await create(world, 1)


async def test_the_host_starts_a_full_table_once(world: TableWorld) -> None:
    at = await create(world, 1)
    assert await refusal(world.tables.start(at.id, HOST)) == "seats-empty"
    at = await world.lobby(2, people=2)
    assert await refusal(world.tables.start(at.id, 102)) == "host-only"
    starts = [world.tables.start(at.id, HOST) for _ in range(3)]
    outcomes = await asyncio.gather(*starts, return_exceptions=True)
    assert sum(isinstance(error, Refused) for error in outcomes) == 2
    at = world.tables.get(at.id)
    assert (at.status, at.phase) == ("playing", Phase.GRAND)
    await world.check_stored(at.id)
    dealt = [
        what for what in world.heard.news if any(isinstance(e, RoundDealt) for e in what.events)
    ]
    assert len(dealt) == 1
    assert await refusal(world.tables.join(at.id, 103, "Cleo")) == "already-started"


async def test_the_first_dealer_can_be_chosen(world: TableWorld) -> None:
    at = await world.match(1, options=QUICK.model_copy(update={"first_dealer": 2}))
    assert at.match is not None
    assert round_of(at.match).dealer == 2


# --- playing ---------------------------------------------------------------------------------


async def test_an_action_is_stored_before_it_is_shown(world: TableWorld) -> None:
    at = await world.match()
    after = await world.tables.act(at.id, 102, at.stamp, lambda seat: AnswerGrand(seat, True))
    assert after == world.tables.get(at.id)
    assert after.match is not None
    assert round_of(after.match).opening.answers == (None, True, None, None)
    last = (await world.store.tables.actions(at.id))[-1]
    assert (last.seat, last.actor_id, last.text) == (1, 102, "grand:yes")
    what = world.heard.news[-1]
    assert (what.before, what.after, what.actor_id) == (at, after, 102)
    await world.check_stored(at.id)


async def test_strangers_may_do_nothing(world: TableWorld) -> None:
    at = await world.match()
    tables = world.tables
    assert await refusal(tables.act(at.id, STRANGER, None, Pass)) == "not-seated"
    assert await refusal(tables.pass_this_trick(at.id, STRANGER, "1.0", True)) == "not-seated"
    assert await refusal(tables.take_back(at.id, STRANGER, None)) == "not-seated"
    assert await refusal(tables.hold_window(at.id, STRANGER, 1)) == "not-seated"
    assert await refusal(tables.pause(at.id, STRANGER, True)) == "not-seated"
    assert await refusal(tables.leave_to_computer(at.id, STRANGER, "")) == "not-seated"
    assert await refusal(tables.vote_stop(at.id, STRANGER, moderator=False)) == "not-seated"
    assert world.tables.get(at.id) == at


async def test_a_table_that_never_was_is_over(world: TableWorld) -> None:
    assert await refusal(world.tables.act(77, HOST, None, Pass)) == "table-over"
    assert await refusal(world.tables.join(77, HOST, "Ada")) == "table-over"
    assert world.tables.find(77) is None
    await world.tables.remember(77, table_message_id=1)
    await world.tables.ring(77)


async def test_before_the_start_nothing_is_played(world: TableWorld) -> None:
    at = await world.lobby()
    assert await refusal(world.tables.act(at.id, HOST, None, Pass)) == "not-started"
    assert await refusal(world.tables.pause(at.id, HOST, True)) == "not-started"


async def test_what_the_rules_forbid_changes_nothing(world: TableWorld) -> None:
    at = await world.match()
    with pytest.raises(IllegalAction) as refused:
        await world.tables.act(at.id, HOST, at.stamp, Pass)
    assert refused.value.code == "wrong-phase"
    assert world.tables.get(at.id) == at
    await world.check_stored(at.id)


async def test_a_button_of_before_is_stale(world: TableWorld) -> None:
    at = await world.match(people=1)
    for stamp in (at.stamp - 1, at.stamp + 1):
        with pytest.raises(Stale):
            await world.tables.act(at.id, HOST, stamp, lambda seat: AnswerGrand(seat, False))
        with pytest.raises(Stale):
            await world.tables.take_back(at.id, HOST, stamp)
    with pytest.raises(Stale):
        await world.tables.pass_this_trick(at.id, HOST, "1.1", True)
    with pytest.raises(Stale):
        await world.tables.hold_window(at.id, HOST, 2)
    assert world.tables.get(at.id) == at


async def test_two_clicks_at_once_count_once(world: TableWorld) -> None:
    at = await world.match()
    clicks = [
        world.tables.act(at.id, HOST, at.stamp, lambda seat: AnswerGrand(seat, False))
        for _ in range(5)
    ]
    outcomes = await asyncio.gather(*clicks, return_exceptions=True)
    assert sum(isinstance(error, IllegalAction) for error in outcomes) == 4
    await world.check_stored(at.id)


async def test_a_call_needs_no_stamp(world: TableWorld) -> None:
    at = await world.match()
    for user in (101, 102, 103, 104):
        at = await world.tables.act(at.id, user, at.stamp, lambda seat: AnswerGrand(seat, False))
    at = await world.tables.act(at.id, 102, None, CallTichu)
    assert at.desk.called_at == {1: NOON}
    await world.check_stored(at.id)


# --- absence, pauses, ends -------------------------------------------------------------------


async def test_who_waits_is_nudged_once_and_then_played_for(world: TableWorld) -> None:
    at = await world.match(people=2)
    await world.run(9.9)
    assert world.heard.nudges == []
    await world.run(5)
    assert world.heard.nudges == [(at.id, (101, 102))]
    await world.check_stored(at.id)
    await world.run(5)
    assert world.tables.get(at.id).phase is Phase.GRAND
    await world.run(0.2)
    assert world.tables.get(at.id).phase is Phase.EXCHANGE
    assert world.tables.get(at.id).desk.away == (0, 1)
    assert len(world.heard.nudges) == 1
    await world.check_stored(at.id)


async def test_who_leaves_a_match_is_replaced_for_good(world: TableWorld) -> None:
    at = await world.match(people=2)
    at = await world.tables.leave_to_computer(at.id, 102, "Robot for Ben")
    assert (at.chairs[1].kind, at.chairs[1].name) == ("computer", "Robot for Ben")
    await world.run(0.5)
    at = world.tables.get(at.id)
    assert at.match is not None
    assert round_of(at.match).opening.answers[1] is not None
    await world.check_stored(at.id)
    assert await refusal(world.tables.leave_to_computer(at.id, HOST, "Robot")) == "last-person"
    assert await refusal(world.tables.act(at.id, 102, None, Pass)) == "not-seated"


async def test_between_two_rounds_the_table_can_be_paused(world: TableWorld) -> None:
    at = await world.match(people=1, options=QUICK.model_copy(update={"target": 5000}))
    assert await refusal(world.tables.pause(at.id, HOST, True)) == "between-rounds-only"
    await until(world, at.id, Phase.ROUND_END)
    at = await world.tables.pause(at.id, HOST, True)
    await world.check_stored(at.id)
    await world.run(3600)
    assert world.tables.get(at.id).phase is Phase.ROUND_END
    await world.tables.pause(at.id, HOST, False)
    await world.run(4.9)
    assert world.tables.get(at.id).phase is Phase.ROUND_END
    await world.run(0.2)
    assert world.tables.get(at.id).phase is Phase.GRAND
    await world.check_stored(at.id)


async def until(world: TableWorld, table_id: int, phase: Phase) -> TableState:
    """Let time pass until a table is in this phase."""
    for _ in range(2000):
        if world.tables.get(table_id).phase is phase:
            break
        await world.go_on(table_id)
        await world.run(1)
    at = world.tables.get(table_id)
    assert at.phase is phase
    return at


async def test_a_window_can_be_held_open(world: TableWorld) -> None:
    at = await world.match(people=1)
    at = await until(world, at.id, Phase.WINDOW)
    closes = at.desk.deadlines["window"]
    held = await world.tables.hold_window(at.id, HOST, 1)
    assert held.desk.deadlines["window"] == closes + timedelta(seconds=10)
    await world.check_stored(at.id)
    await world.run((closes - world.time.now()).total_seconds() + 9)
    assert world.tables.get(at.id).phase is Phase.WINDOW
    await world.run(1.1)
    now = world.tables.get(at.id)
    assert now.desk.deadlines.get("window") != held.desk.deadlines["window"], "it is another one"


async def test_a_match_is_stopped_by_vote_or_by_a_moderator(world: TableWorld) -> None:
    at = await world.match(1)
    for user in (101, 102):
        assert (await world.tables.vote_stop(at.id, user, moderator=False)).running
        await world.check_stored(at.id)
    stopped = await world.tables.vote_stop(at.id, 103, moderator=False)
    assert stopped.status == "stopped"
    match = await world.store.history.match(at.id)
    assert match is not None
    assert (match.reason, match.rounds) == ("stopped", 0)
    at = await world.match(1)
    assert (await world.tables.vote_stop(at.id, STRANGER, moderator=True)).status == "stopped"
    assert await refusal(world.tables.act(at.id, HOST, None, Pass)) == "table-over"
    assert world.time.alarms == []


async def test_a_table_whose_channel_is_gone_is_closed_once(world: TableWorld) -> None:
    at = await world.match(people=1)
    await asyncio.gather(*(world.tables.close_table(at.id) for _ in range(3)))
    await world.tables.close_table(at.id)
    assert world.tables.find(at.id) is None
    assert [what.after.status for what in world.heard.news][-1] == "stopped"
    lobby = await world.lobby(2)
    await world.tables.close_table(lobby.id)
    assert await world.store.history.match(lobby.id) is None


async def test_message_ids_are_kept_over_a_restart(world: TableWorld) -> None:
    at = await world.match()
    tables = world.tables
    await tables.remember(at.id, lobby_message_id=1, table_message_id=2, message_round=1)
    await tables.remember(at.id, nudge_message_id=3)
    assert world.heard.kept[-1] == tables.get(at.id)
    (again,) = await world.reopen()
    assert (again.lobby_message_id, again.table_message_id) == (1, 2)
    assert (again.desk.message_round, again.desk.nudge_message_id) == (1, 3)
    await world.tables.remember(at.id, nudge_message_id=0)
    assert world.tables.get(at.id).desk.nudge_message_id is None
    await world.check_stored(at.id)
