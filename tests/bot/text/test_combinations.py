"""Names of combinations: full in sentences, short on buttons."""

from __future__ import annotations

from itertools import combinations

import pytest

from bot.art.emojis import Emojis
from bot.text import speech
from bot.text.cards import Speaker
from engine import Combination, Kind, indices, read_cards, readings, with_key_on

WORDS = Speaker(speech("en"), Emojis.plain())


def reading(cards: str, *phoenix: int) -> Combination:
    """Return the combination of these cards with the Phoenix as these ranks."""
    return next(each for each in readings(read_cards(cards)) if each.phoenix == phoenix)


@pytest.mark.parametrize(
    "combination, name, short",
    [
        (reading("SA"), "Ace", "A"),
        (reading("SJ"), "Jack", "J"),
        (reading("S10"), "Single 10", "10"),
        (reading("DRAGON"), "Dragon", "Dragon"),
        (reading("MAHJONG"), "Mah Jong", "Mah Jong"),
        (reading("DOG"), "Dog", "Dog"),
        (reading("PHOENIX"), "Phoenix (1½)", "Phoenix"),
        (with_key_on(reading("PHOENIX"), reading("SK")), "Phoenix (K½)", "Phoenix"),
        (reading("S3 T3"), "Pair of 3s", "Pair 3"),
        (reading("SA PHOENIX", 14), "Pair of aces", "Pair A"),
        (reading("S8 T8 P8"), "Three 8s", "Three 8"),
        (reading("SQ TQ PQ"), "Three queens", "Three Q"),
        (reading("S8 T8 P8 S3 T3"), "Full house (8s over 3s)", "Full 888 33"),
        (reading("S10 T10 SK TK PHOENIX", 13), "Full house (kings over 10s)", "Full KKK 10·10"),
        (reading("S3 T3 S4 T4"), "Stairs 3–4", "Stairs 3–4"),
        (reading("S5 T6 S7 S8 S9"), "Straight 5–9", "Straight 5–9"),
        (reading("MAHJONG S2 T3 S4 S5"), "Straight 1–5", "Straight 1–5"),
        (reading("S10 SJ SQ TK PHOENIX", 14), "Straight 10–A", "Straight 10–A"),
        (reading("S3 T3 P3 J3"), "Four-of-a-kind bomb (3s)", "Bomb 3"),
        (reading("S5 S6 S7 S8 S9"), "Straight flush bomb (5–9)", "Bomb 5–9"),
    ],
)
def test_names_every_combination(combination: Combination, name: str, short: str) -> None:
    assert WORDS.combination(combination) == name
    assert WORDS.short(combination) == short


def test_combination_within_a_sentence_is_lower_case() -> None:
    assert WORDS.combination_within(reading("SA")) == "ace"
    assert WORDS.combination_within(reading("S3 T3")) == "pair of 3s"
    assert WORDS.combination_within(reading("DRAGON")) == "Dragon"


def test_every_combination_has_a_full_and_a_short_name() -> None:
    """All readings of up to five cards of every rank that has two letters."""
    pool = read_cards("S10 T10 P10 J10 SJ TJ SQ TQ SK SA MAHJONG DOG PHOENIX DRAGON")
    seen = set()
    for size in range(1, 6):
        for cards in combinations(indices(pool), size):
            for each in readings(sum(1 << card for card in cards)):
                seen.add(each.kind)
                assert WORDS.combination(each)
                assert 0 < len(WORDS.short(each)) <= 16
    assert seen == set(Kind)
