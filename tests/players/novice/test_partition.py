"""Splitting hands into plays: no card is lost, and no combination is split without need."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import (
    DECK_SIZE,
    DOG,
    MAHJONG,
    bits,
    card_set,
    cards_text,
    indices,
    read_cards,
    readings,
)
from players.novice.partition import effort, effort_saved, plan, plan_effort
from tests.campaign import SOAK, examples

ONE_DECK = tuple(range(DECK_SIZE))
TWO_DECKS = tuple(card for card in range(2 * DECK_SIZE) if card % DECK_SIZE != DOG)
TWO_DECKS = tuple(card for card in TWO_DECKS if card != MAHJONG + DECK_SIZE)


def plays(hand: str) -> set[str]:
    return {cards_text(play.cards) for play in plan(read_cards(hand)).plays}


@pytest.mark.parametrize(
    "hand, split",
    [
        ("J3 S4 P5 J6 S7 T9 P9", {"J3 S4 P5 J6 S7", "P9 T9"}),
        ("J3 S4 P5 J6 S7 T7 P7 J8", {"J3 S4 P5 J6 S7 J8", "P7 T7"}),
        ("J3 S3 J4 S4 J5 P5 JK", {"J3 S3 J4 S4 J5 P5", "JK"}),
        ("J9 S9 P9 J4 S4 J2 S2 JA SA", {"J2 S2 J9 S9 P9", "J4 S4", "JA SA"}),
        ("J8 S8 P8 T8 J2 DOG DRAGON", {"J8 S8 P8 T8", "J2", "DOG", "DRAGON"}),
        ("J8 S8 P8 T8 J5 S6 TJ T9", {"J8 S8 P8 T8", "J5", "S6", "TJ", "T9"}),
        ("J8 S8 P8 T8 J5 S6 P7 T9", {"J5 S6 P7 J8 T9", "S8 P8 T8"}),
        ("S4 S5 S6 S7 S8 J4 P4", {"S4 S5 S6 S7 S8", "J4 P4"}),
        ("J5 S6 P8 T9 JK PHOENIX", {"J5 S6 P8 T9 PHOENIX", "JK"}),
        ("MAHJONG J2 S3 P4 T5 JA", {"J2 S3 P4 T5 MAHJONG", "JA"}),
        ("J3 S3 P3 JA SA", {"J3 S3 P3", "JA SA"}),
    ],
)
def test_splits(hand: str, split: set[str]) -> None:
    assert plays(hand) == split


hands = st.one_of(
    st.sets(st.sampled_from(ONE_DECK), min_size=1, max_size=14),
    st.sets(st.sampled_from(TWO_DECKS), min_size=1, max_size=13),
    st.sets(st.integers(0, 40), min_size=8, max_size=14),  # close together: many runs
)


@examples(60)
@given(hands)
def test_every_card_is_in_one_play_and_the_effort_is_theirs(cards: set[int]) -> None:
    hand = card_set(cards)
    found = plan(hand)
    assert sum(play.cards for play in found.plays) == hand
    assert sum(play.size for play in found.plays) == len(cards)
    assert all(play in readings(play.cards) for play in found.plays)
    # Of a full house with two Phoenixes the higher reading counts, which can only be better.
    assert sum(map(effort, found.plays)) <= found.effort + 1e-6
    assert found.effort == plan_effort(hand)


@examples(30)
@given(hands)
@example(
    set(indices(read_cards("J2 S2 J3 J4 S4 J5 S5 S6 J7 S7 J8 PHOENIX")))
)  # it helps a second straight
def test_no_single_play_taken_out_makes_it_better(cards: set[int]) -> None:
    """Without one of its plays, the rest of the best split has the same best split."""
    hand = card_set(cards)
    found = plan(hand)
    for play in found.plays:
        assert plan_effort(hand & ~play.cards) <= found.effort - effort(play) + 1e-6


def test_hardly_ever_is_less_saved_than_told() -> None:
    """Three equal cards always count as a triple, so occasionally a little less is saved."""
    rng = random.Random(3)
    number = 20_000 if SOAK else 500
    wrong = 0
    for _ in range(number):
        hand = card_set(rng.sample(rng.choice((ONE_DECK, TWO_DECKS)), rng.randint(5, 14)))
        taken = hand & rng.getrandbits(2 * DECK_SIZE)
        least = plan_effort(hand) - effort_saved(hand, taken)
        wrong += plan_effort(hand & ~taken) > least + 1e-6
    assert wrong <= number // 500


def test_two_phoenixes_are_laid_where_both_together_are_best() -> None:
    """Placed separately, the second would join the 8: an effort of 4.1 instead of 3.3."""
    hand = "J2 S4 J6 S6 J8 J9#2 JA SA PHOENIX PHOENIX#2"
    assert plays(hand) >= {"J6 S6 J9#2 PHOENIX PHOENIX#2", "JA SA"}


def test_most_is_saved_by_low_singles() -> None:
    hand = read_cards("J2 S4 P4 J6 S7 P8 T9 J10 SK DRAGON")

    def saves(text: str) -> float:
        return effort_saved(hand, read_cards(text))

    assert max(bits(hand), key=lambda bit: effort_saved(hand, bit)) == read_cards("J2")
    assert saves("S4") < 0.2  # a single 4 remains
    assert saves("P8") < -1  # tears the straight apart
    assert saves("DRAGON") < 0
    assert saves("J2 SK") == pytest.approx(saves("J2") + saves("SK"))
