"""Matches of events that end after a number of rounds: their end, and all that replays them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.formats.game import Game as RoundsOfGame
from bot.formats.json_read import read_document
from bot.formats.json_rounds import write_document
from bot.history.check import check
from bot.history.replay import replays_of
from bot.ids import ClubEventId, TableId, UserId
from bot.table.commands import ComeBack, Start
from bot.table.lobby import LobbyPlan, rematch_setup
from bot.table.options import EventLink
from bot.table.restore import restore_outline
from bot.table.state import Game
from engine import Phase
from tests.bot.history.test_rebuild import rebuilt_as_before
from tests.bot.states import CHANNEL, GUILD, HOST, chairs
from tests.bot.table_world import QUICK, TableWorld

ROUNDS = 3
LINK = EventLink(event=ClubEventId(1), round=1, match=0, draw=3, rounds=ROUNDS)
BEN = UserId(HOST + 1)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    world = TableWorld(tmp_path)
    await world.open()
    yield world
    await world.close()


async def begun(world: TableWorld) -> TableId:
    """Start a match of an event to 100 points, which two rounds reach."""
    options = QUICK.model_copy(update={"event": LINK})
    plan = LobbyPlan(GUILD, CHANNEL, HOST, options, chairs(computers=(2, 3)))
    table_id = (await world.tables.create(plan)).id
    await world.tables.execute(table_id, HOST, Start())
    return table_id


async def play_round(world: TableWorld, table_id: TableId) -> Game:
    """Play to the end of a round; return the last state of its table."""
    number = world.game(table_id).round.number
    while (at := world.tables.find(table_id)) is not None and world.game(
        table_id
    ).round.number == number:
        for user in (HOST, BEN):
            if world.tables.find(table_id) is not None:
                await world.tables.execute(table_id, user, ComeBack())
                await world.play_for(table_id, user)
        await world.run(1.1)
    after = world.heard.news[-1].after
    assert at is None or isinstance(after, Game)
    assert isinstance(after, Game)
    return after


async def finished(world: TableWorld) -> Game:
    """Play a match of an event; return its last state."""
    table_id = await begun(world)
    while world.tables.find(table_id) is not None:
        over = await play_round(world, table_id)
    return over


async def test_goes_on_beyond_the_target_and_ends_after_its_rounds(world: TableWorld) -> None:
    over = await finished(world)
    assert (over.status, over.phase) == ("finished", Phase.MATCH_END)
    assert over.views.public.options.target == 5000, "computers do not play for 100"
    reached = [max(result.totals) >= 100 for result in over.match.results]
    assert len(reached) == ROUNDS
    assert reached[0], "the target was there before the last round"
    record = await world.store.history.match(over.id)
    assert record is not None
    assert (record.reason, record.rounds, record.rated) == ("finished", ROUNDS, True)
    totals = [score.total for score in record.scores]
    assert [score.won for score in record.scores] == [total == max(totals) for total in totals], (
        "by points"
    )
    assert {seat.won for seat in record.seats} == {True, False}


async def test_is_rebuilt_checked_and_replayed_as_it_was_played(
    world: TableWorld, tmp_path: Path
) -> None:
    over = await finished(world)
    await rebuilt_as_before(world, matches=1)
    actions = await world.store.tables.actions(over.id)
    stored = await world.store.tables.get(over.id)
    assert stored is not None
    changes = await world.store.tables.seat_changes(over.id)
    replays = replays_of(restore_outline(stored), actions, changes, range(1, ROUNDS + 1))
    assert [replay.proof.as_dealt for replay in replays.values()] == [True] * ROUNDS
    names = (("Ada", "Ben", "Cleo", "Dan"),) * ROUNDS
    rounds = tuple(replay.played_round for replay in replays.values())
    game = RoundsOfGame(over.id, over.options.rules, names, rounds, ROUNDS)
    again = read_document(write_document(game).encode())
    assert write_document(again) == write_document(game)
    assert again.rounds[-1].positions[-1].match.winners == over.match.winners


@pytest.mark.sqlite("what is checked is a file, whatever the database is")
async def test_check_finds_no_fault(world: TableWorld) -> None:
    await finished(world)
    await begun(world)
    await world.run(1)
    checked = await check(world.file, world.time.now())
    assert (checked.matches, checked.damage, checked.stale) == (1, (), ())


async def test_survives_a_restart_at_the_target(world: TableWorld) -> None:
    table_id = await begun(world)
    for _ in range(2):
        await play_round(world, table_id)
        await world.check_stored(table_id)
        await world.reopen()
    assert world.game(table_id).phase is not Phase.MATCH_END
    over = await play_round(world, table_id)
    assert (over.status, len(over.match.results)) == ("finished", ROUNDS)


async def test_rematch_goes_to_the_target(world: TableWorld) -> None:
    over = await finished(world)
    options, seats = rematch_setup(over)
    assert (options.event, options.rounds, options.target) == (None, None, 100)
    plan = LobbyPlan(GUILD, CHANNEL, HOST, options, seats)
    table_id = (await world.tables.create(plan)).id
    again = await world.tables.execute(table_id, HOST, Start())
    assert isinstance(again, Game)
    assert again.match.options.target == 100
    while world.tables.find(table_id) is not None:
        over = await play_round(world, table_id)
    assert max(over.match.totals) >= 100
    assert len(over.match.results) < ROUNDS
