"""Tables of one person: pausing, freeing the channel, continuing, closing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import Refused
from bot.ids import ChannelId, TableId, UserId
from bot.records import Change
from bot.table.commands import ComeBack, Pause, Start, TakeOver
from bot.table.deadlines import GRACE_SECONDS, PAUSED_DAYS
from bot.table.lobby import LobbyPlan
from bot.table.state import Chair, Game
from engine import AnswerGrand, Phase
from tests.bot.asking import act, played
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import TableWorld, quick

pytestmark = pytest.mark.usefixtures("one_thread")

MINUTE = 60
ZOE = UserId(777)
LONG = quick("nanjing", target=5000)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield open tables without Discord."""
    opened = TableWorld(tmp_path, limit=2)
    await opened.open()
    yield opened
    await opened.close()


async def paused(world: TableWorld, channel: ChannelId = ChannelId(1)) -> Game:
    """Return a table of one person who has not clicked for a quarter of an hour."""
    at = await world.match(channel, people=1, options=LONG)
    await world.run(15 * MINUTE)
    at = world.game(at.id)
    assert at.timers.paused
    return at


async def refusal(world: TableWorld, table_id: TableId, user_id: UserId = HOST) -> str:
    with pytest.raises(Refused) as refused:
        await world.tables.execute(table_id, user_id, ComeBack())
    return refused.value.code


async def test_table_of_one_person_pauses_and_continues_in_place(
    world: TableWorld,
) -> None:
    at = await world.match(people=1, options=LONG)
    await world.run(15 * MINUTE - 1)
    at = world.game(at.id)
    assert (at.phase, at.timers.paused) == (Phase.GRAND, False)
    world.tables.clicked(at.id, HOST)
    await world.run(10 * MINUTE)
    assert not world.game(at.id).timers.paused, "fifteen minutes from the last click on"
    await world.run(5 * MINUTE)
    at = world.game(at.id)
    assert (at.phase, at.timers.paused, at.notes.away) == (Phase.GRAND, True, ())
    assert world.heard.nudges == []
    await world.check_stored(at.id)
    assert list(await world.reopen()) == [at]
    no = await act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    assert not no.timers.paused
    await world.run(1)
    assert world.game(at.id).phase is Phase.EXCHANGE
    await world.check_stored(at.id)


async def test_restart_does_not_count_as_a_click(world: TableWorld) -> None:
    at = await world.match(people=1, options=LONG)
    for _ in range(2):
        await world.run(5 * MINUTE)
        await world.reopen()
    await world.run(5 * MINUTE - 1)
    assert not world.game(at.id).timers.paused
    await world.run(1)
    assert world.game(at.id).timers.paused


async def test_last_click_survives_a_restart(world: TableWorld) -> None:
    at = await world.match(people=1, options=LONG)
    await world.run(10 * MINUTE)
    before = world.game(at.id)
    for user_id in (ZOE, HOST, HOST):
        world.tables.clicked(at.id, UserId(user_id))
    while world.game(at.id) == before:
        await asyncio.sleep(0.0005)
    noted = world.game(at.id)
    await world.run(30)
    world.tables.clicked(at.id, HOST)
    await world.run(20)
    assert world.game(at.id) == noted, "not with each click"
    await world.reopen()
    await world.run(14 * MINUTE + 9)
    assert not world.game(at.id).timers.paused
    await world.run(1)
    assert world.game(at.id).timers.paused


async def test_time_that_ran_out_during_downtime_gets_a_grace_period(world: TableWorld) -> None:
    at = await world.match(people=1, options=LONG)
    await world.close()
    world.time.jump(world.time.seconds_from_now(20 * MINUTE))
    await world.open()
    await world.run(GRACE_SECONDS - 1)
    assert not world.game(at.id).timers.paused
    await world.run(1)
    assert world.game(at.id).timers.paused


async def test_paused_table_of_one_person_closes_after_a_week(world: TableWorld) -> None:
    at = await paused(world)
    await world.run(PAUSED_DAYS * 86400 - 1)
    assert world.tables.find(at.id) is not None
    await world.run(1)
    assert world.tables.find(at.id) is None


