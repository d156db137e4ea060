"""Absent players: actions made for them, their return, and pauses of deserted tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import Refused, Stale
from bot.ids import Revision, UserId
from bot.table.batch import Batch
from bot.table.commands import ComeBack, HoldWindow, Shuffle, VoteToStop
from bot.table.deadlines import IDLE, PAUSED_DAYS, reschedule
from bot.table.decisions import questions
from bot.table.interruptions import pause, ready
from bot.table.presence import (
    extend_idle,
    mark_present,
    pause_if_idle,
    pauses_now,
    should_store_click,
)
from bot.table.state import Game, seats_to_act
from engine import (
    MAHJONGS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Call,
    CallTichu,
    Pass,
    PassCards,
    Phase,
    Play,
    View,
    view,
)
from tests.bot.asking import act, played
from tests.bot.brains import Brain
from tests.bot.games import did, ended, finished, plain_brain, texts, thought
from tests.bot.positions import TRICHU, begun, declined, position
from tests.bot.states import HOST, NAMES, NOON, chairs, state, timed
from tests.bot.table_world import TableWorld, quick
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, table

LATER = NOON + timedelta(seconds=5)
OVER = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")


def all_yes(seen: View) -> Action | None:
    """Call whenever possible, and wish for aces."""
    assert seen.seat is not None
    for bet in (AnswerGrand(seen.seat, True), CallTichu(seen.seat)):
        if bet in seen.actions:
            return bet
    plays = [action for action in seen.actions if isinstance(action, Play)]
    mahjong = [play for play in plays if play.cards == MAHJONGS & seen.hand.cards]
    return mahjong[0]._replace(wish=14) if mahjong else next(iter(seen.actions), None)


def gone(at: Game, brain: Brain = all_yes) -> tuple[Game, list[str]]:
    """Return the table after the turn limit has passed, and the actions made."""
    batch = Batch(at, LATER)
    batch.mark_away([seat for seat in seats_to_act(at.match) if not at.computer(seat)])
    thought(brain, absent=True)(batch)
    after_, change = ended(batch)
    return after_, texts(change)


def decided(at: Game, brain: Brain = all_yes) -> tuple[Game, list[str]]:
    """Return the table after computer players have decided, and their actions."""
    return did(at, thought(brain))


# --- actions made for them -----------------------------------------------------------------------


def test_only_awaited_people_become_absent() -> None:
    at, _ = gone(state(table("TURN B", trick="A S8")))
    assert at.notes.away == (1,)
    assert [at.away(seat) for seat in range(4)] == [False, True, False, False]
    assert [at.computer(seat) for seat in range(4)] == [False, True, False, False]
    answered = after(dealt(), "A grand:no", "C grand:no")
    assert gone(state(answered))[0].notes.away == (1, 3)
    computers = state(answered, chairs=chairs(computers=(1,)))
    assert gone(computers)[0].notes.away == (3,)


def test_makes_no_call_and_no_wish_for_absent_people() -> None:
    _, done = gone(state(dealt()))
    assert done[:4] == [f"{seat} grand:no" for seat in range(4)]
    assert not any("tichu" in text for text in done)
    lead = state(table("LEAD B", hands={"B": "MAHJONG DRAGON SA PA"}))
    at, done = gone(lead)
    assert done == ["1 play:MAHJONG"]
    again = state(table("LEAD B", hands={"B": "MAHJONG DRAGON SA PA"}), details={"away": (1,)})
    assert decided(again)[1] == ["1 play:MAHJONG"]
    assert at.round.calls[1] is None


def test_computer_player_in_its_own_seat_may_call_and_wish() -> None:
    lead = state(
        table("LEAD B", hands={"B": "MAHJONG DRAGON SA PA"}), chairs=chairs(computers=(1,))
    )
    assert decided(lead)[1] == ["1 tichu"]


def test_passes_cards_like_a_computer_player() -> None:
    at, done = gone(state(after(dealt(), *NO_GRAND)), plain_brain(1))
    assert [text.split(":")[0] for text in done] == [f"{seat} pass-cards" for seat in range(4)]
    assert at.phase is Phase.LEAD


def test_answers_a_simultaneous_call() -> None:
    both = after(dealt(), "A grand:yes", "C grand:yes", "B grand:no", "D grand:no")
    assert view(both, 2).asked_to_withdraw
    asked = []

    def withdraw(seen: View) -> Action | None:
        asked.append(seen.seat)
        return AnswerWithdraw(2, True) if seen.asked_to_withdraw else None

    at, done = gone(state(both), withdraw)
    assert (asked[0], done[0]) == (2, "2 withdraw:yes")
    assert at.round.calls[:3:2] == (Call.GRAND, None)


def test_plays_later_turns_like_a_computer_player() -> None:
    at, _ = did(state(table("TURN B", trick="A S8")), lambda batch: batch.mark_away([1]))
    assert set(at.timers.deadlines) == {"think"}, "no turn limit and no nudge"


def test_player_of_two_hands_is_absent_with_both() -> None:
    at = state(position(TRICHU, "TURN 3", trick="2 S8"), chairs=chairs(NAMES[:3]))
    at, _ = gone(at, plain_brain(1))
    assert at.notes.away == (0,)
    assert [at.away(seat) for seat in range(4)] == [True, False, False, True]
    exchange = state(declined(begun(TRICHU)), chairs=chairs(NAMES[:3]), details={"away": (0,)})
    after_, done = decided(exchange, plain_brain(1))
    assert [text.split(":")[0] for text in done] == ["0 pass-cards", "3 pass-cards"]
    assert after_.phase is Phase.EXCHANGE


def test_passing_the_trick_ends() -> None:
    at = state(table("TURN B", trick="A S8"), details={"away": (1,), "auto_pass": (1, 2)})
    assert finished(Batch(at, NOON)).kept.auto_pass == (2,)


# --- return --------------------------------------------------------------------------------------


def test_return_is_immediate_and_restarts_their_time() -> None:
    times = {"think": LATER}
    at = state(table("TURN B", trick="A S8"), details={"away": (1, 3), "deadlines": times})
    back = mark_present(at, UserId(HOST + 1), NOON)
    assert back.notes.away == (3,)
    assert back.timers.deadlines == {
        "nudge": NOON + timedelta(seconds=30),
        "turn": NOON + timedelta(seconds=90),
    }
    assert back.revision == at.revision, "the buttons of everybody else are good"
    other = mark_present(at, UserId(HOST + 3), NOON)
    assert (other.notes.away, other.timers.deadlines) == ((1,), times)


def test_player_who_is_not_absent_cannot_return() -> None:
    at = state(table("TURN B", trick="A S8"), details={"away": (1,)})
    for user_id in (HOST, 999):
        assert mark_present(at, UserId(user_id), NOON) is at, user_id


# --- everybody absent ----------------------------------------------------------------------------


def test_deserted_table_pauses_only_between_rounds() -> None:
    everybody = {"away": (0, 1, 2, 3)}
    assert state(OVER, details=everybody).deserted
    assert pauses_now(state(OVER, details=everybody))
    assert not pauses_now(state(OVER, details={"away": (0, 1, 2)}))
    assert not pauses_now(state(table("TURN B", trick="A S8"), details=everybody))
    with_computers = state(OVER, chairs=chairs(computers=(1, 2, 3)), details={"away": (0,)})
    assert pauses_now(with_computers), "one person is everybody"
    assert not pauses_now(state(OVER, details=everybody, status="finished"))


def test_deserted_table_finishes_its_round_and_pauses() -> None:
    last = state(table("LEAD C", hands={"C": "S9"}, out="AB"), details={"away": (0, 1, 2, 3)})
    at, _ = decided(last, plain_brain(1))
    assert (at.phase, at.timers.paused) == (Phase.ROUND_END, True)
    assert at.timers.deadlines == {"abandoned": NOON + timedelta(days=PAUSED_DAYS)}


def test_one_returning_player_continues_the_table() -> None:
    waits = state(
        OVER, details={"away": (0, 1, 2, 3), "paused": True, "deadlines": {"abandoned": LATER}}
    )
    at = mark_present(waits, UserId(HOST + 2), NOON)
    assert (at.timers.paused, at.notes.away) == (False, (0, 1, 3))
    assert at.timers.deadlines == {"next_round": NOON + timedelta(seconds=5)}
    again = mark_present(at, UserId(HOST + 3), LATER)
    assert again.timers.deadlines == at.timers.deadlines


def test_opening_the_hand_does_not_end_a_requested_pause() -> None:
    paused = state(OVER, details={"away": (1,), "paused": True, "deadlines": {"abandoned": LATER}})
    at = mark_present(paused, UserId(HOST + 1), NOON)
    assert (at.timers.paused, at.notes.away) == (True, ())
    assert at.timers.deadlines == {"abandoned": LATER}


# --- one person alone ------------------------------------------------------------------------

ALONE = chairs(computers=(0, 2, 3))


def test_table_of_one_person_pauses_after_a_quarter_of_an_hour() -> None:
    at = state(table("TURN B", trick="A S8"), chairs=ALONE, details={"deadlines": {"idle": NOON}})
    paused = pause_if_idle(at, {}, NOON)
    assert paused.timers.paused
    assert paused.timers.deadlines == {"abandoned": NOON + timedelta(days=PAUSED_DAYS)}
    assert not paused.notes.away, "they are not late"
    assert questions(replace(paused, chairs=chairs(computers=(1, 2, 3)))) == ()
    assert pause_if_idle(at, {UserId(HOST + 1): NOON - IDLE}, NOON) == paused
    clicked = pause_if_idle(at, {UserId(HOST + 1): NOON - timedelta(minutes=4)}, NOON)
    assert clicked == timed(at, {"idle": NOON + timedelta(minutes=11)})
    assert pause_if_idle(at, {UserId(999): NOON}, NOON) == paused, "a spectator"
    several = timed(replace(at, chairs=chairs()), {"turn": LATER})
    assert extend_idle(several, {UserId(HOST + 1): NOON}) is several
    assert not should_store_click(several, LATER)


def test_any_click_of_one_person_continues_their_round() -> None:
    for match in (table("TURN B", trick="A S8"), table("WINDOW B", trick="A S8")):
        at = reschedule(state(match), state(match, chairs=ALONE), NOON)
        paused = reschedule(at, at.with_timers(paused=True), NOON)
        on = mark_present(paused, UserId(HOST + 1), LATER)
        assert not on.timers.paused
        assert "abandoned" not in on.timers.deadlines
        assert mark_present(on, UserId(HOST + 1), LATER) is on
        assert mark_present(paused, UserId(999), LATER) is paused


def test_one_person_alone_continues_between_rounds_only_on_request() -> None:
    at = state(OVER, chairs=ALONE)
    paused = pause(at, True, NOON)
    assert mark_present(paused, UserId(HOST + 1), LATER) is paused, "a look at the hand"
    for on in (pause(paused, False, LATER), ready(paused, UserId(HOST + 1), LATER)):
        assert (on.timers.paused, on.timers.deadlines) == (False, {"next_round": LATER})
    missed = paused.with_notes(away=(1,))
    assert not mark_present(missed, UserId(HOST + 1), LATER).timers.paused, "it waited for them"


def test_deserted_table_frees_its_channel() -> None:
    at = state(table("TURN B", trick="A S8"), chairs=ALONE)
    assert not at.yields
    assert at.with_timers(paused=True).yields
    four = state(OVER, details={"paused": True, "away": (0, 1, 2)})
    assert not four.yields, "somebody wanted it"
    assert four.with_notes(away=(0, 1, 2, 3)).yields
    assert not replace(at.with_timers(paused=True), status="stopped").yields
    assert not state().yields


# --- on a real store -------------------------------------------------------------------------


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Yield open tables without Discord."""
    opened = TableWorld(tmp_path)
    await opened.open()
    yield opened
    await opened.close()


