"""A batch of actions.

What computer players decided is done, pre-moves are kept, laid and dropped, revisions change only
with the table, and calls within a second are at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import timedelta

import pytest

from bot.computers.thinking import Thinking
from bot.table.action_log import step as replayed
from bot.table.batch import Batch
from bot.table.state import Game
from engine import (
    MAHJONGS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    Call,
    CallTichu,
    GiveTrick,
    IllegalAction,
    Match,
    Pass,
    PassCards,
    Phase,
    Play,
    View,
    Waive,
    bits,
)
from tests.bot.games import did, ended, finished, texts, thought
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, hand_of, phase_of, step, table

BOMB = "S4 P4 J4 T4"


def nothing(seen: View) -> Action | None:
    """A computer player that must not be asked."""
    raise AssertionError(f"seat {seen.seat} was asked in {seen.phase}")


def plain(seen: View) -> Action | None:
    """A computer player that says no, gives its lowest cards, waives, passes, plays the lowest."""
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


def done(at: Game, *steps: str, now: float = 0) -> Game:
    """The table after these steps of people or the clock, one batch for each."""
    for text in steps:
        batch = Batch(at, NOON + timedelta(seconds=now))
        batch.take(step(at.match, text), HOST)
        at = finished(batch)
    return at


def worked(at: Game, work: Callable[[Batch], object]) -> Game:
    return did(at, work)[0]


def texts_of(at: Game, work: Callable[[Batch], object]) -> list[str]:
    return did(at, work)[1]


def begun(computers: Collection[int]) -> Batch:
    """The batch that starts a match of people and computer players: seat 2 deals first."""
    lobby = state(chairs=chairs(computers=computers))
    return Batch.start(lobby, NOON, 2, range(56), {})


def close_window(batch: Batch) -> None:
    batch.close_window({})


# --- what is stored --------------------------------------------------------------------------


def test_a_batch_is_numbered_and_replays_to_the_state_it_ends_in() -> None:
    batch = begun(computers=(1, 2, 3))
    batch.take(step(batch.match, "A grand:no"), HOST)
    after_, change = ended(batch)
    assert [action.seq for action in change.actions] == list(range(1, len(change.actions) + 1))
    assert change.expected_seq == 0
    assert after_.seq == len(change.actions)
    found: Match | None = None
    for action in change.actions:
        found, _ = replayed(found, after_.options.rules, action.seat, action.text)
        assert action.round in (0, 1)
        assert action.at == NOON
    assert found == after_.match
    assert texts(change)[:2] == ["-1 start:2", "-1 deal:" + change.actions[1].text[5:]]
    assert [a.actor_id for a in change.actions if a.seat == 0] == [HOST]


def test_a_refused_action_leaves_the_batch_as_it_was() -> None:
    batch = Batch(state(table("TURN B", trick="A S8")), NOON)
    with pytest.raises(IllegalAction):
        batch.take(Pass(2))
    assert texts(batch.finish().change) == []


# --- computer players ------------------------------------------------------------------------


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


def test_in_a_window_computer_players_tell_nothing_but_by_a_bomb_when_it_closes() -> None:
    turn = table("TURN B", trick="A S8", hands={"B": "S9 +4", "C": f"{BOMB} +3", "D": "+5"})
    at = done(state(turn, chairs=chairs(computers=(2, 3))), "B play:S9")
    assert texts_of(at, thought(bomber, "bomb"))[0] == "2 bomb:J4,S4,P4,T4"
    at = worked(at, thought(bomber, "bomb"))
    assert at.round.top_seat == 2
    assert phase_of(at.match) == "WINDOW D", "its own window is open: it was not closed too"


def test_without_a_bomb_a_window_is_just_closed() -> None:
    turn = table("TURN B", trick="A S8", hands={"B": "S9 +4", "C": f"{BOMB} +3", "D": "+5"})
    at = done(state(turn, chairs=chairs(computers=(2, 3))), "B play:S9")
    assert texts_of(at, thought(plain, "bomb")) == ["-1 close"]


def test_several_bombs_fall_at_once_and_one_of_them_counts() -> None:
    hands = {"A": f"{BOMB} +3", "B": "J5 S5 T5 P5 +2", "C": "J6 S6 T6 P6 +2", "D": "S9 +4"}
    turn = table("TURN D", trick="C S8", hands=hands)
    at = done(state(turn, chairs=chairs(computers=(0, 1, 2))), "D play:S9")
    found = [text.split(":")[0] for text in texts_of(at, thought(bomber, "bomb"))]
    assert found == ["0 bomb", "1 bomb", "2 bomb", "-1 close"]
    at = worked(at, thought(bomber, "bomb"))
    assert phase_of(at.match).startswith("WINDOW"), "that of the bomb that fell"


def test_a_computer_player_moves_only_when_it_has_thought() -> None:
    turn = state(table("TURN B", trick="A S8", hands={"B": "S9 +2"}), chairs=chairs(computers=(1,)))
    assert worked(turn, Batch.catch_up).match == turn.match
    assert texts_of(turn, thought(plain)) == ["1 pass"]
    person = state(turn.match)
    assert texts_of(person, thought(plain)) == []


def test_what_was_thought_before_something_changed_is_not_done() -> None:
    exchange = state(after(dealt(), *NO_GRAND), chairs=chairs(computers=(0, 1, 2, 3)))

    def caller(seen: View) -> Action | None:
        return CallTichu(1) if seen.seat == 1 else plain(seen)

    assert texts_of(exchange, thought(caller))[1:] == ["1 tichu"], "2 and 3 think again"
    answers = Thinking(lambda: NOON, plain).decided(exchange, ("answer",))
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


def test_a_computer_player_that_fails_does_not_stop_the_table_nor_tell_its_cards(
    caplog: pytest.LogCaptureFixture,
) -> None:
    turn = state(table("TURN B", trick="A S8"), chairs=chairs(computers=(1,)))
    after_ = worked(turn, thought(fails))
    assert after_.seq > turn.seq
    assert "a computer player failed: ValueError in test_batch.py" in caplog.text
    assert "Hand" not in caplog.text


@pytest.mark.parametrize("wrong", [Pass(2), AnswerGrand(1, True), GiveTrick(1, 0), None])
def test_what_is_not_legal_becomes_something_modest(
    wrong: Action | None, caplog: pytest.LogCaptureFixture
) -> None:
    turn = state(table("TURN B", trick="A S8"), chairs=chairs(computers=(1,)))

    def chooses(seen: View) -> Action | None:
        return wrong

    found = texts_of(turn, thought(chooses))
    assert len(found) == 1
    assert found[0].startswith("1 ")
    assert ("chose what is not legal" in caplog.text) == (wrong is not None)


def test_a_computer_player_that_fails_bets_nothing() -> None:
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


def test_for_the_absent_a_computer_player_acts() -> None:
    absent = thought(plain, absent=True)
    assert texts_of(state(table("TURN B", trick="A S8")), absent) == ["1 pass"]
    asked = [f"{seat} grand:no" for seat in range(4)]
    assert texts_of(state(dealt()), absent) == asked
    half = state(after(dealt(), "B grand:no"), chairs=chairs(computers=(3,)))
    assert texts_of(half, absent) == ["0 grand:no", "2 grand:no"]


def test_in_a_persons_place_nobody_bets_or_wishes() -> None:
    def eager(seen: View) -> Action | None:
        if seen.phase is Phase.GRAND:
            return AnswerGrand(0, True)
        calls = [action for action in seen.actions if isinstance(action, CallTichu)]
        return calls[0] if calls else Play(0, MAHJONGS & -MAHJONGS, wish=8)

    absent = thought(eager, absent=True)
    assert texts_of(state(dealt()), absent)[0] == "0 grand:no"
    lead = state(table("LEAD A", hands={"A": "MAHJONG +13"}))
    assert texts_of(lead, absent) == ["0 play:MAHJONG"]


# --- pre-moves -------------------------------------------------------------------------------

WINDOW = table(
    "WINDOW B",
    trick="A S8,P8",
    hands={"A": "+5", "B": "S9 P9 +5", "C": f"{BOMB} +3", "D": "J5 S5 T5 P5 +2"},
)
NINES = step(WINDOW, "B play:S9,P9")


def test_what_the_next_player_chooses_is_kept_and_laid_when_the_window_closes() -> None:
    at = done(state(WINDOW), "B play:S9,P9")
    assert phase_of(at.match) == "WINDOW B"
    assert at.kept.premoves == {1: NINES}
    assert at.round.waived == 0, "they may still think of a bomb"
    at = worked(at, close_window)
    assert phase_of(at.match) == "WINDOW C"
    assert at.round.top_seat == 1
    assert at.kept.premoves == {}


def test_a_pass_a_lead_and_a_gift_are_kept_too() -> None:
    at = worked(done(state(WINDOW), "B pass"), close_window)
    assert phase_of(at.match) == "TURN C"
    closing = table("CLOSING A", trick="A S8 | B pass | C pass | D pass", hands={"A": "S9 +5"})
    at = worked(done(state(closing), "A play:S9"), close_window)
    assert phase_of(at.match) == "WINDOW B"
    dragon = table("CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "+5"})
    at = worked(done(state(dragon), "A give:B"), close_window)
    assert phase_of(at.match) == "LEAD A"
    assert at.round.past[-1].given_to == 1


def test_a_kept_choice_can_be_changed_and_taken_back() -> None:
    at = done(state(WINDOW), "B play:S9,P9", "B pass")
    assert at.kept.premoves == {1: Pass(1)}
    back = worked(at, lambda batch: batch.take_back(1))
    assert back.kept.premoves == {}
    assert phase_of(worked(back, close_window).match) == "TURN B"


@pytest.mark.parametrize(
    "early, code", [("B play:S9", "does-not-beat"), ("B give:A", "no-gift-due")]
)
def test_what_could_not_be_laid_is_not_kept(early: str, code: str) -> None:
    batch = Batch(state(WINDOW), NOON)
    with pytest.raises(IllegalAction) as refused:
        batch.take(step(WINDOW, early))
    assert refused.value.code == code
    assert finished(batch).kept.premoves == {}


def test_only_the_next_player_may_choose_early() -> None:
    with pytest.raises(IllegalAction) as refused:
        done(state(WINDOW), "D play:J5,S5")
    assert refused.value.code == "window-open"


def test_a_bomb_drops_what_was_kept_with_a_word() -> None:
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


def test_a_tichu_call_in_the_window_keeps_what_was_chosen() -> None:
    fresh = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5"})
    at = done(state(fresh), "B play:S9,P9", "B tichu")
    assert at.round.calls[1] is Call.TICHU
    assert at.kept.premoves == {1: NINES}
    assert worked(at, close_window).round.top_seat == 1


def test_a_computer_player_that_takes_the_seat_over_chooses_for_itself() -> None:
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


def test_who_passes_the_trick_passes_whenever_asked_until_it_is_gathered() -> None:
    at = worked(state(table("TURN B", trick="A S8", hands=HANDS)), on(1))
    assert phase_of(at.match) == "TURN C"
    assert at.kept.auto_pass == (1,)
    at = done(at, "C play:SQ", "clock close", "D pass", "A pass")
    assert phase_of(at.match) == "CLOSING C"
    at = worked(at, close_window)
    assert (phase_of(at.match), at.kept.auto_pass) == ("LEAD C", ())


def test_passing_the_trick_begins_at_ones_turn_and_can_be_ended() -> None:
    at = worked(state(table("TURN B", trick="A S8", hands=HANDS)), on(2))
    assert phase_of(at.match) == "TURN B"
    off = worked(at, lambda batch: batch.pass_this_trick(2, False))
    assert phase_of(done(off, "B pass").match) == "TURN C"
    assert phase_of(done(at, "B pass").match) == "TURN D"


def test_a_wish_that_must_be_fulfilled_is_not_passed() -> None:
    hands = {"B": "S9 P3 +3"}
    wished = table("TURN B", trick="A MAHJONG wish=9", wish="9", hands=hands)
    at = worked(state(wished), on(1))
    assert phase_of(at.match) == "TURN B"


def test_a_dragon_given_away_ends_the_passing_as_well() -> None:
    closing = table(
        "CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "S3 +5", "B": "S9 +5"}
    )
    at = state(closing, desk={"auto_pass": (1,)})
    at = done(worked(at, close_window), "A give:B")
    assert (phase_of(at.match), at.kept.auto_pass) == ("LEAD A", ())
    at = done(at, "A play:S3", "clock close")
    assert phase_of(at.match) == "TURN B"


def test_the_dog_ends_the_passing() -> None:
    lead = table("LEAD A", hands={"A": "DOG +5"})
    assert done(state(lead, desk={"auto_pass": (1,)}), "A play:DOG").kept.auto_pass == ()


# --- revisions ----------------------------------------------------------------------------------


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
    at = state(match, seq=40, revision=33)
    assert done(at, *steps).revision == 33


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
    at = done(state(match, seq=40, revision=33), text)
    assert at.revision == at.seq >= 41


def test_a_call_that_reopens_the_exchange_makes_buttons_stale() -> None:
    exchange = after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND)
    at = done(state(exchange, seq=6), "A pass-cards:J2>1,J3>2,J4>3")
    assert at.revision == 0
    assert done(at, "B tichu").revision == 8


# --- calls at the same time ------------------------------------------------------------------


@pytest.mark.parametrize("seconds, asked", [(0, 0b100), (1.0, 0b100), (1.001, 0), (30, 0)])
def test_partners_who_call_within_a_second_called_at_the_same_time(
    seconds: float, asked: int
) -> None:
    at = done(state(table("TURN B", trick="D S8")), "A tichu")
    assert at.notes.called_at == {0: NOON}
    at = done(at, "C tichu", now=seconds)
    assert at.round.asked == asked
    assert at.round.calls[2] is Call.TICHU


def test_opponents_who_call_at_once_are_asked_nothing() -> None:
    at = done(state(table("TURN D", trick="C S8")), "A tichu", "B tichu")
    assert at.round.asked == 0
    at = done(at, "D tichu")
    assert at.round.asked == 0b1000, "B and D are partners"
    assert done(at, "D withdraw:yes").match is not None


def test_a_call_of_the_round_before_is_forgotten() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    at = state(over, desk={"called_at": {0: NOON}, "waits": {1: 2}})
    at = worked(at, lambda batch: batch.deal(range(56)))
    assert (at.notes.called_at, at.notes.waits) == ({}, {})


def test_a_grand_tichu_just_opened_is_no_call_at_the_same_time() -> None:
    at = done(state(dealt()), "A grand:yes", *NO_GRAND[1:])
    at = done(at, "C tichu")
    assert at.round.asked == 0


def test_a_call_is_written_as_it_was_judged() -> None:
    at = done(state(table("TURN B", trick="D S8")), "A tichu")
    batch = Batch(at, NOON)
    batch.take(CallTichu(2), HOST)
    assert texts(batch.finish().change) == ["2 tichu:same"]


# --- ends ------------------------------------------------------------------------------------


def test_the_end_of_a_round_is_stored_with_the_last_play() -> None:
    last = table("LEAD C", hands={"C": "S9"}, out="AB")
    batch = Batch(state(last), NOON)
    batch.take(step(last, "C play:S9"))
    at, change = ended(batch)
    assert change.round is not None
    assert (change.round.number, change.match, at.status) == (1, None, "playing")
    assert set(at.timers.deadlines) == {"next_round"}


def test_the_end_of_a_match_is_stored_with_the_last_play() -> None:
    last = table("LEAD C", hands={"C": "S9"}, out="A", totals="900 0", options={"target": 1000})
    batch = Batch(state(last), NOON)
    batch.take(step(last, "C play:S9"))
    at, change = ended(batch)
    assert (at.status, change.status, change.ended_at) == ("finished", "finished", NOON)
    assert change.match is not None
    assert change.match.reason == "finished"
    assert at.timers.deadlines == {}


def test_the_next_deal_goes_on_with_the_same_match() -> None:
    over = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    at = worked(state(over, chairs=chairs(computers=(1, 2, 3))), lambda b: b.deal(range(56)))
    assert phase_of(at.match) == "GRAND"
    assert (at.round.number, at.match.results) == (2, over.results)
