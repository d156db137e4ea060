"""Batches of actions in Trichu, where the dealer (seat 0) plays for the Table (seat 3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.table.batch import Batch
from bot.table.state import Game
from engine import (
    Action,
    Bomb,
    Call,
    CallTichu,
    GiveTrick,
    Match,
    Pass,
    PassCards,
    Phase,
    Play,
    View,
)
from tests.bot.games import did, ended, plain_brain, thought
from tests.bot.positions import TRICHU, begun, declined, lords, passed, played, position
from tests.bot.states import HOST, NAMES, NOON, PEOPLE, chairs, state
from tests.engine.positions import round_of

BOMB = "S4 P4 J4 T4"


class Spy:
    """Computer player that records the seats it was asked for."""

    def __init__(self) -> None:
        self.asked: list[int | None] = []
        self._think = plain_brain(1)

    def __call__(self, seen: View) -> Action | None:
        self.asked.append(seen.seat)
        return self._think(seen)


def trichu(match: Match, computers: tuple[int, ...] = (), **given: Any) -> Game:
    return state(match, chairs=chairs(NAMES[:3], computers=computers), **given)


COMPUTERS = thought(Spy())
ABSENT = thought(Spy(), absent=True)


def take(action: Action) -> Callable[[Batch], object]:
    return lambda batch: batch.take(action, HOST)


def test_seat_without_a_chair_has_that_of_its_dealer() -> None:
    for dealer in range(3):
        at = trichu(begun(TRICHU, dealer=dealer))
        assert [at.decider(seat) for seat in range(4)] == [0, 1, 2, dealer]
        both = {chair: at.seats_of_chair(chair) for chair in range(3)}
        assert both == {chair: (chair, 3) if chair == dealer else (chair,) for chair in range(3)}
    robot = trichu(begun(TRICHU), (0,))
    assert [robot.computer(seat) for seat in range(4)] == [True, False, False, True]


def test_a_computer_dealer_gives_cards_from_both_hands() -> None:
    brain = Spy()
    at, texts = did(trichu(declined(begun(TRICHU)), (0,)), thought(brain))
    assert [text.split(":")[0] for text in texts] == ["0 pass-cards", "3 pass-cards"]
    assert set(brain.asked) == {0, 3}
    given = at.round.opening.given
    assert [gifts is not None for gifts in given] == [True, False, False, True]


def test_only_computer_opponents_are_asked_for_a_grand_tichu() -> None:
    _, texts = did(trichu(begun(TRICHU), (0, 1)), COMPUTERS)
    assert texts == ["1 grand:no"]


@pytest.mark.parametrize("phase", ["TURN 3", "TURN 0"])
def test_a_computer_dealer_thinks_before_it_plays_either_hand(phase: str) -> None:
    at = trichu(position(TRICHU, phase, trick="2 S2"), (0,))
    assert did(at, Batch.catch_up)[1] == []
    _, texts = did(at, COMPUTERS)
    assert [text[0] for text in texts] == [phase[-1]]
    assert did(trichu(at.match, (1, 2)), COMPUTERS)[1] == []


def test_a_computer_dealer_may_bomb_with_the_tables_cards_in_a_window() -> None:
    def bomber(seen: View) -> Action | None:
        return next((action for action in seen.actions if isinstance(action, Bomb)), None)

    turn = position(TRICHU, "TURN 1", trick="3 S8", hands={1: "S9 S2 S3", 3: f"{BOMB} S5"})
    at, _ = did(trichu(turn, (0,)), take(Play(1, 1 << 4 * (9 - 2) + 1)))
    _, texts = did(at, thought(bomber, "bomb"))
    assert texts == ["3 bomb:J4,S4,P4,T4", "-1 close"]


def test_both_hands_of_an_absent_dealer_are_played() -> None:
    _, texts = did(trichu(declined(begun(TRICHU))), ABSENT)
    assert [text.split(":")[0] for text in texts] == [f"{n} pass-cards" for n in range(4)]
    _, texts = did(trichu(passed(declined(begun(TRICHU)), 0, 1)), ABSENT)
    assert [text.split(":")[0] for text in texts] == ["2 pass-cards", "3 pass-cards"]
    _, texts = did(trichu(position(TRICHU, "TURN 3", trick="2 SA")), ABSENT)
    assert [text[0] for text in texts] == ["3"]
    gift = position(TRICHU, "GIFT 3", trick="3 DRAGON | 1 pass | 0 pass | 2 pass")
    _, texts = did(trichu(gift), ABSENT)
    assert texts[0].startswith("3 give:")


def test_no_calls_for_absent_people() -> None:
    """A call would be the dealer's bet, for the Table as well as for the own hand."""
    tempting = position(TRICHU, "LEAD 3", hands={3: "DRAGON PHOENIX SA PA JA TA MAHJONG"})
    _, texts = did(trichu(tempting), ABSENT)
    assert "3 tichu" not in texts


