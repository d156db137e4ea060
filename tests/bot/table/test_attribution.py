"""Attribution of rounds to people by their seat_credit of turns, also from stored actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import get_args

import pytest

from bot.ids import ChannelId, UserId
from bot.records import ActionRecord, RoundRecord
from bot.table.attribution import (
    COMPUTER,
    SeatCredit,
    add_count,
    is_stored_turn,
    is_turn,
    seat_credit,
)
from bot.table.batch import Batch
from bot.table.commands import ComeBack
from bot.table.details import Turns
from bot.table.options import TableOptions
from bot.table.state import Game
from engine import CLOCK, Action, Pass, Phase, read_action
from tests.bot.games import did, ended, plain_brain, thought
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.table_world import TableWorld, quick
from tests.campaign import sample
from tests.engine.positions import table

BEN, EVE = UserId(HOST + 1), UserId(777)


def test_recognises_turns() -> None:
    """For every kind of action, as an object and as stored text."""
    kinds = set()
    for turn in ("play:S9", "play:MAHJONG wish=8", "pass", "bomb:S4,P4,J4,T4", "give:2"):
        action = read_action(0, turn)
        kinds.add(type(action))
        assert is_turn(action), turn
        assert is_stored_turn(turn), turn
    for other in (
        *("waive", "grand:no", "withdraw:yes", "tichu", "pass-cards:J2>1,S2>2,P2>3"),
        *("close", "stop"),
    ):
        action = read_action(CLOCK if other in ("close", "stop") else 0, other)
        kinds.add(type(action))
        assert not is_turn(action), other
        assert not is_stored_turn(other), other
    assert kinds == set(get_args(Action))
    assert not is_stored_turn("start:2")


def test_round_counts_for_the_player_of_at_least_half_of_its_turns() -> None:
    taken: dict[UserId, int]
    for taken, seated, whose in (
        ({BEN: 7}, BEN, SeatCredit(BEN, 7, 7)),
        ({BEN: 4, COMPUTER: 3}, BEN, SeatCredit(BEN, 7, 4)),
        ({BEN: 3, COMPUTER: 3}, BEN, SeatCredit(BEN, 6, 3)),
        ({BEN: 3, COMPUTER: 4}, BEN, SeatCredit(None, 7, 3)),
        ({COMPUTER: 4}, BEN, SeatCredit(None, 4, 0)),
        ({COMPUTER: 4}, None, SeatCredit(None, 4, 0)),
        ({}, BEN, SeatCredit(BEN, 0, 0)),
        ({}, None, SeatCredit(None, 0, 0)),
        ({BEN: 4, EVE: 3}, EVE, SeatCredit(BEN, 7, 4)),
        ({BEN: 4, COMPUTER: 3}, None, SeatCredit(BEN, 7, 4)),
        ({BEN: 3, EVE: 3}, EVE, SeatCredit(EVE, 6, 3)),
        ({EVE: 3, BEN: 3}, BEN, SeatCredit(BEN, 6, 3)),
        ({BEN: 3, EVE: 3, COMPUTER: 1}, EVE, SeatCredit(None, 7, 3)),
    ):
        assert seat_credit(taken, seated) == whose, (taken, seated)


def test_turns_are_counted_by_player() -> None:
    turns: Turns = {}
    for who in (BEN, None, BEN):
        turns = add_count(turns, 1, who)
    assert add_count(turns, 0, EVE) == {1: {BEN: 2, COMPUTER: 1}, 0: {EVE: 1}}
    assert turns == {1: {BEN: 2, COMPUTER: 1}}, "what was stored stays as it was"


def turns_after(at: Game, *works: Callable[[Batch], object]) -> Turns:
    for work in works:
        at, _ = did(at, work)
    return at.credits.turns


def close_window(batch: Batch) -> None:
    batch.close_window({})


absent = thought(plain_brain(1), absent=True)


def test_premove_is_the_persons_turn() -> None:
    window = state(table("WINDOW B", trick="A SA"))
    assert turns_after(window, lambda c: c.take(Pass(1), BEN)) == {}, "not before it is laid"
    assert turns_after(window, lambda c: c.take(Pass(1), BEN), close_window) == {1: {BEN: 1}}


def test_passing_the_trick_is_the_persons_turn() -> None:
    at = state(table("TURN A", trick="D SA"), details={"auto_pass": (1,)})
    assert turns_after(at, lambda c: c.take(Pass(0), HOST)) == {0: {HOST: 1}, 1: {BEN: 1}}


def test_turn_of_a_computer_player_is_nobodys() -> None:
    turn = table("TURN B", trick="A SA")
    assert turns_after(state(turn), absent) == {1: {COMPUTER: 1}}
    robot = state(turn, chairs=chairs(computers=(1,)))
    assert turns_after(robot, thought(plain_brain(1))) == {1: {COMPUTER: 1}}


def test_next_deal_restarts_the_count() -> None:
    over = state(table("LEAD C", hands={"C": "S9"}, out="AB"), details={"turns": {2: {BEN: 4}}})
    batch = Batch(over, NOON)
    absent(batch)
    at, change = ended(batch)
    assert at.phase is Phase.ROUND_END
    assert change.round is not None
    seats = [(s.counts_for, s.turns, s.own_turns) for s in change.round.seats]
    assert seats[2] == (BEN, 5, 4), "four of five"
    assert seats[0] == (HOST, 0, 0)
    dealt, _ = did(at, lambda batch: batch.deal(range(56)))
    assert dealt.credits.turns == {}


# --- on a real store -------------------------------------------------------------------------


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield open tables without Discord."""
    opened = TableWorld(tmp_path)
    await opened.open()
    yield opened
    await opened.close()


