"""Choices for later: pre-moves that are kept, played or dropped, and passing a whole trick."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.table.batch import Batch
from engine import Call, IllegalAction, Pass
from tests.bot.batches import NINES, WINDOW, close_window, done, worked
from tests.bot.games import finished
from tests.bot.states import NOON, chairs, state
from tests.engine.positions import hand_of, phase_of, step, table

# --- pre-moves -------------------------------------------------------------------------------


def test_premove_is_kept_and_played_when_the_window_closes() -> None:
    at = done(state(WINDOW), "B play:S9,P9")
    assert phase_of(at.match) == "WINDOW B"
    assert at.kept.premoves == {1: NINES}
    assert at.round.waived == 0, "they may still think of a bomb"
    at = worked(at, close_window)
    assert phase_of(at.match) == "WINDOW C"
    assert at.round.top_seat == 1
    assert at.kept.premoves == {}


def test_pass_lead_and_gift_can_be_premoves() -> None:
    at = worked(done(state(WINDOW), "B pass"), close_window)
    assert phase_of(at.match) == "TURN C"
    closing = table("CLOSING A", trick="A S8 | B pass | C pass | D pass", hands={"A": "S9 +5"})
    at = worked(done(state(closing), "A play:S9"), close_window)
    assert phase_of(at.match) == "WINDOW B"
    dragon = table("CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "+5"})
    at = worked(done(state(dragon), "A give:B"), close_window)
    assert phase_of(at.match) == "LEAD A"
    assert at.round.past[-1].given_to == 1


def test_premove_can_be_changed_and_taken_back() -> None:
    at = done(state(WINDOW), "B play:S9,P9", "B pass")
    assert at.kept.premoves == {1: Pass(1)}
    back = worked(at, lambda batch: batch.take_back(1))
    assert back.kept.premoves == {}
    assert phase_of(worked(back, close_window).match) == "TURN B"


@pytest.mark.parametrize(
    "early, code", [("B play:S9", "does-not-beat"), ("B give:A", "no-gift-due")]
)
def test_illegal_premove_is_not_kept(early: str, code: str) -> None:
    batch = Batch(state(WINDOW), NOON)
    with pytest.raises(IllegalAction) as refused:
        batch.take(step(WINDOW, early))
    assert refused.value.code == code
    assert finished(batch).kept.premoves == {}


def test_only_the_next_player_may_premove() -> None:
    with pytest.raises(IllegalAction) as refused:
        done(state(WINDOW), "D play:J5,S5")
    assert refused.value.code == "window-open"


def test_bomb_drops_premoves_with_a_notice() -> None:
    at = done(state(WINDOW), "B play:S9,P9", "C bomb:S4,P4,J4,T4")
    assert at.kept.premoves == {1: NINES}, "a sealed bomb shows in nothing"
    at = worked(at, close_window)
    assert at.round.top_seat == 2
    assert (at.kept.premoves, at.kept.dropped) == ({}, (1,))
    assert hand_of(at.match, "B").count(" ") == 6
    at = worked(at, close_window)
    assert at.kept.dropped == (1,)
    at = done(at, "D pass", "A pass", "B pass")
    assert at.kept.dropped == (), "who has acted needs no more telling"


def test_tichu_call_in_the_window_keeps_premoves() -> None:
    fresh = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5"})
    at = done(state(fresh), "B play:S9,P9", "B tichu")
    assert at.round.calls[1] is Call.TICHU
    assert at.kept.premoves == {1: NINES}
    assert worked(at, close_window).round.top_seat == 1


def test_computer_player_that_takes_over_ignores_the_premove() -> None:
    at = done(state(WINDOW), "B play:S9,P9")
    taken = state(at.match, chairs=chairs(computers=(1,)), kept=at.kept)

    def hand_over(batch: Batch) -> None:
        batch.take_back(1)
        batch.catch_up()

    assert worked(taken, hand_over).kept.premoves == {}


# --- pass this trick -------------------------------------------------------------------------

HANDS = {"A": "S10 J10 +4", "B": "S9 +4", "C": "SQ +3", "D": "SK +3"}


def on(seat: int) -> Callable[[Batch], object]:
    return lambda batch: batch.pass_this_trick(seat, True)


def test_passing_the_trick_lasts_until_it_is_gathered() -> None:
    at = worked(state(table("TURN B", trick="A S8", hands=HANDS)), on(1))
    assert phase_of(at.match) == "TURN C"
    assert at.kept.auto_pass == (1,)
    at = done(at, "C play:SQ", "clock close", "D pass", "A pass")
    assert phase_of(at.match) == "CLOSING C"
    at = worked(at, close_window)
    assert (phase_of(at.match), at.kept.auto_pass) == ("LEAD C", ())


def test_passing_the_trick_begins_at_the_own_turn_and_can_be_ended() -> None:
    at = worked(state(table("TURN B", trick="A S8", hands=HANDS)), on(2))
    assert phase_of(at.match) == "TURN B"
    off = worked(at, lambda batch: batch.pass_this_trick(2, False))
    assert phase_of(done(off, "B pass").match) == "TURN C"
    assert phase_of(done(at, "B pass").match) == "TURN D"


def test_does_not_pass_a_wish_that_must_be_fulfilled() -> None:
    hands = {"B": "S9 P3 +3"}
    wished = table("TURN B", trick="A MAHJONG wish=9", wish="9", hands=hands)
    at = worked(state(wished), on(1))
    assert phase_of(at.match) == "TURN B"


def test_dragon_gift_ends_passing_the_trick() -> None:
    closing = table(
        "CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "S3 +5", "B": "S9 +5"}
    )
    at = state(closing, details={"auto_pass": (1,)})
    at = done(worked(at, close_window), "A give:B")
    assert (phase_of(at.match), at.kept.auto_pass) == ("LEAD A", ())
    at = done(at, "A play:S3", "clock close")
    assert phase_of(at.match) == "TURN B"


def test_dog_ends_passing_the_trick() -> None:
    lead = table("LEAD A", hands={"A": "DOG +5"})
    assert done(state(lead, details={"auto_pass": (1,)}), "A play:DOG").kept.auto_pass == ()