LONG = quick("nanjing", target=5000)


async def paused(world: TableWorld, at: Game) -> Game:
    """Let time pass until the table pauses for lack of people."""
    for _ in range(2000):
        if world.game(at.id).timers.paused:
            return world.game(at.id)
        await world.run(1)
    raise AssertionError("it never waits")


async def test_absence_survives_a_restart(world: TableWorld) -> None:
    at = await world.match(people=2, options=LONG)
    await world.run(40.1)
    at = world.game(at.id)
    assert at.notes.away == (0, 1)
    await world.check_stored(at.id)
    (again,) = map(played, await world.reopen())
    assert again.notes.away == (0, 1)
    await world.tables.execute(at.id, HOST, ComeBack())
    await world.check_stored(at.id)
    (again,) = map(played, await world.reopen())
    assert again.notes.away == (1,)


async def test_deserted_table_is_idle_and_ends_after_a_week(world: TableWorld) -> None:
    at = await paused(world, await world.match(people=2, options=LONG))
    news, seq = len(world.heard.news), at.seq
    await world.run((PAUSED_DAYS - 1) * 86400)
    assert (len(world.heard.news), world.game(at.id).seq) == (news, seq)
    (at,) = map(played, await world.reopen())
    await world.run(86400)
    assert world.tables.find(at.id) is None
    record, match = await world.store.tables.get(at.id), await world.store.history.match(at.id)
    assert record is not None
    assert match is not None
    assert (record.status, match.reason, match.rounds) == ("stopped", "stopped", 1)
    assert [s.total for s in match.scores] == list(at.match.totals)
    assert len(await world.store.history.rounds(at.id)) == 1


