"""Equality and `repr` of actions, events, hands and positions."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import combinations, islice
from random import Random

import pytest

from bench.walks import walk, walks
from engine import (
    DRAGON,
    VARIANTS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Hand,
    IllegalAction,
    LeadGiven,
    Options,
    Pass,
    PassCards,
    Passed,
    Phase,
    Play,
    Reason,
    StopMatch,
    TrickTaken,
    Waive,
    WentOut,
    bits,
    cards_text,
    read_action,
    read_cards,
    readings,
    verify,
    view,
)
from tests.cases import each


def test_actions_and_events_equal_only_their_own_kind() -> None:
    """A pass is not a waiver, although both have only the seat."""
    for values in (
        (Pass(1), Waive(1), Passed(1), (1,)),
        (AnswerGrand(1, True), AnswerWithdraw(1, True), CallTichu(1, True), GiveTrick(1, 1)),
        (Bomb(1, 3), GiveTrick(1, 3), WentOut(1, 3), LeadGiven(1, 3), TrickTaken(1, 3), (1, 3)),
    ):
        for one, other in combinations(values, 2):
            assert one != other
            assert not one == other  # noqa: SIM201 - both questions are asked
    assert len({Pass(1), Waive(1), Pass(1), Pass(2)}) == 3


def test_hands_are_equal_when_their_cards_are() -> None:
    """Caches do not count."""
    cards = read_cards("J2 S2 P2 T2 J3 S3 PHOENIX")
    asked, fresh = Hand(cards), Hand(cards)
    asked.all()
    assert asked == fresh
    assert hash(asked) == hash(fresh)
    assert asked != Hand(cards | 1 << DRAGON)
    assert asked != cards


def test_short_cuts_change_what_they_say() -> None:
    """`with_turn` and `with_round` equal `_replace` of the fields they set."""
    match = walk(3, 60).match
    round_ = match.round
    assert round_ is not None
    moved = round_.with_turn(Phase.LEAD, 2, (), 7)
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


@each(
    "action, shown",
    [
        (read_action(0, "play:J8,S8 wish=K"), "<0 play:J8,S8 wish=K>"),
        (read_action(3, "play:PHOENIX=9,S9"), "<3 play:PHOENIX=9,S9>"),
        (read_action(1, "play:DOG to=5"), "<1 play:DOG to=5>"),
        (Bomb(2, read_cards("J5 S5 P5 T5")), "<2 bomb:J5,S5,P5,T5>"),
        (Pass(1), "<1 pass>"),
        (Waive(1), "<1 waive>"),
        (GiveTrick(0, 3), "<0 give:3>"),
        (CallTichu(2, same=True), "<2 tichu:same>"),
        (AnswerGrand(0, False), "<0 grand:no>"),
        (AnswerWithdraw(0, True), "<0 withdraw:yes>"),
        (CloseWindow(), "<clock close>"),
        (StopMatch(), "<clock stop>"),
        (PassCards(0, ((1, 1), (3, 2))), "<0 pass-cards:?>1,?>3>"),
        (Play(0, read_cards("MAHJONG"), None, 99), "<0 Play?>"),
        (Bomb(0, -1), "<0 Bomb?>"),
    ],
)
def test_actions_show_their_notation(action: Action, shown: str) -> None:
    """Cards of an exchange stay hidden."""
    assert repr(action) == shown


def test_cards_show_their_notation() -> None:
    """Combinations and hands."""
    (pair,) = readings(read_cards("S9 PHOENIX"))
    assert repr(pair) == "<pair PHOENIX=9,S9>"
    assert repr(readings(read_cards("PHOENIX"))[0]) == "<single PHOENIX>"
    assert repr(Hand(read_cards("DRAGON S8 J2"))) == "<hand J2 S8 DRAGON>"
    assert repr(Hand(0)) == "<hand ->"


CARD = re.compile(r"\b(?:[JSPT](?:10|[2-9JQKA])|MAHJONG|DOG|PHOENIX|DRAGON)\b|0x|\d{6}")
"""A card in notation, or a set of cards as a number."""


@each("game", VARIANTS)
def test_positions_show_only_what_lies_open(game: str) -> None:
    """N8, N10: match, round and view contain hidden cards, but logs may show their `repr`."""
    shown: set[str] = set()
    for match, _ in islice(walks(Random(3), Options(variant=game)), 150):
        round_ = match.round
        texts = [repr(match), repr(match.options), str(match)]
        if round_ is not None:
            texts += [repr(round_), repr(round_.opening), f"{round_.opening}"]
            texts += [repr(view(match, seat)) for seat in (0, None)]
            top = round_.top.cards if round_.top is not None else 0
            open_cards = set(cards_text(top).split())
            assert set(CARD.findall(" ".join(texts))) <= open_cards
            shown |= open_cards
        assert all(len(text) < 200 for text in texts)
    assert shown


@each("game", VARIANTS)
def test_refusals_name_no_card(game: str) -> None:
    """No error text reveals a card that is held or was tried."""
    told: set[str] = set()
    for match, _ in islice(walks(Random(4), Options(variant=game)), 150):
        if match.round is None:
            continue
        rng = Random(len(told))
        for seat, hand in enumerate(match.round.hands):
            cards = sum(rng.sample(tuple(bits(hand.cards)), min(2, hand.size)))
            for action in (Play(seat, cards), Bomb(seat, cards), PassCards(seat, ((seat, cards),))):
                try:
                    verify(match, action)
                except IllegalAction as error:
                    told.add(str(error).replace(f"({error.rule})", ""))
    assert len(told) > 5
    assert [text for text in told if CARD.search(text)] == []


def test_a_reason_is_its_text() -> None:
    """It can be stored, compared and formatted like a string."""
    with pytest.raises(IllegalAction) as refusal:
        Options(target=1)
    code: str = refusal.value.code
    assert code == "option"
    assert code is Reason.OPTION
    assert f"{code}" == "option"
    assert str(refusal.value).startswith("option (O4): option=target, value=1")
    assert len(set(Reason)) == len({reason.name for reason in Reason})
