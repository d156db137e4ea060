"""Automatic passes of players with nothing to play: conditions and pauses."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.ids import Revision, UserId
from bot.table.auto_pass import (
    LONGEST_PAUSE,
    MEDIAN_PAUSE,
    auto_pass_seat,
    automatic_move,
    pause,
)
from bot.table.batch import Batch
from bot.table.commands import Act, Context, PassTrick
from bot.table.deadlines import deadlines
from bot.table.state import Game, trick_id
from engine import Match, Pass, Play, read_cards
from tests.bot.asking import played
from tests.bot.batches import close_window, done, worked
from tests.bot.games import finished
from tests.bot.positions import TRICHU, position
from tests.bot.states import HOST, NOON, chairs, state
from tests.engine.positions import phase_of, table

BEN = UserId(HOST + 1)
NOTHING = {"A": "+6", "B": "J2 J3 S4", "C": "J5 J6"}
TURN = table("TURN B", trick="A SK", hands=NOTHING)


def chosen(match: Match, *seats: int, **given: object) -> Game:
    """Return a table at which these chairs have chosen automatic passes."""
    return state(match, **given).with_notes(auto_pass_always=frozenset(seats))


def test_pass_follows_after_a_pause_as_the_persons_turn() -> None:
    before = chosen(TURN, 1)
    times = deadlines(before, replace(before, revision=Revision(1)), NOON)
    assert NOON < times["auto_pass"] <= NOON + timedelta(seconds=LONGEST_PAUSE)
    batch = Batch(before, NOON)
    batch.move_automatically()
    outcome = batch.finish()
    assert phase_of(finished(batch).match) == "TURN C"
    assert [record.actor_id for record in outcome.change.actions] == [HOST + 1]


def test_pass_by_itself_is_the_same_as_a_pressed_one() -> None:
    """All that is shown, stored, counted or exported follows from the outcome."""
    before = chosen(TURN, 1)
    pressed = Act(Pass(1), before.revision).carry_out(before, BEN, Context(NOON, bytes))
    batch = Batch(before, NOON)
    batch.move_automatically()
    assert batch.finish() == pressed


def test_pass_by_itself_is_no_sign_that_the_person_is_there() -> None:
    before = chosen(TURN, 1).with_notes(away=(3,), missed={1: 2}, ready=(HOST,))
    batch = Batch(before, NOON)
    batch.move_automatically()
    after = finished(batch).notes
    assert (after.away, after.missed, after.ready) == ((3,), {1: 2}, (HOST,))


def test_person_stays_in_until_the_trick_is_gathered() -> None:
    at = chosen(TURN, 1)
    off = PassTrick(1, False, trick_id(at.round))
    stays = played(off.carry_out(at, BEN, Context(NOON, bytes)).after)
    assert (auto_pass_seat(at), auto_pass_seat(stays)) == (1, None)
    assert "auto_pass" not in stays.timers.deadlines
    assert phase_of(done(stays, "B pass").match) == "TURN C", "they can still pass"
    on = PassTrick(1, True, trick_id(at.round))
    again = played(on.carry_out(stays, BEN, Context(NOON, bytes)).after)
    assert again.kept.stays_in == ()
    gathered = worked(done(stays, "B pass", "C pass", "D pass"), close_window)
    assert gathered.kept.stays_in == ()


def test_pause_begins_when_the_bomb_window_has_closed() -> None:
    window = chosen(table("WINDOW B", trick="A SK", hands=NOTHING), 1)
    assert "auto_pass" not in deadlines(replace(window, revision=Revision(9)), window, NOON)
    assert "auto_pass" in worked(window, close_window).timers.deadlines


def test_pause_continues_when_nothing_has_changed() -> None:
    at = chosen(TURN, 1)
    times = deadlines(replace(at, revision=Revision(9)), at, NOON)
    later = deadlines(at.with_timers(deadlines=times), at, NOON + timedelta(seconds=1))
    assert later["auto_pass"] == times["auto_pass"]


def test_pause_depends_on_the_secret_of_the_deal() -> None:
    pauses = {
        pause(chosen(TURN, 1).with_deal(dealt=f"{number:064x}", sealed="")) for number in range(8)
    }
    assert len(pauses) == 8
    assert {pause(chosen(TURN, 1)) for _ in range(3)} == {pause(chosen(TURN, 1))}


def test_pauses_are_distributed_like_those_of_people() -> None:
    secrets = (f"{number:064x}" for number in range(1000))
    seconds = sorted(
        pause(chosen(TURN, 1).with_deal(dealt=secret, sealed="")).total_seconds()
        for secret in secrets
    )
    assert abs(seconds[500] - MEDIAN_PAUSE) < 0.3
    assert seconds[100] < MEDIAN_PAUSE / 1.8
    assert seconds[900] > MEDIAN_PAUSE * 1.8
    assert seconds[-1] <= LONGEST_PAUSE
    late = sum(one > LONGEST_PAUSE - 2 for one in seconds)
    assert 0 < late < 25, "few are so late, and none waits for the end"


BOMB = table("TURN B", trick="A SK,PK", hands={"B": "J4 S4 P4 T4 J2"})
LOW_BOMB = table("TURN B", trick="A SK,PK,TK,JK", hands={"B": "J4 S4 P4 T4 J2"})


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(chosen(TURN), id="not chosen"),
        pytest.param(chosen(TURN, 0, 2, 3), id="chosen by others"),
        pytest.param(chosen(table("TURN B", trick="A S8", hands={"B": "J9"}), 1), id="beats"),
        pytest.param(chosen(BOMB, 1), id="holds a bomb"),
        pytest.param(chosen(LOW_BOMB, 1), id="holds a bomb that is too low"),
        pytest.param(chosen(table("LEAD B", hands=NOTHING), 1), id="leads"),
        pytest.param(chosen(TURN, 1, details={"away": (1,)}), id="away"),
        pytest.param(chosen(TURN, 1).with_kept(stays_in=(1,)), id="stays in"),
        pytest.param(chosen(TURN, 1, chairs=chairs(computers=(1,))), id="a computer player"),
    ],
)
def test_no_automatic_pass_otherwise(at: Game) -> None:
    assert auto_pass_seat(at) is None
    assert "auto_pass" not in deadlines(replace(at, revision=Revision(9)), at, NOON)
    batch = Batch(at, NOON)
    batch.move_automatically()
    assert finished(batch).match == at.match


@pytest.mark.parametrize(
    "at, cards",
    [
        pytest.param(table("LEAD B", hands={"B": "J9"}, started="ABCD"), "J9", id="last card"),
        pytest.param(
            table("TURN B", trick="A S8", wish="9", hands={"B": "J9 J2 JJ"}, started="ABCD"),
            "J9",
            id="wish",
        ),
        pytest.param(table("LEAD B", hands={"B": "J9 S9"}), None, id="two cards"),
        pytest.param(table("LEAD B", hands={"B": "MAHJONG"}), None, id="a wish to choose"),
    ],
)
def test_only_possible_play_follows_after_a_pause(at: Match, cards: str | None) -> None:
    move = Play(1, read_cards(cards)) if cards else None
    before = chosen(at, 1)
    assert automatic_move(before) == move
    assert automatic_move(chosen(at, 0)) is None
    times = deadlines(replace(before, revision=Revision(9)), before, NOON)
    assert ("auto_pass" in times) == (move is not None)
    batch = Batch(before, NOON)
    batch.move_automatically()
    assert (finished(batch).match == at) == (move is None)


def test_dealer_of_trichu_passes_automatically_for_the_table() -> None:
    match = position(TRICHU, "TURN 3", trick="2 SK", hands={3: "S2 S3"})
    assert auto_pass_seat(chosen(match, 0)) == 3
    assert auto_pass_seat(chosen(match, 1)) is None
