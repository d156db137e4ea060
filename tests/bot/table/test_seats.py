"""Seats with new owners: computers, members and newcomers; permissions and timing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import Refused
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table import seats as handover
from bot.table.commands import (
    AcceptSeat,
    KeepSeat,
    LeaveToComputer,
    OfferSeat,
    TakeOver,
    VoteToStop,
)
from bot.table.computer_names import COMPUTER_NAMES
from bot.table.deadlines import deadlines
from bot.table.details import Newcomer
from bot.table.presence import mark_present, pause_if_idle
from bot.table.state import Game
from engine import DECK_SIZE, Pass, Phase
from tests.bot.asking import played
from tests.bot.games import did
from tests.bot.positions import TRICHU, position
from tests.bot.states import HOST, NAMES, NOON, chairs, state
from tests.bot.table_world import TableWorld, quick
from tests.engine.positions import after, table

BEN, EVE, FINN = UserId(HOST + 1), UserId(777), UserId(888)
TURN = table("TURN B", trick="A S8")
OVER = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
LATER = NOON + timedelta(seconds=9)


def refused(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as error:
        work()
    return error.value.code


def test_computer_player_takes_a_seat_permanently() -> None:
    at = handover.leave_to_computer(state(TURN), BEN)
    assert (at.chairs[1].kind, at.chairs[1].user_id) == ("computer", None)
    assert at.chairs[1].name in COMPUTER_NAMES
    assert at.chairs[0] == state(TURN).chairs[0]
    assert refused(lambda: handover.leave_to_computer(at, BEN)) == "not-seated"


def test_last_person_can_hand_over_only_to_a_member() -> None:
    alone = state(TURN, chairs=chairs(computers=(0, 2, 3)))
    assert refused(lambda: handover.leave_to_computer(alone, BEN)) == "last-person"
    offered = handover.offer(alone, BEN, EVE, "Eve", NOON)
    assert handover.accept(offered, EVE, "Eve", 1, NOON).chairs[1].user_id == EVE


def test_new_owner_inherits_no_state_of_a_seat() -> None:
    details = {
        "premoves": {1: Pass(1), 2: Pass(2)},
        "auto_pass": (1, 2),
        "dropped": (1, 2),
        "away": (1, 2),
        "offers": {1: EVE, 2: FINN},
        "deadlines": {"turn": LATER, "nudge": LATER, "window": LATER},
    }
    at = handover.accept(state(TURN, details=details), EVE, "Eve", 1, NOON)
    assert at.kept.premoves == {2: Pass(2)}
    assert (at.kept.auto_pass, at.kept.dropped, at.notes.away) == ((2,), (2,), (2,))
    assert at.notes.offers == {2: FINN}
    assert at.timers.deadlines["turn"] == NOON + timedelta(seconds=90), "their time starts anew"


def test_vote_is_removed_with_its_voter() -> None:
    at = state(table("TURN B", trick="A S8"), details={"votes": (HOST, HOST + 1)})
    at = at.with_notes(against=(UserId(HOST + 2),))
    left = handover.leave_to_computer(at, HOST)
    assert (left.notes.votes, left.notes.against) == ((HOST + 1,), (HOST + 2,))
    assert handover.leave_to_computer(left, UserId(HOST + 2)).notes.against == ()
    nobody = handover.leave_to_computer(left, UserId(HOST + 1))
    assert (nobody.notes.votes, nobody.notes.against) == ((), ()), "nobody wants to stop any more"


def test_hopeless_vote_ends_when_somebody_leaves() -> None:
    at = state(table("TURN B", trick="A S8"), details={"votes": (HOST,)})
    two = handover.leave_to_computer(at.with_notes(against=(UserId(HOST + 1),)), UserId(HOST + 2))
    assert two.notes.votes == (HOST,), "two of three can still agree"
    assert handover.leave_to_computer(two, UserId(HOST + 3)).notes.votes == ()


def test_player_who_leaves_is_not_ready_any_more() -> None:
    at = state(table("TURN B", trick="A S8")).with_notes(ready=(HOST, UserId(HOST + 1)))
    assert handover.leave_to_computer(at, HOST).notes.ready == (HOST + 1,)


def test_personal_settings_leave_with_their_player() -> None:
    both = frozenset({1, 2})
    at = state(TURN, details={"offers": {1: EVE}}).with_notes(auto_pass_always=both, more_time=both)
    new = handover.accept(at, EVE, "Eve", 1, NOON, PersonalSettings(auto_pass=False))
    assert new.notes.auto_pass_always == new.notes.more_time == {2}
    computer = handover.leave_to_computer(at, BEN)
    assert computer.notes.auto_pass_always == computer.notes.more_time == {2}


def test_handover_of_a_seat_that_is_not_awaited_keeps_the_deadlines() -> None:
    times = {"turn": LATER, "nudge": LATER}
    at = state(TURN, details={"offers": {2: EVE}, "deadlines": times})
    assert handover.accept(at, EVE, "Eve", 2, NOON).timers.deadlines == times


def test_dealer_of_trichu_hands_over_both_hands() -> None:
    details = {"premoves": {3: Pass(3)}, "auto_pass": (0, 3), "offers": {0: EVE}}
    trichu = position(TRICHU, "WINDOW 3", trick="2 S8")
    at = state(trichu, chairs=chairs(NAMES[:3]), details=details)
    at = handover.accept(at, EVE, "Eve", 0, NOON)
    assert (at.kept.premoves, at.kept.auto_pass) == ({}, ())
    assert at.seats_of_chair(0) == (0, 3)


def test_seat_needs_an_offer_and_its_acceptance() -> None:
    at = state(TURN)
    assert refused(lambda: handover.accept(at, EVE, "Eve", 1, NOON)) == "no-offer"
    at = handover.offer(at, BEN, EVE, "Eve", NOON)
    assert at.chairs == state(TURN).chairs
    for seat, user_id in ((1, FINN), (0, EVE), (77, EVE), (1, BEN)):
        accepting = lambda s=seat, u=user_id: handover.accept(at, u, "x", s, NOON)  # noqa: E731
        assert refused(accepting) == "no-offer"
    assert refused(lambda: handover.decline(at, FINN, 1)) == "no-offer"
    assert handover.decline(at, EVE, 1).notes.offers == {}
    assert handover.withdraw_offer(at, BEN).notes.offers == {}
    assert handover.withdraw_offer(at, HOST) is at
    again = handover.offer(at, BEN, FINN, "Finn", NOON)
    assert again.notes.offers == {1: FINN}


def test_refuses_impossible_offers() -> None:
    at = state(TURN)
    assert refused(lambda: handover.offer(at, BEN, HOST, "Ada", NOON)) == "member-seated"
    assert refused(lambda: handover.offer(at, BEN, BEN, "Ben", NOON)) == "member-seated"
    assert refused(lambda: handover.offer(at, EVE, FINN, "Finn", NOON)) == "not-seated"


def test_member_takes_one_of_two_offered_seats() -> None:
    at = handover.offer(handover.offer(state(TURN), BEN, EVE, "Eve", NOON), HOST, EVE, "Eve", NOON)
    at = handover.accept(at, EVE, "Eve", 1, NOON)
    assert at.notes.offers == {}
    assert refused(lambda: handover.accept(at, EVE, "Eve", 0, NOON)) == "no-offer"


def test_offer_is_removed_with_its_owner() -> None:
    at = handover.offer(state(TURN), BEN, EVE, "Eve", NOON)
    at = handover.leave_to_computer(at, BEN)
    assert refused(lambda: handover.accept(at, EVE, "Eve", 1, NOON)) == "no-offer"


def test_former_owner_gets_no_other_seat_in_the_same_round() -> None:
    at = handover.accept(handover.offer(state(TURN), BEN, EVE, "Eve", NOON), EVE, "Eve", 1, NOON)
    assert at.notes.left == (BEN,)
    for seat, owner in ((1, EVE), (0, HOST)):
        offered = handover.offer(at, UserId(owner), BEN, "Ben", NOON)
        accepting = lambda s=seat, o=offered: handover.accept(o, BEN, "Ben", s, NOON)  # noqa: E731
        assert refused(accepting) == "left-this-round"
    over = state(OVER, details={"left": (EVE,), "offers": {1: EVE}})
    assert handover.accept(over, EVE, "Eve", 1, NOON).chairs[1].user_id == EVE
    dealt, _ = did(
        state(OVER, details={"left": (EVE,)}), lambda batch: batch.deal(range(DECK_SIZE))
    )
    assert dealt.notes.left == ()


def test_newcomers_replace_only_computer_players_between_rounds() -> None:
    over = state(OVER, chairs=chairs(computers=(1, 3)))
    assert handover.free_seats(over) == (1, 3)
    at = handover.take_over(over, EVE, "Eve", 3, NOON)
    assert (at.chairs[3].kind, at.chairs[3].user_id) == ("person", EVE)
    assert refused(lambda: handover.take_over(at, EVE, "Eve", 1, NOON)) == "already-seated"
    for seat in (0, 3, 4, 77):
        taking = lambda s=seat: handover.take_over(at, FINN, "Finn", s, NOON)  # noqa: E731
        assert refused(taking) == "seat-taken"
    away = state(OVER, details={"away": (1,)})
    assert refused(lambda: handover.take_over(away, EVE, "Eve", 1, NOON)) == "seat-taken"


def test_newcomer_reserves_a_seat_within_a_round() -> None:
    within = state(TURN, chairs=chairs(computers=(1, 3)))
    slow = PersonalSettings(more_time=True)
    at = handover.take_over(within, EVE, "Eve", 1, NOON, slow)
    assert (at.chairs, at.timers) == (within.chairs, within.timers)
    newcomer = Newcomer(user_id=EVE, name="Eve", auto_pass=True, more_time=True)
    assert at.notes.coming == {1: newcomer}
    assert (handover.free_seats(at), handover.free_seats(at, EVE)) == ((3,), (1, 3))
    assert refused(lambda: handover.take_over(at, FINN, "Finn", 1, NOON)) == "seat-taken"
    other = handover.take_over(at, EVE, "Eve", 3, NOON)
    assert list(other.notes.coming) == [3], "one seat for each"
    assert handover.cancel_reservation(at, EVE) == within
    assert handover.cancel_reservation(at, FINN) is at
    full = handover.take_over(at, FINN, "Finn", None, NOON)
    assert (
        refused(lambda: handover.take_over(full, UserId(999), "Gil", None, NOON)) == "no-computer"
    )
    over = replace(full, match=OVER)
    assert deadlines(within, over, NOON)["newcomers"] == NOON
    at = handover.seat_newcomers(over, NOON)
    assert [chair.user_id for chair in at.chairs] == [HOST, EVE, HOST + 2, FINN]
    assert at.notes.coming == {}
    assert at.notes.more_time == {1}
    assert set(at.timers.deadlines) == {"next_round"}


def test_reservations_end_when_a_round_is_paused() -> None:
    one = state(TURN, chairs=chairs(computers=(1, 2, 3)), details={"deadlines": {"idle": NOON}})
    expected = handover.take_over(one, EVE, "Eve", 1, NOON)
    paused = pause_if_idle(expected, {}, NOON)
    assert paused.timers.paused
    assert paused.notes.coming == {}, "nobody knows when the round will be over"
    assert refused(lambda: handover.take_over(paused, EVE, "Eve", 1, NOON)) == "paused"
    on = mark_present(paused, HOST, NOON)
    assert list(handover.take_over(on, EVE, "Eve", 1, NOON).notes.coming) == [1]
    between = handover.take_over(replace(paused, match=OVER), EVE, "Eve", 1, NOON)
    assert between.chairs[1].user_id == EVE


def test_reservation_of_a_taken_seat_ends() -> None:
    coming = {1: Newcomer(user_id=EVE, name="Eve"), 3: Newcomer(user_id=FINN, name="Finn")}
    over = state(OVER, chairs=chairs(computers=(3,))).with_notes(coming=coming)
    at = handover.seat_newcomers(over, NOON)
    assert [chair.user_id for chair in at.chairs] == [HOST, BEN, HOST + 2, FINN]
    offered = state(TURN, chairs=chairs(computers=(3,)), details={"offers": {1: FINN}})
    offered = offered.with_notes(coming={3: Newcomer(user_id=FINN, name="Finn")})
    assert handover.accept(offered, FINN, "Finn", 1, NOON).notes.coming == {}


def test_newcomers_can_join_a_deserted_table() -> None:
    coming = {1: Newcomer(user_id=EVE, name="Eve")}
    details = {"away": (0,), "paused": True, "deadlines": {"abandoned": LATER}}
    over = state(OVER, chairs=chairs(computers=(1, 2, 3)), details=details).with_notes(
        coming=coming
    )
    assert set(deadlines(over, over, NOON)) == {"newcomers", "abandoned"}
    at = handover.seat_newcomers(over, NOON)
    assert (at.timers.paused, set(at.timers.deadlines)) == (False, {"next_round"})


def test_newcomer_ends_the_pause_of_a_deserted_table() -> None:
    details = {"away": (0,), "paused": True, "deadlines": {"abandoned": LATER}}
    over = state(OVER, chairs=chairs(computers=(1, 2, 3)), details=details)
    at = handover.take_over(over, EVE, "Eve", 2, NOON)
    assert (at.timers.paused, at.notes.away) == (False, (0,))
    assert at.timers.deadlines == {"next_round": NOON + timedelta(seconds=5)}


# --- on a real store -------------------------------------------------------------------------


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield open tables without Discord."""
    opened = TableWorld(tmp_path)
    await opened.open()
    yield opened
    await opened.close()


