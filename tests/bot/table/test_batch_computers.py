"""Batches with decisions of computer players, and of those made for absent people."""

from __future__ import annotations

import pytest

from bot.computers.decision_scheduler import DecisionScheduler
from bot.table.batch import Batch
from engine import (
    MAHJONGS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    Call,
    CallTichu,
    GiveTrick,
    Pass,
    PassCards,
    Phase,
    Play,
    View,
    Waive,
    bits,
)
from tests.bot.batches import BOMB, WINDOW, begun, done, texts_of, worked
from tests.bot.games import any_manner, finished, thought
from tests.bot.states import NOON, chairs, state
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, phase_of, table


def nothing(seen: View) -> Action | None:
    """Fail, because this computer player must not be asked."""
    raise AssertionError(f"seat {seen.seat} was asked in {seen.phase}")


def plain(seen: View) -> Action | None:
    """Decline, pass the lowest cards, waive, pass, or play the lowest card."""
    assert seen.seat is not None
    if seen.phase is Phase.EXCHANGE:
        cards = zip(
            sorted(gift.receiver for gift in seen.gifts), bits(seen.hand.cards), strict=False
        )
        return PassCards(seen.seat, tuple(cards)) if seen.given is None else None
    modest: list[Action] = [AnswerGrand(seen.seat, False), AnswerWithdraw(seen.seat, False)]
    modest += [Waive(seen.seat), Pass(seen.seat)]
    return next((action for action in modest if action in seen.actions), None) or next(
        (action for action in seen.actions if isinstance(action, Play)), None
    )


def test_computer_players_answer_sealed_questions_all_at_once() -> None:
    at = finished(begun(computers=(1, 3)))
    assert at.round.opening.answers == (None,) * 4, "nobody has thought yet"
    at = worked(at, thought(plain))
    assert at.round.opening.answers == (None, False, None, False)
    at = worked(done(at, "A grand:no", "C grand:yes"), thought(plain))
    given = at.round.opening.given
    assert [gifts is not None for gifts in given] == [False, True, False, True]


def test_computer_players_pass_cards_again_when_a_call_reopens_the_exchange() -> None:
    at = state(after(dealt(), *NO_GRAND), chairs=chairs(computers=(1, 3)))
    at = worked(at, thought(plain))
    before = at.round.opening.given
    at = done(at, "A tichu")
    assert at.round.opening.given == (None,) * 4
    at = worked(at, thought(plain))
    assert at.round.calls[0] is Call.TICHU
    assert at.round.opening.given == before


def test_computer_players_answer_whether_they_withdraw() -> None:
    match = after(dealt(), "A grand:yes", "B grand:no", "D grand:no")
    at = done(state(match, chairs=chairs(computers=(0, 1))), "C grand:yes")
    assert at.round.asked == 0b100
    assert worked(at, thought(nothing)) == at, "only C is asked, who is a person"
    at = state(at.match, chairs=chairs(computers=(1, 2)))
    at = worked(at, thought(plain))
    assert at.round.asked == 0
    assert [bool(call) for call in at.round.calls] == [True, False, True, False]


def bomber(seen: View) -> Action | None:
    bombs = [action for action in seen.actions if isinstance(action, Bomb)]
    return bombs[0] if bombs else plain(seen)


def test_in_a_window_computer_players_only_bomb_when_it_closes() -> None:
    turn = table("TURN B", trick="A S8", hands={"B": "S9 +4", "C": f"{BOMB} +3", "D": "+5"})
    at = done(state(turn, chairs=chairs(computers=(2, 3))), "B play:S9")
    assert texts_of(at, thought(bomber, "bomb"))[0] == "2 bomb:J4,S4,P4,T4"
    at = worked(at, thought(bomber, "bomb"))
    assert at.round.top_seat == 2
    assert phase_of(at.match) == "WINDOW D", "its own window is open: it was not closed too"


def test_window_without_a_bomb_is_closed() -> None:
    turn = table("TURN B", trick="A S8", hands={"B": "S9 +4", "C": f"{BOMB} +3", "D": "+5"})
    at = done(state(turn, chairs=chairs(computers=(2, 3))), "B play:S9")
    assert texts_of(at, thought(plain, "bomb")) == ["-1 close"]


def test_one_of_several_simultaneous_bombs_counts() -> None:
    hands = {"A": f"{BOMB} +3", "B": "J5 S5 T5 P5 +2", "C": "J6 S6 T6 P6 +2", "D": "S9 +4"}
    turn = table("TURN D", trick="C S8", hands=hands)
    at = done(state(turn, chairs=chairs(computers=(0, 1, 2))), "D play:S9")
    found = [text.split(":")[0] for text in texts_of(at, thought(bomber, "bomb"))]
    assert found == ["0 bomb", "1 bomb", "2 bomb", "-1 close"]
    at = worked(at, thought(bomber, "bomb"))
    assert phase_of(at.match).startswith("WINDOW"), "that of the bomb that fell"


