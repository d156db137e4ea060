"""A batch of actions: computer players react at once, pre-moves are kept, laid and dropped,
stamps change only with the table, and calls within a second are at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.course import Course, close_window, play_for_absent, play_for_computer
from bot.replay import step as replayed
from bot.storage import Change
from bot.table import TableState
from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    Pass,
    PassCards,
    Play,
    Waive,
)
from engine.cards import bits
from engine.errors import IllegalAction
from engine.match import new_match
from engine.state import Call, Match, Phase
from engine.view import View
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, hand_of, phase_of, round_of, step, table

BOMB = "S4 P4 J4 T4"


def nothing(seen: View) -> Action | None:
    """A computer player that must not be asked."""
    raise AssertionError(f"seat {seen.seat} was asked in {seen.phase}")


def plain(seen: View) -> Action | None:
    """A computer player that says no, gives its lowest cards, waives, passes, plays the lowest."""
    assert seen.seat is not None
    if seen.phase is Phase.EXCHANGE:
        cards = zip(sorted(gift.to for gift in seen.gifts), bits(seen.hand.cards), strict=False)
        return PassCards(seen.seat, tuple(cards)) if seen.given is None else None
    modest: list[Action] = [AnswerGrand(seen.seat, False), AnswerWithdraw(seen.seat, False)]
    modest += [Waive(seen.seat), Pass(seen.seat)]
    return next((action for action in modest if action in seen.actions), None) or next(
        (action for action in seen.actions if isinstance(action, Play)), None
    )


def course(at: TableState, now: datetime = NOON, brain: Any = nothing) -> Course:
    return Course(at, now, brain)


def done(at: TableState, *steps: str, now: float = 0, brain: Any = nothing) -> TableState:
    """The table after these steps of people or the clock, one batch for each."""
    for text in steps:
        batch = course(at, NOON + timedelta(seconds=now), brain)
        assert at.match is not None
        batch.take(step(at.match, text), HOST)
        at, _ = batch.finish()
    return at


def finished(at: TableState, work: Callable[[Course], object], brain: Any = nothing) -> TableState:
    batch = course(at, brain=brain)
    work(batch)
    return batch.finish()[0]


def texts(change: Change) -> list[str]:
    return [f"{action.seat} {action.text}" for action in change.actions]


def match_of(at: TableState) -> Match:
    assert at.match is not None
    return at.match


# --- what is stored --------------------------------------------------------------------------


def test_a_batch_is_numbered_and_replays_to_the_state_it_ends_in() -> None:
    at = state(None, status="playing", seq=0, chairs=chairs(computers=(1, 2, 3)))
    batch = course(at, brain=plain)
    batch.start(2, range(56))
    batch.take(step(batch.match, "A grand:no"), HOST)
    after_, change = batch.finish()
    assert [action.seq for action in change.actions] == list(range(1, len(change.actions) + 1))
    assert change.expected_seq == 0
    assert after_.seq == len(change.actions)
    found: Match | None = None
    for action in change.actions:
        found, _ = replayed(found, at.options.rules(), action.seat, action.text)
        assert action.round in (0, 1)
        assert action.at == NOON
    assert found == after_.match
    assert texts(change)[:2] == ["-1 start:2", "-1 deal:" + change.actions[1].text[5:]]
    assert [a.actor_id for a in change.actions if a.seat == 0] == [HOST]


def test_a_refused_action_leaves_the_batch_as_it_was() -> None:
    batch = course(state(table("TURN B", trick="A S8")))
    with pytest.raises(IllegalAction):
        batch.take(Pass(2))
    assert texts(batch.finish()[1]) == []


# --- computer players ------------------------------------------------------------------------


def test_computer_players_answer_sealed_questions_at_once() -> None:
    at = finished(state(chairs=chairs(computers=(1, 3))), _start, plain)
    assert round_of(match_of(at)).opening.answers == (None, False, None, False)
    at = done(at, "A grand:no", "C grand:yes", brain=plain)
    given = round_of(match_of(at)).opening.given
    assert [gifts is not None for gifts in given] == [False, True, False, True]


def _start(batch: Course) -> None:
    batch.start(0, range(56))


def test_computer_players_pass_cards_again_when_a_call_reopens_the_exchange() -> None:
    at = state(after(dealt(), *NO_GRAND), chairs=chairs(computers=(1, 3)))
    at = finished(at, Course.catch_up, plain)
    before = round_of(match_of(at)).opening.given
    at = done(at, "A tichu", brain=plain)
    assert round_of(match_of(at)).calls[0] is Call.TICHU
    assert round_of(match_of(at)).opening.given == before


def test_computer_players_answer_whether_they_withdraw() -> None:
    match = after(dealt(), "A grand:yes", "B grand:no", "D grand:no")
    at = state(match, chairs=chairs(computers=(0, 1, 3)))
    at = done(at, "C grand:yes", brain=plain)
    assert [call.name if call else "" for call in round_of(match_of(at)).calls] == [
        "GRAND",
        "",
        "GRAND",
        "",
    ]
    at = state(match, chairs=chairs(computers=(0, 1)))
    assert round_of(match_of(done(at, "C grand:yes", brain=plain))).asked == 0b100


def test_in_a_window_computer_players_tell_nothing_but_by_a_sealed_bomb() -> None:
    def bomber(seen: View) -> Action | None:
        bombs = [action for action in seen.actions if isinstance(action, Bomb)]
        return bombs[0] if bombs else plain(seen)

    turn = table("TURN B", trick="A S8", hands={"B": "S9 +4", "C": f"{BOMB} +3", "D": "+5"})
    at = done(state(turn, chairs=chairs(computers=(2, 3))), "B play:S9", brain=bomber)
    assert phase_of(match_of(at)) == "WINDOW C"
    assert [seat for seat, _ in round_of(match_of(at)).submitted] == [2]
    assert round_of(match_of(at)).waived == 0, "a window that closed early would tell of no bomb"
    at = finished(at, close_window, bomber)
    assert round_of(match_of(at)).top_seat == 2


def test_a_window_among_computer_players_closes_at_once() -> None:
    turn = table("TURN B", trick="A S8", hands={"A": "+3", "B": "S9 +2", "C": "+7", "D": "+7"})
    at = done(state(turn, chairs=chairs(computers=(2, 3))), "B play:S9", brain=plain)
    assert phase_of(match_of(at)) == "WINDOW C", "people still hold cards"
    at = done(state(turn, chairs=chairs(computers=(0, 1, 2, 3))), "B play:S9", brain=plain)
    assert phase_of(match_of(at)) == "TURN C"


def test_a_computer_player_moves_only_when_it_has_thought() -> None:
    turn = state(table("TURN B", trick="A S8", hands={"B": "S9 +2"}), chairs=chairs(computers=(1,)))
    assert finished(turn, Course.catch_up).match == turn.match
    assert texts_of(turn, play_for_computer) == ["1 pass"]
    person = state(turn.match)
    assert texts_of(person, play_for_computer) == []


def texts_of(at: TableState, work: Callable[[Course], object]) -> list[str]:
    batch = course(at, brain=plain)
    work(batch)
    return texts(batch.finish()[1])


def test_a_computer_player_sees_only_its_own_view() -> None:
    seen: list[View] = []

    def spy(view: View) -> Action | None:
        seen.append(view)
        return plain(view)

    finished(state(chairs=chairs(computers=(1, 2, 3))), _start, spy)
    assert {view.seat for view in seen} == {1, 2, 3}
    assert all([seat for seat, _ in view.hands] == [view.seat] for view in seen)


def test_a_computer_player_that_fails_does_not_stop_the_table(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turn = state(table("TURN B", trick="A S8"), chairs=chairs(computers=(1,)))
    after_ = finished(turn, play_for_computer, nothing)
    assert after_.seq > turn.seq
    assert "a computer player failed" in caplog.text


def test_a_computer_player_that_fails_bets_nothing(caplog: pytest.LogCaptureFixture) -> None:
    exchange = state(after(dealt(), *NO_GRAND), chairs=chairs(computers=(1,)))
    window = state(WINDOW, chairs=chairs(computers=(3,)))
    for at, work in (
        (exchange, Course.catch_up),
        (exchange, play_for_absent),
        (window, Course.catch_up),
        (state(table("LEAD B", hands={"B": "+14"})), play_for_absent),
    ):
        match = match_of(finished(at, work, nothing))
        assert not any(round_of(match).calls)
    assert "a computer player failed" in caplog.text


def test_for_the_absent_a_computer_player_acts() -> None:
    assert texts_of(state(table("TURN B", trick="A S8")), play_for_absent) == ["1 pass"]
    asked = [f"{seat} grand:no" for seat in range(4)]
    texts = texts_of(state(dealt()), play_for_absent)
    assert texts[:4] == asked
    assert [text.split(":")[0] for text in texts[4:]] == [f"{n} pass-cards" for n in range(4)]
    half = state(after(dealt(), "B grand:no"), chairs=chairs(computers=(3,)))
    answers = [f"{seat} grand:no" for seat in (0, 2, 3)]
    assert texts_of(half, play_for_absent)[:3] == answers


# --- pre-moves -------------------------------------------------------------------------------

WINDOW = table(
    "WINDOW B",
    trick="A S8,P8",
    hands={"A": "+5", "B": "S9 P9 +5", "C": f"{BOMB} +3", "D": "J5 S5 T5 P5 +2"},
)


def test_what_the_next_player_chooses_is_kept_and_laid_when_the_window_closes() -> None:
    at = done(state(WINDOW), "B play:S9,P9")
    assert phase_of(match_of(at)) == "WINDOW B"
    assert at.desk.premoves == {1: "play:S9,P9"}
    assert round_of(match_of(at)).waived == 0, "he may still think of a bomb"
    at = finished(at, close_window)
    assert phase_of(match_of(at)) == "WINDOW C"
    assert round_of(match_of(at)).top_seat == 1
    assert at.desk.premoves == {}


def test_a_pass_a_lead_and_a_gift_are_kept_too() -> None:
    at = finished(done(state(WINDOW), "B pass"), close_window)
    assert phase_of(match_of(at)) == "TURN C"
    closing = table("CLOSING A", trick="A S8 | B pass | C pass | D pass", hands={"A": "S9 +5"})
    at = finished(done(state(closing), "A play:S9"), close_window)
    assert phase_of(match_of(at)) == "WINDOW B"
    dragon = table("CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "+5"})
    at = finished(done(state(dragon), "A give:B"), close_window)
    assert phase_of(match_of(at)) == "LEAD A"
    assert round_of(match_of(at)).past[-1].given_to == 1


def test_a_kept_choice_can_be_changed_and_taken_back() -> None:
    at = done(state(WINDOW), "B play:S9,P9", "B pass")
    assert at.desk.premoves == {1: "pass"}
    back = finished(at, lambda batch: batch.take_back(1))
    assert back.desk.premoves == {}
    assert phase_of(match_of(finished(back, close_window))) == "TURN B"


@pytest.mark.parametrize(
    "early, code", [("B play:S9", "does-not-beat"), ("B give:A", "no-gift-due")]
)
def test_what_could_not_be_laid_is_not_kept(early: str, code: str) -> None:
    batch = course(state(WINDOW))
    with pytest.raises(IllegalAction) as refused:
        batch.take(step(WINDOW, early))
    assert refused.value.code == code
    assert batch.finish()[0].desk.premoves == {}


def test_only_the_next_player_may_choose_early() -> None:
    with pytest.raises(IllegalAction) as refused:
        done(state(WINDOW), "D play:J5,S5")
    assert refused.value.code == "window-open"


def test_a_bomb_drops_what_was_kept_with_a_word() -> None:
    at = done(state(WINDOW), "B play:S9,P9", "C bomb:S4,P4,J4,T4")
    assert at.desk.premoves == {1: "play:S9,P9"}, "a sealed bomb shows in nothing"
    at = finished(at, close_window)
    assert round_of(match_of(at)).top_seat == 2
    assert (at.desk.premoves, at.desk.dropped) == ({}, (1,))
    assert hand_of(match_of(at), "B").count(" ") == 6
    at = finished(at, close_window)
    assert at.desk.dropped == (1,)
    at = done(at, "D pass", "A pass", "B pass")
    assert at.desk.dropped == (), "who has acted needs no more telling"


def test_a_tichu_call_in_the_window_keeps_what_was_chosen() -> None:
    fresh = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5"})
    at = done(state(fresh), "B play:S9,P9", "B tichu")
    assert round_of(match_of(at)).calls[1] is Call.TICHU
    assert at.desk.premoves == {1: "play:S9,P9"}
    assert round_of(match_of(finished(at, close_window))).top_seat == 1


def test_a_computer_player_that_takes_the_seat_over_chooses_for_itself() -> None:
    at = done(state(WINDOW), "B play:S9,P9")
    taken = state(at.match, chairs=chairs(computers=(1,)), desk=at.desk)

    def hand_over(batch: Course) -> None:
        batch.take_back(1)
        batch.catch_up()

    assert finished(taken, hand_over, plain).desk.premoves == {}


# --- pass this trick -------------------------------------------------------------------------

HANDS = {"A": "S10 J10 +4", "B": "S9 +4", "C": "SQ +3", "D": "SK +3"}


def on(seat: int) -> Callable[[Course], object]:
    return lambda batch: batch.pass_this_trick(seat, True)


def test_who_passes_the_trick_passes_whenever_asked_until_it_is_gathered() -> None:
    at = finished(state(table("TURN B", trick="A S8", hands=HANDS)), on(1))
    assert phase_of(match_of(at)) == "TURN C"
    assert at.desk.auto_pass == (1,)
    at = done(at, "C play:SQ", "clock close", "D pass", "A pass")
    assert phase_of(match_of(at)) == "CLOSING C"
    at = finished(at, close_window)
    assert (phase_of(match_of(at)), at.desk.auto_pass) == ("LEAD C", ())


def test_passing_the_trick_begins_at_ones_turn_and_can_be_ended() -> None:
    at = finished(state(table("TURN B", trick="A S8", hands=HANDS)), on(2))
    assert phase_of(match_of(at)) == "TURN B"
    off = finished(at, lambda batch: batch.pass_this_trick(2, False))
    assert phase_of(match_of(done(off, "B pass"))) == "TURN C"
    assert phase_of(match_of(done(at, "B pass"))) == "TURN D"


def test_a_wish_that_must_be_fulfilled_is_not_passed() -> None:
    hands = {"B": "S9 P3 +3"}
    wished = table("TURN B", trick="A MAHJONG wish=9", wish="9", hands=hands)
    at = finished(state(wished), on(1))
    assert phase_of(match_of(at)) == "TURN B"


def test_a_dragon_given_away_ends_the_passing_as_well() -> None:
    closing = table(
        "CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "S3 +5", "B": "S9 +5"}
    )
    at = state(closing, desk={"auto_pass": (1,)})
    at = done(finished(at, close_window), "A give:B")
    assert (phase_of(match_of(at)), at.desk.auto_pass) == ("LEAD A", ())
    at = done(at, "A play:S3", "clock close")
    assert phase_of(match_of(at)) == "TURN B"


def test_the_dog_ends_the_passing() -> None:
    lead = table("LEAD A", hands={"A": "DOG +5"})
    assert done(state(lead, desk={"auto_pass": (1,)}), "A play:DOG").desk.auto_pass == ()


# --- stamps ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "match, steps",
    [
        (dealt(), ["A grand:no", "B grand:yes"]),
        (after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND), ["A pass-cards:J2>1,J3>2,J4>3"]),
        (WINDOW, ["B play:S9,P9"]),
        (WINDOW, ["C bomb:S4,P4,J4,T4"]),
        (WINDOW, ["A waive", "C waive"]),
        (WINDOW, ["clock close"]),
        (table("CLOSING A", trick="A S8 | B pass | C pass | D pass"), ["clock close"]),
        (table("TURN B", trick="A S8"), ["D tichu"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_buttons_stay_valid_while_they_mean_the_same(match: Match, steps: list[str]) -> None:
    at = state(match, seq=40, desk={"stamp": 33})
    assert done(at, *steps).stamp == 33


@pytest.mark.parametrize(
    "match, text",
    [
        (after(dealt(), *NO_GRAND[:3]), "D grand:no"),
        (table("TURN B", trick="A S8"), "B pass"),
        (table("TURN B", trick="A S8", hands={"B": "S9 +3"}), "B play:S9"),
        (table("TURN B", trick="A S8", hands={"C": f"{BOMB} +2"}), "C bomb:S4,P4,J4,T4"),
        (table("GIFT A", trick="A DRAGON | B pass | C pass | D pass"), "A give:B"),
    ],
)
def test_a_changed_table_makes_buttons_stale(match: Match, text: str) -> None:
    at = done(state(match, seq=40, desk={"stamp": 33}), text)
    assert at.stamp == at.seq >= 41


def test_a_call_that_reopens_the_exchange_makes_buttons_stale() -> None:
    exchange = after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND)
    at = done(state(exchange, seq=6), "A pass-cards:J2>1,J3>2,J4>3")
    assert at.stamp == 0
    assert done(at, "B tichu").stamp == 8


# --- calls at the same time ------------------------------------------------------------------


@pytest.mark.parametrize("seconds, asked", [(0, 0b100), (1.0, 0b100), (1.001, 0), (30, 0)])
def test_partners_who_call_within_a_second_called_at_the_same_time(
    seconds: float, asked: int
) -> None:
    at = done(state(table("TURN B", trick="D S8")), "A tichu")
    assert at.desk.called_at == {0: NOON}
    at = done(at, "C tichu", now=seconds)
    assert round_of(match_of(at)).asked == asked
    assert round_of(match_of(at)).calls[2] is Call.TICHU


def test_opponents_who_call_at_once_are_asked_nothing() -> None:
    at = done(state(table("TURN D", trick="C S8")), "A tichu", "B tichu")
    assert round_of(match_of(at)).asked == 0
    at = done(at, "D tichu")
    assert round_of(match_of(at)).asked == 0b1000, "B and D are partners"
    assert done(at, "D withdraw:yes").match is not None


def test_a_call_of_the_round_before_is_forgotten() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    at = state(over, desk={"called_at": {0: NOON}, "waits": {1: 2}})
    at = finished(at, lambda batch: batch.deal(range(56)))
    assert (at.desk.called_at, at.desk.waits) == ({}, {})


def test_a_grand_tichu_just_opened_is_no_call_at_the_same_time() -> None:
    at = done(state(dealt()), "A grand:yes", *NO_GRAND[1:])
    at = done(at, "C tichu")
    assert round_of(match_of(at)).asked == 0


def test_a_call_is_written_as_it_was_judged() -> None:
    at = done(state(table("TURN B", trick="D S8")), "A tichu")
    batch = course(at)
    batch.take(CallTichu(2), HOST)
    assert texts(batch.finish()[1]) == ["2 tichu:same"]


# --- ends ------------------------------------------------------------------------------------


def test_the_end_of_a_round_is_stored_with_the_last_play() -> None:
    last = table("LEAD C", hands={"C": "S9"}, out="AB")
    batch = course(state(last))
    batch.take(step(last, "C play:S9"))
    at, change = batch.finish()
    assert change.round is not None
    assert (change.round.number, change.match, at.status) == (1, None, "playing")
    assert set(at.desk.deadlines) == {"next_round"}


def test_the_end_of_a_match_is_stored_with_the_last_play() -> None:
    last = table("LEAD C", hands={"C": "S9"}, out="A", totals="900 0", options={"target": 1000})
    batch = course(state(last))
    batch.take(step(last, "C play:S9"))
    at, change = batch.finish()
    assert (at.status, change.status, change.ended_at) == ("finished", "finished", NOON)
    assert change.match is not None
    assert change.match.reason == "finished"
    assert at.desk.deadlines == {}


def test_the_next_deal_goes_on_with_the_same_match() -> None:
    match = new_match(state().options.rules(), 1)
    at = state(match, chairs=chairs(computers=(1, 2, 3)))
    at = finished(at, lambda batch: batch.deal(range(56)), plain)
    assert phase_of(match_of(at)) == "GRAND"
    assert round_of(match_of(at)).dealer == 1