def told_by(
    actions: list[ActionRecord], dealer: int, number: int, people: int
) -> dict[int, tuple[int, int]]:
    """Return by chair the turns in a round and the most that one person took, from the log.

    A seat without a chair is Trichu's Table, which its dealer plays.
    """
    found = {}
    for chair in range(people):
        hands = {chair} | ({people} if chair == dealer else set())
        turns = [
            action.actor_id
            for action in actions
            if action.round == number and action.seat in hands and is_stored_turn(action.text)
        ]
        own = Counter(actor for actor in turns if actor is not None)
        found[chair] = len(turns), max(own.values(), default=0)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "options, people, players, number",
    sample(
        [
            (quick("nanjing", target=5000), 3, 4, 2),
            (quick("trichu", rounds=9), 3, 3, 1),
            (quick("grandseigneur", rounds=9), 3, 5, 1),
        ],
        1,
    ),
)
async def test_stored_shares_follow_from_the_stored_actions(
    world: TableWorld, options: TableOptions, people: int, players: int, number: int
) -> None:
    """One person is always present, one sometimes, one never; the bot is restarted in between."""
    at = await world.match(ChannelId(1), people, players, options=options)
    tables = world.tables
    for step in range(4000):
        at = world.game(at.id)
        if len(world.game(at.id).match.results) == number:
            break
        present = [HOST] if step % 40 < 20 else [HOST, BEN]
        for user in present:
            await tables.execute(at.id, UserId(user), ComeBack())
            await world.play_for(at.id, user)
        await world.run(0.4)
        if step % 60 == 59:
            await world.reopen()
            tables = world.tables
    rounds: list[RoundRecord] = await world.store.history.rounds(at.id)
    assert len(rounds) == number
    actions = await world.store.tables.actions(at.id)
    credited = set()
    for round_, result in zip(rounds, world.game(at.id).match.results, strict=True):
        told = told_by(actions, result.dealer, round_.number, players)
        assert {s.seat: (s.turns, s.own_turns) for s in round_.seats} == told
        for seat in round_.seats:
            turns, own = told[seat.seat]
            assert (seat.counts_for is not None) == (2 * own >= turns and seat.user_id is not None)
            credited.add(seat.counts_for)
    assert HOST in credited
    assert HOST + 2 not in credited
