"""Players of each seat by round, with handovers within and between rounds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.history.matches import seated_rounds
from bot.history.played_round import played_rounds
from bot.history.replay_cache import outline_or_refuse
from bot.ids import ChannelId, TableId, UserId
from bot.table.commands import ComeBack, LeaveToComputer, TakeOver, VoteToStop
from bot.table.state import TableState
from engine import Phase
from tests.bot.played_database import RUNNING, open_played
from tests.bot.states import HOST, PEOPLE
from tests.bot.table_world import TableWorld, quick

BEN, EVE = UserId(HOST + 1), UserId(HOST + 9)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    made = TableWorld(tmp_path)
    await open_played(made)
    yield made
    await made.close()


async def play_round(world: TableWorld, table_id: TableId, *present: int) -> None:
    """Play the current round to its end for these people; computers do the rest."""
    while world.game(table_id).phase is Phase.ROUND_END:
        await world.resume(table_id)
        await world.run(1)
    while world.game(table_id).phase is not Phase.ROUND_END:
        for user in present:
            await world.tables.execute(table_id, UserId(user), ComeBack())
            await world.play_for(table_id, UserId(user))
        await world.run(0.4)


async def names_by_round(world: TableWorld, table_id: TableId, seat: int) -> list[str]:
    """Return the names at a seat by round; its owner is the player whose round is stored."""
    record = await world.store.tables.get(table_id)
    assert record is not None
    rounds = await seated_rounds(world.store, outline_or_refuse(record))
    for at, round_ in rounds:
        assert [chair.user_id for chair in at.chairs] == [one.user_id for one in round_.seats]
    return [at.chairs[seat].name for at, _ in rounds]


async def ends_as_played(world: TableWorld, table: TableState) -> dict[int, int]:
    """Return the sequence number of the action that ended each round, from a replay."""
    actions = await world.store.tables.actions(table.id)
    found = played_rounds(table.options.rules, actions)
    return {played.number: played.actions[-1].seq for played in found}


async def test_seats_change_hands_within_and_between_rounds(world: TableWorld) -> None:
    """They leave within the second round, and somebody joins after it."""
    table = world.game(RUNNING)
    seat = table.seat_of(BEN)
    assert seat is not None
    await world.tables.execute(table.id, BEN, LeaveToComputer())
    await play_round(world, table.id, HOST)
    await world.tables.execute(table.id, EVE, TakeOver("Eve", seat))
    left = await world.tables.execute(table.id, EVE, LeaveToComputer())
    robot = left.chairs[seat].name
    await play_round(world, table.id, HOST)
    assert await names_by_round(world, table.id, seat) == [PEOPLE[1], robot, robot]
    assert await world.store.history.round_ends(table.id) == await ends_as_played(world, table)


async def test_action_that_ends_an_open_ended_match_belongs_to_no_round(world: TableWorld) -> None:
    options = quick("grandseigneur", rounds=None)
    table = await world.match(ChannelId(4), 2, 5, options=options)
    seat = table.seat_of(BEN)
    assert seat is not None
    await play_round(world, table.id, HOST, BEN)
    await world.tables.execute(table.id, BEN, LeaveToComputer())
    await world.run(1)
    await world.tables.execute(table.id, HOST, VoteToStop(moderator=False))
    actions = await world.store.tables.actions(table.id)
    assert actions[-1].text == "stop"
    assert actions[-1].round == 1
    assert await names_by_round(world, table.id, seat) == [PEOPLE[1]]
    assert await world.store.history.round_ends(table.id) == await ends_as_played(world, table)
