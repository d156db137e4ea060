"""Open tables over a real store: create, join, start and act; permissions and refusals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import Refused, Stale
from bot.ids import ChannelId, GuildId, MessageId, Revision, TableId, UserId
from bot.table.commands import (
    AddComputer,
    HoldWindow,
    Join,
    Leave,
    LeaveToComputer,
    Pause,
    Remove,
    Start,
    SwapSeats,
    VoteToStop,
)
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.permission import require_lobby
from bot.table.state import Game, Lobby
from engine import AnswerGrand, CallTichu, IllegalAction, Pass, Phase, RoundDealt
from tests.bot.asking import act, pass_this_trick, played, take_back
from tests.bot.states import GUILD, HOST, NOON
from tests.bot.table_world import PATIENT, QUICK, TableWorld, quick

pytestmark = pytest.mark.usefixtures("one_thread")

STRANGER = UserId(999)


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


CHAIRS = new_chairs(QUICK, HOST, "Ada")


async def create(world: TableWorld, channel: ChannelId, guild: GuildId = GUILD) -> Lobby:
    return await world.tables.create(LobbyPlan(guild, channel, HOST, QUICK, CHAIRS))


# --- opening ---------------------------------------------------------------------------------


async def test_new_table_is_a_lobby_with_its_host(world: TableWorld) -> None:
    at = await world.tables.create(
        LobbyPlan(GUILD, ChannelId(5), HOST, QUICK, CHAIRS, parent_channel_id=ChannelId(4))
    )
    assert (at.status, at.host_id, at.seat_of(HOST)) == ("lobby", HOST, 0)
    assert world.tables.get(at.id) == world.tables.in_channel(ChannelId(5)) == at
    assert world.tables.in_channel(ChannelId(4)) is None
    assert list(world.tables.all()) == [at]
    assert at.parent_channel_id == 4
    await world.check_stored(at.id)
    assert world.heard.news == []


async def test_a_rematch_opens_with_everybody_seated(world: TableWorld) -> None:
    chairs = (await world.lobby(ChannelId(1), people=2)).chairs
    at = await world.tables.create(LobbyPlan(GUILD, ChannelId(2), HOST, QUICK, chairs))
    assert at.chairs == chairs
    await world.check_stored(at.id)


async def test_channel_has_one_table(world: TableWorld) -> None:
    first = await create(world, ChannelId(1))
    assert await refusal(create(world, ChannelId(1), guild=GuildId(77))) == "channel-taken"
    await world.tables.execute(first.id, HOST, VoteToStop(moderator=False))
    assert (await create(world, ChannelId(1))).id != first.id


async def test_two_concurrent_requests_open_one_table(world: TableWorld) -> None:
    outcomes = await asyncio.gather(
        *(create(world, ChannelId(1), GuildId(guild)) for guild in range(10)),
        return_exceptions=True,
    )
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["channel-taken"] * 9
    assert len(list(world.tables.all())) == len(await world.store.tables.all_open()) == 1


async def test_limits_tables_of_a_guild(world: TableWorld) -> None:
    await asyncio.gather(*(create(world, ChannelId(channel)) for channel in range(3)))
    with pytest.raises(Refused) as refused:
        await create(world, ChannelId(3))
    assert (refused.value.code, refused.value.details) == ("too-many-tables", {"limit": 3})
    await create(world, ChannelId(4), guild=GuildId(77))


async def test_limit_holds_for_concurrent_requests(world: TableWorld) -> None:
    outcomes = await asyncio.gather(
        *(create(world, ChannelId(channel)) for channel in range(10)), return_exceptions=True
    )
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["too-many-tables"] * 7


# --- the lobby -------------------------------------------------------------------------------


async def test_people_join_swap_and_leave(world: TableWorld) -> None:
    at = await create(world, ChannelId(1))
    await world.tables.execute(at.id, UserId(102), Join("Ben"))
    await world.tables.execute(at.id, HOST, AddComputer(2, Revision(1)))
    await world.tables.execute(at.id, HOST, SwapSeats(1, 3, Revision(2)))
    await world.tables.execute(at.id, HOST, Remove(2, Revision(3)))
    at = require_lobby(await world.tables.execute(at.id, HOST, Leave()))
    assert [chair.kind for chair in at.chairs] == ["empty", "empty", "empty", "person"]
    assert (at.host_id, at.revision) == (102, 5)
    await world.check_stored(at.id)
    assert [what.actor_id for what in world.heard.news] == [102, HOST, HOST, HOST, HOST]
    assert await refusal(world.tables.execute(at.id, UserId(102), Join("Ben"))) == "already-seated"


async def test_last_chair_is_taken_once(world: TableWorld) -> None:
    at = await world.lobby(people=3)
    await world.tables.execute(at.id, HOST, Remove(3, at.revision))
    outcomes = await asyncio.gather(
        *(world.tables.execute(at.id, UserId(200 + n), Join("Eve")) for n in range(5)),
        return_exceptions=True,
    )
    refused = [error.code for error in outcomes if isinstance(error, Refused)]
    assert refused == ["table-full"] * 4


async def test_closes_an_empty_lobby(world: TableWorld) -> None:
    at = await world.lobby(people=1)
    gone = await world.tables.execute(at.id, HOST, Leave())
    assert gone.status == "expired"
    assert world.tables.find(at.id) is None
    assert await refusal(world.tables.execute(at.id, UserId(102), Join("Ben"))) == "table-over"
    record = await world.store.tables.get(at.id)
    assert record is not None
    assert (record.status, record.ended_at) == ("expired", NOON)
    assert world.time.alarms == []


async def test_lobby_expires_half_an_hour_after_the_last_change(world: TableWorld) -> None:
    at = await create(world, ChannelId(1))
    await world.run(29 * 60)
    await world.tables.execute(at.id, UserId(102), Join("Ben"))
    await world.run(29 * 60)
    assert world.tables.find(at.id) is not None
    await world.run(60)
    assert world.tables.find(at.id) is None
    assert world.heard.news[-1].after.status == "expired"
    assert world.heard.nudges == []
    await create(world, ChannelId(1))


async def test_host_starts_a_full_table_once(world: TableWorld) -> None:
    empty = await create(world, ChannelId(1))
    assert await refusal(world.tables.execute(empty.id, HOST, Start())) == "seats-empty"
    lobby = await world.lobby(ChannelId(2), people=2)
    assert await refusal(world.tables.execute(lobby.id, UserId(102), Start())) == "host-only"
    starts = [world.tables.execute(lobby.id, HOST, Start()) for _ in range(3)]
    outcomes = await asyncio.gather(*starts, return_exceptions=True)
    assert sum(isinstance(error, Refused) for error in outcomes) == 2
    at = world.game(lobby.id)
    assert (at.status, at.phase) == ("playing", Phase.GRAND)
    await world.check_stored(at.id)
    dealt = [
        what for what in world.heard.news if any(isinstance(e, RoundDealt) for e in what.events)
    ]
    assert len(dealt) == 1
    assert (
        await refusal(world.tables.execute(at.id, UserId(103), Join("Cleo"))) == "already-started"
    )


async def test_first_dealer_can_be_chosen(world: TableWorld) -> None:
    at = await world.match(ChannelId(1), options=QUICK.model_copy(update={"first_dealer": 2}))
    assert at.round.dealer == 2


# --- playing ---------------------------------------------------------------------------------


async def test_stores_an_action_before_showing_it(world: TableWorld) -> None:
    at = await world.match()
    after = await act(
        world.tables, at.id, UserId(102), at.revision, lambda seat: AnswerGrand(seat, True)
    )
    assert after == world.tables.get(at.id)
    assert after.round.opening.answers == (None, True, None, None)
    last = (await world.store.tables.actions(at.id))[-1]
    assert (last.seat, last.actor_id, last.text) == (1, 102, "grand:yes")
    what = world.heard.news[-1]
    assert (what.before, what.after, what.actor_id) == (at, after, 102)
    await world.check_stored(at.id)


async def test_refuses_strangers(world: TableWorld) -> None:
    at = await world.match()
    tables = world.tables
    assert await refusal(act(tables, at.id, STRANGER, None, Pass)) == "not-seated"
    assert await refusal(pass_this_trick(tables, at.id, STRANGER, "1.0", True)) == "not-seated"
    assert await refusal(take_back(tables, at.id, STRANGER, at.revision)) == "not-seated"
    assert await refusal(tables.execute(at.id, STRANGER, HoldWindow(1))) == "not-seated"
    assert await refusal(tables.execute(at.id, STRANGER, Pause(True))) == "not-seated"
    assert await refusal(tables.execute(at.id, STRANGER, LeaveToComputer())) == "not-seated"
    assert (
        await refusal(tables.execute(at.id, STRANGER, VoteToStop(moderator=False))) == "not-seated"
    )
    assert world.tables.get(at.id) == at


async def test_unknown_table_is_over(world: TableWorld) -> None:
    assert await refusal(act(world.tables, TableId(77), HOST, None, Pass)) == "table-over"
    assert await refusal(world.tables.execute(TableId(77), HOST, Join("Ada"))) == "table-over"
    assert world.tables.find(TableId(77)) is None
    await world.tables.messages.store_ids(TableId(77), table=MessageId(1))
    await world.tables.timers.on_timer(TableId(77))


async def test_refuses_actions_before_the_start(world: TableWorld) -> None:
    at = await world.lobby()
    assert await refusal(act(world.tables, at.id, HOST, None, Pass)) == "not-started"
    assert await refusal(world.tables.execute(at.id, HOST, Pause(True))) == "not-started"


async def test_illegal_action_changes_nothing(world: TableWorld) -> None:
    at = await world.match()
    with pytest.raises(IllegalAction) as refused:
        await act(world.tables, at.id, HOST, at.revision, Pass)
    assert refused.value.code == "wrong-phase"
    assert world.tables.get(at.id) == at
    await world.check_stored(at.id)


async def test_refuses_a_stale_button(world: TableWorld) -> None:
    at = await world.match(people=1)
    for revision in (at.revision - 1, at.revision + 1):
        with pytest.raises(Stale):
            await act(
                world.tables, at.id, HOST, Revision(revision), lambda seat: AnswerGrand(seat, False)
            )
        with pytest.raises(Stale):
            await take_back(world.tables, at.id, HOST, Revision(revision))
    with pytest.raises(Stale):
        await pass_this_trick(world.tables, at.id, HOST, "1.1", True)
    with pytest.raises(Stale):
        await world.tables.execute(at.id, HOST, HoldWindow(2))
    assert world.tables.get(at.id) == at


async def test_two_concurrent_clicks_count_once(world: TableWorld) -> None:
    at = await world.match()
    clicks = [
        act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
        for _ in range(5)
    ]
    outcomes = await asyncio.gather(*clicks, return_exceptions=True)
    assert sum(isinstance(error, IllegalAction) for error in outcomes) == 4
    await world.check_stored(at.id)


async def test_call_needs_no_revision(world: TableWorld) -> None:
    at = await world.match()
    for user in (101, 102, 103, 104):
        at = await act(
            world.tables, at.id, UserId(user), at.revision, lambda seat: AnswerGrand(seat, False)
        )
    at = await act(world.tables, at.id, UserId(102), None, CallTichu)
    assert at.notes.called_at == {1: NOON}
    await world.check_stored(at.id)


# --- absence, pauses, ends -----------------------------------------------------------------------


async def test_slow_player_is_nudged_once_and_then_played_for(world: TableWorld) -> None:
    at = await world.match(people=2, options=PATIENT)
    await world.run(69.9)
    assert world.heard.nudges == []
    await world.run(5)
    assert world.heard.nudges == [(at.id, (101, 102))]
    await world.check_stored(at.id)
    await world.run(125)
    assert world.game(at.id).phase is Phase.GRAND
    await world.run(0.2)
    assert world.game(at.id).phase is Phase.EXCHANGE
    assert world.game(at.id).notes.away == (0, 1)
    assert len(world.heard.nudges) == 1
    await world.check_stored(at.id)


async def test_player_who_leaves_is_replaced_for_good(world: TableWorld) -> None:
    at = await world.match(people=2)
    at = played(await world.tables.execute(at.id, UserId(102), LeaveToComputer()))
    assert (at.chairs[1].kind, at.seat_of(UserId(102))) == ("computer", None)
    assert len({chair.name for chair in at.chairs}) == 4
    await world.run(0.5)
    at = world.game(at.id)
    assert at.round.opening.answers[1] is not None
    await world.check_stored(at.id)
    assert await refusal(world.tables.execute(at.id, HOST, LeaveToComputer())) == "last-person"
    assert await refusal(act(world.tables, at.id, UserId(102), None, Pass)) == "not-seated"


async def test_table_can_be_paused_between_rounds(world: TableWorld) -> None:
    at = await world.match(people=2, options=quick("nanjing", target=5000))
    assert await refusal(world.tables.execute(at.id, HOST, Pause(True))) == "between-rounds-only"
    await until(world, at.id, Phase.ROUND_END)
    await world.tables.execute(at.id, HOST, Pause(True))
    await world.check_stored(at.id)
    await world.run(3600)
    assert world.game(at.id).phase is Phase.ROUND_END
    await world.tables.execute(at.id, HOST, Pause(False))
    await world.run(4.9)
    assert world.game(at.id).phase is Phase.ROUND_END
    await world.run(0.2)
    assert world.game(at.id).phase is Phase.GRAND
    await world.check_stored(at.id)


async def until(world: TableWorld, table_id: TableId, phase: Phase) -> Game:
    """Let time pass until a table is in this phase."""
    for _ in range(2000):
        if world.game(table_id).phase is phase:
            break
        await world.resume(table_id)
        await world.run(1)
    at = world.game(table_id)
    assert at.phase is phase
    return at


async def test_window_can_be_held_open(world: TableWorld) -> None:
    at = await world.match(people=2)
    at = await until(world, at.id, Phase.WINDOW)
    closes = at.timers.deadlines["window"]
    held = await world.tables.execute(at.id, HOST, HoldWindow(1))
    assert held.timers.deadlines["window"] == closes + timedelta(seconds=10)
    await world.check_stored(at.id)
    await world.run((closes - world.time.now()).total_seconds() + 9)
    assert world.game(at.id).phase is Phase.WINDOW
    await world.run(1.1)
    now = world.tables.get(at.id)
    assert now.timers.deadlines.get("window") != held.timers.deadlines["window"], (
        "it is another one"
    )


async def test_match_is_stopped_by_vote_or_by_a_moderator(world: TableWorld) -> None:
    at = await world.match(ChannelId(1))
    for user in (101, 102):
        assert (
            await world.tables.execute(at.id, UserId(user), VoteToStop(moderator=False))
        ).running
        await world.check_stored(at.id)
    stopped = await world.tables.execute(at.id, UserId(103), VoteToStop(moderator=False))
    assert stopped.status == "stopped"
    match = await world.store.history.match(at.id)
    assert match is not None
    assert (match.reason, match.rounds) == ("stopped", 0)
    at = await world.match(ChannelId(1))
    assert (
        await world.tables.execute(at.id, STRANGER, VoteToStop(moderator=True))
    ).status == "stopped"
    assert await refusal(act(world.tables, at.id, HOST, None, Pass)) == "table-over"
    assert world.time.alarms == []


async def test_table_of_a_deleted_channel_is_closed_once(world: TableWorld) -> None:
    at = await world.match(people=1)
    await asyncio.gather(*(world.tables.channels.close_table(at.id) for _ in range(3)))
    await world.tables.channels.close_table(at.id)
    assert world.tables.find(at.id) is None
    assert [what.after.status for what in world.heard.news][-1] == "stopped"
    lobby = await world.lobby(ChannelId(2))
    await world.tables.channels.close_table(lobby.id)
    assert await world.store.history.match(lobby.id) is None


async def test_message_ids_survive_a_restart(world: TableWorld) -> None:
    at = await world.match()
    tables = world.tables
    await tables.messages.store_ids(at.id, lobby=MessageId(1), table=MessageId(2), table_round=1)
    await tables.messages.store_ids(at.id, nudge=MessageId(3))
    (again,) = await world.reopen()
    assert (again.messages.lobby, again.messages.table) == (1, 2)
    assert (again.messages.table_round, again.messages.nudge) == (1, 3)
    await world.tables.messages.store_ids(at.id, nudge=MessageId(0))
    assert world.tables.get(at.id).messages.nudge is None
    await world.check_stored(at.id)