LONG = quick("nanjing", target=5000)


async def between_rounds(world: TableWorld, people: int) -> Game:
    """Return a table with this many people that waits between two rounds."""
    at = await world.match(people=people, options=LONG)
    for _ in range(2000):
        if world.game(at.id).phase is Phase.ROUND_END:
            return await world.all_back(at.id)
        await world.run(1)
    raise AssertionError("the round does not end")


async def test_owners_are_stored_with_the_seat(world: TableWorld) -> None:
    at = await world.match(people=4, options=LONG)
    tables = world.tables
    await tables.execute(at.id, BEN, OfferSeat(EVE, "Eve"))
    await world.check_stored(at.id)
    (at,) = map(played, await world.reopen())
    assert at.notes.offers == {1: EVE}
    await world.tables.execute(at.id, EVE, AcceptSeat("Eve", 1))
    await world.check_stored(at.id)
    (at,) = map(played, await world.reopen())
    assert (at.chairs[1].user_id, at.notes.offers) == (EVE, {})


async def test_two_newcomers_compete_for_a_seat(world: TableWorld) -> None:
    at = await between_rounds(world, 3)
    both = [
        world.tables.execute(at.id, UserId(user), TakeOver(str(user), 3)) for user in (EVE, FINN)
    ]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    (error,) = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert error.code == "seat-taken"
    assert world.game(at.id).chairs[3].user_id == EVE
    await world.check_stored(at.id)


