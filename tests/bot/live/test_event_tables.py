"""Tables of club events: arrivals, the grace time, and the start without a host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import Refused
from bot.ids import ChannelId, ClubEventId, TableId, UserId
from bot.live.events import MayStart
from bot.live.timers import RETRY_START
from bot.table.commands import (
    CheckIn,
    CloseLobby,
    Command,
    Join,
    Leave,
    LeaveToComputer,
    MoveDeadline,
    OfferSeat,
    TakeOver,
)
from bot.table.deadlines import CLOSED_BY_EVENT, GRACE_SECONDS, PAUSED_DAYS
from bot.table.inviting import available_seat_count, computer_partners
from bot.table.lobby import LobbyPlan, absent_sides, rematch_setup
from bot.table.options import TURN_BASED_S, EventLink
from bot.table.state import Lobby
from tests.bot.states import CHANNEL, GUILD, HOST, PEOPLE, chairs
from tests.bot.table_world import QUICK, TableWorld

pytestmark = pytest.mark.usefixtures("one_thread")

GRACE = timedelta(minutes=5)
LINK = EventLink(event=ClubEventId(1), round=1, match=0, draw=3)
BEN, CLEO, DAN, EVE, FINN = (UserId(HOST + number) for number in (1, 2, 3, 4, 5))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def opened(
    world: TableWorld, people: int = 4, *, turn_limit_s: int = 20, **link: object
) -> TableId:
    """Open a table of an event with these people, whose link has these fields."""
    options = QUICK.model_copy(
        update={
            "event": LINK.model_copy(update=link),
            "auto_start": True,
            "turn_limit_s": turn_limit_s,
        }
    )
    seats = chairs(PEOPLE[:4], empty=range(people, 4))
    plan = LobbyPlan(GUILD, CHANNEL, HOST, options, seats, substitutes=(EVE,))
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


# --- only for the people of the event -------------------------------------------------------------


async def refused(world: TableWorld, table_id: TableId, user_id: UserId, command: Command) -> str:
    """Return the reason of a refusal."""
    with pytest.raises(Refused) as refusal:
        await world.tables.execute(table_id, user_id, command)
    return refusal.value.code


async def test_only_entrants_and_substitutes_can_join(world: TableWorld) -> None:
    table_id = await opened(world, 3, entrants_only=True)
    lobby = world.tables.get(table_id)
    assert await refused(world, table_id, FINN, Join("Finn")) == "entrants-only"
    assert [available_seat_count(lobby, user) for user in (EVE, FINN)] == [1, 0]
    assert await refused(world, table_id, CLEO, Join("Cleo", 1)) == "already-seated"
    await world.tables.execute(table_id, EVE, Join("Eve"))
    await world.tables.execute(table_id, EVE, Leave())
    await world.tables.execute(table_id, CLEO, Leave())
    await world.tables.execute(table_id, CLEO, Join("Cleo"))
    await world.check_stored(table_id)


async def test_anybody_can_join_other_tables_of_events(world: TableWorld) -> None:
    table_id = await opened(world, 3)
    assert world.tables.get(table_id).invitations.entrants == ()
    await world.tables.execute(table_id, FINN, Join("Finn"))


async def test_only_entrants_can_take_seats_in_the_match(world: TableWorld) -> None:
    table_id = await opened(world, entrants_only=True)
    await come(world, table_id, HOST, BEN, CLEO)
    await world.run(GRACE.total_seconds())
    game = world.game(table_id)
    assert game.chairs[3].kind == "computer"
    assert await refused(world, table_id, FINN, TakeOver("Finn", 3)) == "entrants-only"
    assert await refused(world, table_id, BEN, OfferSeat(FINN, "Finn")) == "entrants-only"
    assert [available_seat_count(game, user) for user in (DAN, EVE, FINN)] == [1, 1, 0]
    assert computer_partners(game, 1) == (), "not anybody can take it"
    await world.check_stored(table_id)
    await world.reopen()
    await world.tables.execute(table_id, DAN, TakeOver("Dan", 3))
    assert world.game(table_id).notes.coming[3].user_id == DAN
    await world.tables.execute(table_id, CLEO, LeaveToComputer())
    await world.tables.execute(table_id, EVE, TakeOver("Eve", 2))


async def test_erased_entrant_is_not_kept(world: TableWorld) -> None:
    table_id = await opened(world, entrants_only=True)
    await world.tables.forgetting.forget(EVE)
    assert world.tables.get(table_id).invitations.entrants == (HOST, BEN, CLEO, DAN)
    await come(world, table_id, HOST, BEN, CLEO, DAN)
    await world.run(0)
    await world.tables.forgetting.forget(DAN)
    assert world.game(table_id).invitations.entrants == (HOST, BEN, CLEO)
    await world.check_stored(table_id)
    stored = await world.store.tables.get(table_id)
    assert stored is not None
    assert str(DAN) not in stored.details + stored.options


async def test_entrants_are_not_kept_after_the_end(world: TableWorld) -> None:
    table_id = await opened(world, entrants_only=True)
    await world.tables.execute(table_id, HOST, CloseLobby())
    stored = await world.store.tables.get(table_id)
    assert stored is not None
    assert str(EVE) not in stored.details


# --- forfeits -------------------------------------------------------------------------------------


async def test_waits_for_its_event_while_a_side_is_missing(world: TableWorld) -> None:
    table_id = await opened(world, forfeit=True)
    await come(world, table_id, HOST, CLEO)
    await world.run(GRACE.total_seconds() + 1)
    await world.reopen()
    await world.run(timedelta(days=1).total_seconds())
    lobby = world.tables.get(table_id)
    assert isinstance(lobby, Lobby)
    assert lobby.user_ids() == [HOST, BEN, CLEO, DAN]
    assert absent_sides(lobby) == (False, True)
    assert lobby.timers.deadlines.keys() == {"lobby"}
    await world.check_stored(table_id)
    await world.tables.execute(table_id, HOST, CloseLobby())
    assert world.tables.find(table_id) is None


async def test_forfeit_does_not_close_a_table_to_which_nobody_comes(world: TableWorld) -> None:
    table_id = await opened(world, forfeit=True)
    await world.run(GRACE.total_seconds() + 1)
    lobby = world.tables.get(table_id)
    assert isinstance(lobby, Lobby)
    assert absent_sides(lobby) == (True, True)
    await world.run(timedelta(days=PAUSED_DAYS).total_seconds())
    assert world.tables.find(table_id) is None, "its event has not looked after it"


async def test_late_side_starts_the_match_with_computers(world: TableWorld) -> None:
    table_id = await opened(world, forfeit=True)
    await come(world, table_id, HOST)
    await world.run(GRACE.total_seconds() + 1)
    await come(world, table_id, CLEO)
    await world.run(1)
    assert isinstance(world.tables.get(table_id), Lobby), "the other side is still missing"
    await come(world, table_id, DAN)
    await world.run(0)
    assert [chair.kind for chair in world.game(table_id).chairs] == [
        *("person", "computer", "person", "person")
    ]


async def test_match_with_both_sides_starts_after_the_grace_time(world: TableWorld) -> None:
    table_id = await opened(world, forfeit=True)
    await come(world, table_id, HOST, BEN)
    lobby = world.tables.get(table_id)
    assert isinstance(lobby, Lobby)
    assert absent_sides(lobby) == (False, False)
    await world.run(GRACE.total_seconds())
    assert world.game(table_id).user_ids() == [HOST, BEN]


async def test_side_that_has_left_delays_the_start(world: TableWorld) -> None:
    table_id = await opened(world, 2, forfeit=True)
    await come(world, table_id, HOST)
    await world.tables.execute(table_id, BEN, Leave())
    await world.run(0)
    lobby = world.tables.get(table_id)
    assert isinstance(lobby, Lobby)
    assert "grace" in lobby.timers.deadlines, "they can come back"
    await world.run(GRACE.total_seconds())
    assert isinstance(world.tables.get(table_id), Lobby)


# --- turn-based -----------------------------------------------------------------------------------


async def test_turn_based_lobby_waits_until_its_round_ends(world: TableWorld) -> None:
    until = world.time.now() + timedelta(days=5)
    table_id = await opened(world, turn_limit_s=TURN_BASED_S[0], until=until)
    await come(world, table_id, HOST, BEN, CLEO)
    lobby = world.tables.get(table_id)
    assert lobby.timers.deadlines == {"lobby": until + CLOSED_BY_EVENT}
    await world.tables.execute(table_id, HOST, MoveDeadline(until + timedelta(days=1)))
    await world.run((timedelta(days=5, seconds=1) + CLOSED_BY_EVENT).total_seconds())
    await world.check_stored(table_id)
    await come(world, table_id, DAN)
    await world.run(0)
    assert world.game(table_id).user_ids() == [HOST, BEN, CLEO, DAN]


async def test_turn_based_lobby_closes_if_its_event_does_not_close_it(world: TableWorld) -> None:
    until = world.time.now() + timedelta(days=5)
    table_id = await opened(world, turn_limit_s=TURN_BASED_S[0], until=until)
    await world.run((until + CLOSED_BY_EVENT - world.time.now()).total_seconds() + 1)
    assert world.tables.find(table_id) is None