async def test_any_accepted_command_marks_a_person_as_present(world: TableWorld) -> None:
    at = await world.match(people=4, options=LONG)
    tables = world.tables
    await world.run(40.1)
    assert world.game(at.id).notes.away == (0, 1, 2, 3)
    for _ in range(2000):
        if world.game(at.id).phase is Phase.WINDOW:
            break
        await world.run(0.05)
    await tables.execute(at.id, HOST, Shuffle("hello"))
    assert world.game(at.id).notes.away == (1, 2, 3)
    await tables.execute(at.id, UserId(HOST + 1), HoldWindow(1))
    assert world.game(at.id).notes.away == (2, 3)
    with pytest.raises(Stale):
        await act(tables, at.id, UserId(HOST + 2), Revision(0), Pass)
    assert world.game(at.id).notes.away == (2, 3), "what is refused changes nothing by itself"
    await tables.execute(at.id, UserId(HOST + 2), VoteToStop(moderator=False))
    assert world.game(at.id).notes.away == (2, 3)
    assert played(await tables.execute(at.id, UserId(HOST + 2), ComeBack())).notes.away == (3,)
    before = world.game(at.id)
    assert await tables.execute(at.id, UserId(HOST + 2), ComeBack()) is before
    with pytest.raises(Refused) as refused:
        await tables.execute(at.id, UserId(999), ComeBack())
    assert refused.value.code == "not-seated"
    await world.check_stored(at.id)