def test_computer_player_moves_only_after_thinking() -> None:
    turn = state(table("TURN B", trick="A S8", hands={"B": "S9 +2"}), chairs=chairs(computers=(1,)))
    assert worked(turn, Batch.catch_up).match == turn.match
    assert texts_of(turn, thought(plain)) == ["1 pass"]
    person = state(turn.match)
    assert texts_of(person, thought(plain)) == []


def test_outdated_decision_is_not_carried_out() -> None:
    exchange = state(after(dealt(), *NO_GRAND), chairs=chairs(computers=(0, 1, 2, 3)))

    def caller(seen: View) -> Action | None:
        return CallTichu(1) if seen.seat == 1 else plain(seen)

    assert texts_of(exchange, thought(caller))[1:] == ["1 tichu"], "2 and 3 think again"
    answers = DecisionScheduler(lambda: NOON, any_manner(plain)).decisions(exchange, ("answer",))
    changed = done(exchange, "C tichu")
    assert texts_of(changed, lambda batch: batch.carry_out(answers)) == []


def test_a_computer_player_sees_only_its_own_view() -> None:
    seen: list[View] = []

    def spy(view: View) -> Action | None:
        seen.append(view)
        return plain(view)

    at = finished(begun(computers=(1, 2, 3)))
    worked(done(worked(at, thought(spy)), "A grand:no"), thought(spy))
    assert [view.seat for view in seen] == [1, 2, 3, 1, 2, 3]
    assert all([seat for seat, _ in view.hands] == [view.seat] for view in seen)


def fails(seen: View) -> Action | None:
    raise ValueError(f"{seen.hand} is too much")


def test_failing_computer_player_does_not_stop_the_table_or_leak_cards(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turn = state(table("TURN B", trick="A S8"), chairs=chairs(computers=(1,)))
    after_ = worked(turn, thought(fails))
    assert after_.seq > turn.seq
    assert "computer player failed: ValueError in test_batch_computers.py" in caplog.text
    assert "Hand" not in caplog.text


@pytest.mark.parametrize("wrong", [Pass(2), AnswerGrand(1, True), GiveTrick(1, 0), None])
def test_illegal_action_is_replaced_by_a_modest_one(
    wrong: Action | None, caplog: pytest.LogCaptureFixture
) -> None:
    turn = state(table("TURN B", trick="A S8"), chairs=chairs(computers=(1,)))

    def chooses(seen: View) -> Action | None:
        return wrong

    found = texts_of(turn, thought(chooses))
    assert len(found) == 1
    assert found[0].startswith("1 ")
    assert ("chose an illegal action" in caplog.text) == (wrong is not None)


def test_failing_computer_player_makes_no_call() -> None:
    exchange = state(after(dealt(), *NO_GRAND), chairs=chairs(computers=(1,)))
    window = state(WINDOW, chairs=chairs(computers=(3,)))
    for at, work in (
        (exchange, thought(fails)),
        (exchange, thought(fails, absent=True)),
        (window, thought(fails, "bomb")),
        (state(table("LEAD B", hands={"B": "+14"})), thought(fails, absent=True)),
    ):
        after_ = worked(at, work)
        assert after_.seq > at.seq
        assert not any(after_.round.calls)
    for absent in (False, True):
        asked = state(dealt(), chairs=chairs(computers=() if absent else (1, 2, 3)))
        answers = worked(asked, thought(fails, absent=absent)).round.opening.answers
        assert answers == (False if absent else None, False, False, False)


def test_computer_player_acts_for_absent_people() -> None:
    absent = thought(plain, absent=True)
    assert texts_of(state(table("TURN B", trick="A S8")), absent) == ["1 pass"]
    asked = [f"{seat} grand:no" for seat in range(4)]
    assert texts_of(state(dealt()), absent) == asked
    half = state(after(dealt(), "B grand:no"), chairs=chairs(computers=(3,)))
    assert texts_of(half, absent) == ["0 grand:no", "2 grand:no"]


def test_no_calls_and_wishes_for_absent_people() -> None:
    def eager(seen: View) -> Action | None:
        if seen.phase is Phase.GRAND:
            return AnswerGrand(0, True)
        calls = [action for action in seen.actions if isinstance(action, CallTichu)]
        return calls[0] if calls else Play(0, MAHJONGS & -MAHJONGS, wish=8)

    absent = thought(eager, absent=True)
    assert texts_of(state(dealt()), absent)[0] == "0 grand:no"
    lead = state(table("LEAD A", hands={"A": "MAHJONG +13"}))
    assert texts_of(lead, absent) == ["0 play:MAHJONG"]