async def test_paused_table_frees_its_channel(world: TableWorld) -> None:
    old = await paused(world)
    assert world.tables.in_channel(ChannelId(1)) == old, "the only one there"
    new = await world.match(people=2, options=LONG)
    assert (
        world.tables.in_channel(ChannelId(1)) == world.tables.in_channel(ChannelId(1), HOST) == new
    )
    assert await refusal(world, old.id) == "channel-busy"
    assert world.game(old.id) == old, "nothing has changed"
    assert {table.id for table in await world.reopen()} == {old.id, new.id}
    assert world.tables.in_channel(ChannelId(1)) == world.game(new.id)
    assert await refusal(world, old.id) == "channel-busy"
    await world.tables.channels.close_table(new.id)
    assert world.tables.in_channel(ChannelId(1)) == world.game(old.id)
    assert not played(await world.tables.execute(old.id, HOST, ComeBack())).timers.paused
    with pytest.raises(Refused) as refused:
        await world.lobby()
    assert refused.value.code == "channel-taken"
    await world.check_stored(old.id)


async def test_each_of_several_paused_tables_can_continue(world: TableWorld) -> None:
    first = await paused(world)
    second = await paused(world)
    assert world.tables.in_channel(ChannelId(1)) == second
    for at, other in ((first, second), (second, first), (first, second)):
        await world.tables.execute(at.id, HOST, ComeBack())
        assert world.tables.in_channel(ChannelId(1)) == world.game(at.id)
        assert await refusal(world, other.id) == "channel-busy"
        await world.run(15 * MINUTE)
        assert world.game(at.id).timers.paused


async def test_finds_the_paused_table_of_a_person(world: TableWorld) -> None:
    own = await paused(world)
    robots = tuple(Chair(seat=seat, kind="computer", name=f"Robot {seat}") for seat in (1, 2, 3))
    chairs = (Chair(seat=0, kind="person", user_id=ZOE, name="Zoe"), *robots)
    lobby = await world.tables.create(LobbyPlan(GUILD, ChannelId(1), ZOE, LONG, chairs))
    await world.tables.execute(lobby.id, ZOE, Start())
    await world.run(15 * MINUTE)
    assert world.tables.in_channel(ChannelId(1), HOST) == world.game(own.id)
    assert (
        world.tables.in_channel(ChannelId(1), ZOE)
        == world.tables.in_channel(ChannelId(1))
        == world.game(lobby.id)
    )


async def test_few_paused_tables_do_not_fill_a_guild(world: TableWorld) -> None:
    for _ in range(2):
        await paused(world)
    await world.lobby(ChannelId(1))
    await world.lobby(ChannelId(2))
    with pytest.raises(Refused) as refused:
        await world.lobby(ChannelId(3))
    assert refused.value.code == "too-many-tables"


async def test_many_paused_tables_fill_a_guild(world: TableWorld) -> None:
    for _ in range(8):
        await paused(world)
    with pytest.raises(Refused) as refused:
        await world.lobby(ChannelId(1))
    assert refused.value.code == "too-many-tables"


async def test_table_paused_by_an_older_version_frees_its_channel(
    world: TableWorld,
) -> None:
    old = await paused(world)
    await world.store.tables.commit(old.id, Change(holds_channel=True))
    await world.reopen()
    new = await world.lobby()
    assert world.tables.in_channel(ChannelId(1)) == new


async def test_second_person_restores_the_limits(world: TableWorld) -> None:
    at = await world.match(people=1, options=LONG)
    await act(world.tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    await world.run(MINUTE)
    at = world.game(at.id)
    assert set(at.timers.deadlines) == {"idle"}
    for _ in range(2000):
        at = world.game(at.id)
        if at.phase is Phase.ROUND_END:
            break
        await world.play_for(at.id, HOST)
        await world.run(0.5)
    await world.tables.execute(at.id, HOST, Pause(True))
    assert world.game(at.id).yields
    at = played(await world.tables.execute(at.id, ZOE, TakeOver("Eve", 2)))
    assert not at.timers.paused, "a newcomer is there"
    await world.run(6)
    at = world.game(at.id)
    assert at.phase is Phase.GRAND
    assert {"turn", "nudge"} <= set(at.timers.deadlines)