async def test_one_person_takes_two_seats_concurrently(world: TableWorld) -> None:
    at = await between_rounds(world, 2)
    both = [world.tables.execute(at.id, EVE, TakeOver("Eve", seat)) for seat in (2, 3)]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    (error,) = [outcome for outcome in outcomes if isinstance(outcome, Refused)]
    assert error.code == "already-seated"
    people = [chair.user_id for chair in world.game(at.id).people()]
    assert people == [HOST, BEN, EVE]
    await world.check_stored(at.id)


async def test_acceptance_and_withdrawal_of_an_offer_at_once(world: TableWorld) -> None:
    at = await world.match(people=4, options=LONG)
    await world.tables.execute(at.id, BEN, OfferSeat(EVE, "Eve"))
    outcomes = await asyncio.gather(
        world.tables.execute(at.id, EVE, AcceptSeat("Eve", 1)),
        world.tables.execute(at.id, BEN, KeepSeat()),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], Refused)
    assert outcomes[1].code == "not-seated", "the seat is gone already"
    assert world.game(at.id).chairs[1].user_id == EVE
    await world.check_stored(at.id)


async def test_deal_and_newcomer_at_the_same_instant(world: TableWorld) -> None:
    at = await between_rounds(world, 3)
    world.time.pretend(at.timers.deadlines["next_round"])
    outcomes = await asyncio.gather(
        world.tables.timers.on_timer(at.id),
        world.tables.execute(at.id, EVE, TakeOver("Eve", 3)),
        return_exceptions=True,
    )
    await world.quiet()
    assert isinstance(outcomes[1], Game)
    assert world.game(at.id).chairs[3].kind == "computer"
    assert world.game(at.id).notes.coming[3].user_id == EVE, "when that round is over"
    await world.check_stored(at.id)


async def test_leaving_does_not_stop_the_match(world: TableWorld) -> None:
    at = await world.match(people=4, options=LONG)
    for user in (HOST, HOST + 2):
        await world.tables.execute(at.id, UserId(user), VoteToStop(moderator=False))
    left = await world.tables.execute(at.id, BEN, LeaveToComputer())
    assert left.status == "playing", "two of three, but neither of them was asked again"
    again = await world.tables.execute(at.id, HOST, VoteToStop(moderator=False))
    assert again.status == "stopped"
