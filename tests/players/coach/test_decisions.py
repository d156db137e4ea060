"""The decisions of a round: every choice of a person once, with the view before it."""

from __future__ import annotations

import pytest

from engine import (
    AnswerGrand,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Match,
    Options,
    Pass,
    PassCards,
    Phase,
    Play,
    Waive,
    apply,
    bits,
    deal,
    new_match,
    read_action,
    view,
)
from players.coach.decisions import Decision, decisions
from tests.campaign import SOAK
from tests.players.coach.rounds import random_round
from tests.players.novice.table import position

ROUNDS = 40 if SOAK else 4
GAMES = ("nanjing", "trichu", "tientsin", "grandseigneur")


def after(match: Match, *actions: str) -> list[Decision]:
    """Return the decisions of seat 0 in these actions: "0 pass", "close"."""
    read = []
    for text in actions:
        seat, _, words = text.partition(" ")
        read.append(CloseWindow() if text == "close" else read_action(int(seat), words))
    return list(decisions(match, read, 0))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_every_choice_is_found_once_with_the_view_before_it(game: str, seed: int) -> None:
    dealt, actions = random_round(game, seed)
    match, before = dealt, [dealt]
    for action in actions:
        match, _ = apply(match, action)
        before.append(match)
    round_ = dealt.round
    assert round_ is not None
    for seat in range(dealt.variant.chair_count(dealt.options)):
        own = {s for s in range(len(round_.hands)) if dealt.variant.actor(round_, s) == seat}
        found = list(decisions(dealt, actions, seat))
        places = [each.at for each in found if each.kind not in ("call", "bomb")]
        assert len(set(places)) == len(places)
        for each in found:
            assert each.view.seat in own
            if each.kind != "exchange":
                assert each.view == view(before[each.at], each.view.seat)
        for at, action in enumerate(actions):
            if isinstance(action, Play | Pass | GiveTrick) and action.seat in own:
                seen = view(before[at], action.seat)
                others = [each for each in seen.actions if not isinstance(each, CallTichu)]
                assert (at in places) == (len(others) > 1)
            if isinstance(action, Bomb) and action.seat in own:
                assert any(each.at == at and each.kind == "bomb" for each in found)


def test_an_answer_about_a_grand_tichu_is_a_decision() -> None:
    match, _ = deal(new_match(Options()), range(56))
    actions = [AnswerGrand(seat, False) for seat in range(4)]
    assert list(decisions(match, actions, 0)) == [Decision(0, "call", view(match, 0), actions[0])]


def test_the_last_of_several_exchanges_counts_with_the_view_before_the_first() -> None:
    match, _ = deal(new_match(Options()), range(56))
    for seat in range(4):
        match, _ = apply(match, AnswerGrand(seat, False))
    assert match.phase is Phase.EXCHANGE
    seen = view(match, 0)
    actions = []
    for seat, first in ((0, 0), (0, 3), (1, 0), (2, 0), (3, 0)):
        cards = list(bits(view(match, seat).hand.cards))[first : first + 3]
        receivers = (other for other in range(4) if other != seat)
        actions.append(PassCards(seat, tuple(zip(receivers, cards, strict=True))))
    (found,) = decisions(match, actions, 0)
    assert (found.at, found.kind, found.view) == (1, "exchange", seen)
    assert found.action == actions[1]


def test_a_play_without_an_alternative_is_no_decision() -> None:
    match = position("TURN 0", "J9 SK", "1 PA", lines=["started 0 1 2 3"])
    assert after(match, "0 pass") == []


def test_the_first_play_is_also_a_decision_about_a_call_and_a_pass_is_not() -> None:
    match = position("TURN 0", "J3 S4 DRAGON", "1 PA", sizes={1: 13, 2: 14, 3: 14})
    assert [each.kind for each in after(match, "0 pass")] == ["pass"]
    hand = "J3 S4 P6 T7 J9 S9 P10 TJ JQ SQ PK TK JA SA"
    match = position("LEAD 0", hand, sizes={1: 14, 2: 14, 3: 14})
    kinds = [each.kind for each in after(match, "0 play:J3")]
    assert kinds == ["call", "lead"]


def test_a_bomb_that_was_not_thrown_is_a_decision_when_the_window_closes() -> None:
    hand = "J8 S8 P8 T8 J9"
    match = position("WINDOW 2", hand, "1 S9", lines=["started 0 1 2 3"])
    (found,) = after(match, "close")
    assert (found.kind, found.action) == ("bomb", Waive(0))
    (found,) = after(match, "0 waive", "close")
    assert (found.at, found.action) == (0, Waive(0))


def test_without_a_bomb_a_window_is_no_decision() -> None:
    match = position("WINDOW 2", "J8 S8 P8 T7 J9", "1 S9", lines=["started 0 1 2 3"])
    assert after(match, "0 waive", "close") == []


def test_the_dealer_in_trichu_decides_for_the_table() -> None:
    dealt, actions = random_round("trichu", 3)
    round_ = dealt.round
    assert round_ is not None
    seats = {each.view.seat for each in decisions(dealt, actions, round_.dealer)}
    assert seats == {round_.dealer, 3}
