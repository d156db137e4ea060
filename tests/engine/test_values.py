"""Actions, events, hands and variants as values: what is equal and what is not."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations

from engine.actions import (
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    Waive,
)
from engine.cards import DRAGON, read_cards
from engine.events import LeadGiven, Passed, TrickTaken, WentOut
from engine.hand import Hand
from engine.state import Phase
from engine.variants import VARIANTS
from tests.engine.walks import walk


def test_actions_and_events_equal_only_their_own_kind() -> None:
    """A pass is no waive, although both say nothing but the seat."""
    for values in (
        (Pass(1), Waive(1), Passed(1), (1,)),
        (AnswerGrand(1, True), AnswerWithdraw(1, True), CallTichu(1, True), GiveTrick(1, 1)),
        (Bomb(1, 3), GiveTrick(1, 3), WentOut(1, 3), LeadGiven(1, 3), TrickTaken(1, 3), (1, 3)),
    ):
        for one, other in combinations(values, 2):
            assert one != other
            assert not one == other  # noqa: SIM201 - both questions are asked
        for value in values:
            assert value == copy.copy(value)
            assert hash(value) == hash(copy.copy(value))
            assert pickle.loads(pickle.dumps(value)) == value
    assert len({Pass(1), Waive(1), Pass(1), Pass(2)}) == 3


def test_hands_are_equal_when_their_cards_are() -> None:
    """What a hand remembers does not count."""
    cards = read_cards("J2 S2 P2 T2 J3 S3 PHOENIX")
    asked, fresh = Hand(cards), Hand(cards)
    asked.all()
    assert asked == fresh
    assert hash(asked) == hash(fresh)
    assert pickle.loads(pickle.dumps(asked)).all() == fresh.all()
    assert asked != Hand(cards | 1 << DRAGON)
    assert asked != cards


def test_short_cuts_change_what_they_say() -> None:
    """`moved` and `with_round` are `_replace` for the fields they name, only faster."""
    match = walk(3, 60).match
    round_ = match.round
    assert round_ is not None
    moved = round_.moved(Phase.LEAD, 2, (), 7)
    assert moved == round_._replace(phase=Phase.LEAD, turn=2, trick=(), passes=7)
    assert moved != round_
    assert match.with_round(moved) == match._replace(round=moved)
    assert type(match.with_round(moved)) is type(match)
    assert type(moved) is type(round_)


def test_copied_variants_are_equal() -> None:
    """Positions can be copied and sent to other processes."""
    for variant in VARIANTS.values():
        assert copy.deepcopy(variant) == variant
        assert pickle.loads(pickle.dumps(variant)) == variant
        assert hash(copy.deepcopy(variant)) == hash(variant)
        assert variant != variant.name