def test_premove_for_the_table_waits_until_the_window_closes() -> None:
    window = position(TRICHU, "WINDOW 3", trick="2 S2", hands={3: f"S9 {BOMB}"})
    nine = 1 << 4 * (9 - 2) + 1
    at, texts = did(trichu(window), take(Play(3, nine)))
    assert (at.kept.premoves, texts) == ({3: Play(3, nine)}, [])
    _, texts = did(at, lambda batch: batch.take_back(3))
    assert texts == []
    at, texts = did(at, lambda batch: batch.close_window({}))
    assert texts == ["-1 close", "3 play:S9"]
    assert at.kept.premoves == {}


def test_the_table_passes_a_trick_and_its_dealer_plays_on() -> None:
    turn = position(TRICHU, "TURN 3", trick="1 S2", hands={3: "S9 S3 S4", 0: "SK SQ"})
    at, texts = did(trichu(turn), lambda batch: batch.pass_this_trick(3, True))
    assert texts == ["3 pass"]
    assert at.kept.auto_pass == (3,)
    assert at.round.turn == 2


def test_passing_the_trick_ends_for_both_hands_when_a_computer_takes_over() -> None:
    turn = position(TRICHU, "TURN 1", trick="3 S2")
    at = trichu(turn, (0,), details={"auto_pass": (0, 2, 3)})
    assert did(at, Batch.catch_up)[0].kept.auto_pass == (2,)


def test_the_table_calls_bombs_gives_and_passes_cards_by_its_dealer() -> None:
    exchange = declined(begun(TRICHU))
    gifts = next(exchange.variant.possible_gifts(round_of(exchange), 3))
    turn = position(TRICHU, "TURN 1", trick="2 S8", hands={3: f"{BOMB} S5"})
    gift = position(TRICHU, "GIFT 3", trick="3 DRAGON | 1 pass | 0 pass | 2 pass")
    bomb = 0b1111 << 4 * (4 - 2)
    for match, action in (
        (exchange, PassCards(3, gifts)),
        (exchange, CallTichu(3)),
        (turn, CallTichu(3)),
        (turn, Bomb(3, bomb)),
        (gift, GiveTrick(3, 1)),
        (position(TRICHU, "TURN 3", trick="2 S8"), Pass(3)),
    ):
        _, texts = did(trichu(match), take(action))
        assert texts[0].startswith("3 ")
    at, _ = did(trichu(turn), take(CallTichu(3)))
    assert at.round.calls == (None, None, None, Call.TICHU)


def test_two_calls_of_the_dealer_are_never_simultaneous() -> None:
    """N78 is about partners who cannot know of each other; one person calls for both hands."""
    turn = position(TRICHU, "TURN 1", trick="2 S8")
    dealer = round_of(turn).dealer
    at, _ = did(trichu(turn), take(CallTichu(3)))
    at, texts = did(at, take(CallTichu(dealer)))
    assert texts == [f"{dealer} tichu"]
    assert at.round.asked == 0


# --- the end of an open-ended match ----------------------------------------------------------

OPEN = lords(5)
LAST = position(OPEN, "LEAD 3", hands={3: "S8", 4: "S9"}, out=(0, 1, 2))


def five(match: Match, **details: object) -> Game:
    return state(match, chairs=chairs(PEOPLE[:5], computers=(4,)), details=details)


def eight() -> Play:
    return Play(3, 1 << 4 * (8 - 2) + 1)


def test_voted_last_round_ends_the_match_with_its_result() -> None:
    batch = Batch(five(LAST, last_round=True), NOON)
    batch.take(eight(), HOST)
    at, change = ended(batch)
    assert [action.text for action in change.actions] == ["play:S8", "stop"]
    assert (at.status, at.phase, at.timers.deadlines) == ("finished", Phase.MATCH_END, {})
    assert change.round is not None
    assert change.match is not None
    assert (change.match.reason, change.match.rounds, change.ended_at) == ("finished", 1, NOON)
    assert [seat.seat for seat in change.match.seats if seat.won] == [0]


def test_next_round_follows_without_a_vote() -> None:
    at, texts = did(five(LAST), take(eight()))
    assert texts == ["3 play:S8"]
    assert set(at.timers.deadlines) == {"next_round"}
    at, _ = did(at, lambda batch: batch.deal(at.match.variant.deck(OPEN)))
    assert at.round.dealer == 4, "the Wretch deals"


def test_vote_between_rounds_ends_the_match_at_once() -> None:
    over = five(played(LAST, "3 play:S8"), paused=True)
    batch = Batch(over, NOON)
    batch.stop()
    at, change = ended(batch)
    assert [(action.seat, action.text) for action in change.actions] == [(-1, "stop")]
    assert at.status == "finished"
    assert change.round is None, "it was stored when it ended"
    assert change.match is not None
    assert change.match.rounds == 1


def test_last_round_that_has_just_begun_continues() -> None:
    at, _ = did(five(begun(OPEN), last_round=True), Batch.catch_up)
    assert at.running