@pytest.mark.parametrize("order", ["person first", "computer first"])
async def test_person_and_computer_player_act_at_the_same_instant(
    world: TableWorld, order: str
) -> None:
    at = await world.match(people=2, options=LONG)
    tables = world.tables
    for _ in range(3000):
        at = world.game(at.id)
        mine = at.phase is Phase.TURN and at.round.turn == 0
        if 0 in at.notes.away and mine:
            break
        await world.run(0.1)
    seq, due = at.seq, at.timers.deadlines["think"]
    world.time.pretend(due)  # the time has come, but no timer has fired
    person = act(tables, at.id, HOST, at.revision, Pass)
    both = [person, tables.timers.on_timer(at.id)]
    outcomes = await asyncio.gather(
        *(both if order == "person first" else reversed(both)), return_exceptions=True
    )
    await world.quiet()
    moves = [a for a in (await world.store.tables.actions(at.id))[seq:] if a.seat == 0]
    first = moves[0].actor_id
    assert first == (HOST if order == "person first" else None)
    assert sum(isinstance(outcome, Stale) for outcome in outcomes) == (order != "person first")
    assert [move for move in moves if move.text == "pass" and move.actor_id == HOST] == (
        moves[:1] if order == "person first" else []
    )
    await world.check_stored(at.id)


async def test_returning_player_can_change_a_sealed_answer(world: TableWorld) -> None:
    """Cards passed for them can be replaced until everybody has passed cards."""
    at = await world.match(people=2, options=LONG)
    tables = world.tables
    await act(tables, at.id, HOST, at.revision, lambda seat: AnswerGrand(seat, False))
    await world.run(40.1)
    at = world.game(at.id)
    assert (at.phase, at.notes.away) == (Phase.EXCHANGE, (1,))
    gifts = next(at.match.variant.possible_gifts(at.round, 1))
    at = await act(
        tables, at.id, UserId(HOST + 1), at.revision, lambda seat: PassCards(seat, gifts)
    )
    assert at.notes.away == ()
    assert at.round.opening.given[1] == gifts
    await world.check_stored(at.id)
