"""Tables of club events: arrivals, the grace time, and the start without a host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.ids import ChannelId, ClubEventId, TableId, UserId
from bot.live.events import MayStart
from bot.live.timers import RETRY_START
from bot.table.commands import CheckIn, Join, Leave, TakeOver
from bot.table.deadlines import GRACE_SECONDS
from bot.table.lobby import LobbyPlan, rematch_setup
from bot.table.options import EventLink
from bot.table.state import Lobby
from tests.bot.states import CHANNEL, GUILD, HOST, PEOPLE, chairs
from tests.bot.table_world import QUICK, TableWorld

pytestmark = pytest.mark.usefixtures("one_thread")

GRACE = timedelta(minutes=5)
LINK = EventLink(event=ClubEventId(1), round=1, match=0, draw=3)
BEN, CLEO, DAN, EVE = (UserId(HOST + number) for number in (1, 2, 3, 4))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def opened(world: TableWorld, people: int = 4) -> TableId:
    """Open a table of an event with these people."""
    options = QUICK.model_copy(update={"event": LINK, "auto_start": True})
    seats = chairs(PEOPLE[:4], empty=range(people, 4))
    plan = LobbyPlan(GUILD, CHANNEL, HOST, options, seats)
    return (await world.tables.create(plan)).id


async def come(world: TableWorld, table_id: TableId, *people: UserId) -> None:
    for user_id in people:
        await world.tables.execute(table_id, user_id, CheckIn())


async def test_starts_when_everybody_has_come(world: TableWorld) -> None:
    table_id = await opened(world)
    await come(world, table_id, BEN, CLEO, HOST)
    await world.run(60)
    assert isinstance(world.tables.get(table_id), Lobby), "one is missing"
    await come(world, table_id, DAN)
    await world.run(0)
    game = world.game(table_id)
    assert game.user_ids() == [HOST, BEN, CLEO, DAN]
    await world.check_stored(table_id)


async def test_computers_replace_those_who_have_not_come_after_the_grace_time(
    world: TableWorld,
) -> None:
    table_id = await opened(world)
    await world.run(GRACE.total_seconds() - 1)
    await come(world, table_id, CLEO)
    assert isinstance(world.tables.get(table_id), Lobby), "a change does not postpone it"
    await world.run(2)
    game = world.game(table_id)
    assert (game.user_ids(), game.host_id) == ([CLEO], CLEO)
    assert [chair.kind for chair in game.chairs] == ["computer", "computer", "person", "computer"]
    await world.check_stored(table_id)
    await world.tables.execute(table_id, BEN, TakeOver("Ben", 1))
    assert world.game(table_id).notes.coming[1].user_id == BEN, "after the round"


async def test_closes_if_nobody_comes(world: TableWorld) -> None:
    table_id = await opened(world)
    await world.run(GRACE.total_seconds() + 1)
    assert world.tables.find(table_id) is None
    record = await world.store.tables.get(table_id)
    assert record is not None
    assert record.status == "expired"


async def test_free_seats_do_not_delay_the_start(world: TableWorld) -> None:
    table_id = await opened(world, people=2)
    await come(world, table_id, HOST)
    await world.tables.execute(table_id, EVE, Join("Eve"))
    await world.run(10)
    assert isinstance(world.tables.get(table_id), Lobby), "Ben is still expected"
    await world.tables.execute(table_id, BEN, Leave())
    await world.run(0)
    game = world.game(table_id)
    assert (game.user_ids(), len(game.chairs)) == ([HOST, EVE], 4)
    await world.check_stored(table_id)


async def test_arrivals_survive_a_restart(world: TableWorld) -> None:
    table_id = await opened(world)
    await come(world, table_id, HOST, BEN)
    await world.close()
    world.time.jump(world.time.now() + 2 * GRACE)
    await world.open()
    await world.run(GRACE_SECONDS - 1)
    lobby = world.tables.get(table_id)
    assert isinstance(lobby, Lobby), "people get a moment after the restart"
    assert lobby.invitations.here == (HOST, BEN)
    await world.run(2)
    assert world.game(table_id).user_ids() == [HOST, BEN]


async def test_starts_once_it_can_be_shown(world: TableWorld) -> None:
    allowed = False
    world.events.subscribe(MayStart, lambda _: allowed)
    table_id = await opened(world)
    await come(world, table_id, HOST)
    await world.run(GRACE.total_seconds() + 1)
    lobby = world.tables.get(table_id)
    assert lobby.user_ids() == [HOST, BEN, CLEO, DAN]
    await world.check_stored(table_id)
    allowed = True
    await world.run(RETRY_START.total_seconds())
    assert world.game(table_id).user_ids() == [HOST]


async def test_erased_person_is_no_longer_there(world: TableWorld) -> None:
    table_id = await opened(world)
    await come(world, table_id, HOST, BEN)
    await world.tables.forgetting.forget(BEN)
    lobby = world.tables.get(table_id)
    assert isinstance(lobby, Lobby)
    assert lobby.invitations.here == (HOST,)
    await world.check_stored(table_id)


async def test_rematch_does_not_belong_to_the_event(world: TableWorld) -> None:
    table_id = await opened(world)
    options, _ = rematch_setup(world.tables.get(table_id))
    assert options.event is None
    lobby = await world.lobby(ChannelId(2), options=options)
    assert lobby.timers.deadlines.keys() == {"lobby", "start"}
