"""Order of the cards of a hand."""

from __future__ import annotations

import pytest

from bot.records import Sorting
from cogs.pages.hand.card_order import in_display_order
from engine import card_text, read_cards


@pytest.mark.parametrize(
    "sorting, cards",
    [
        ("dog_first", "DOG MAHJONG S2 J9 S9 TA PHOENIX DRAGON"),
        ("rank_high_first", "DRAGON PHOENIX TA S9 J9 S2 MAHJONG DOG"),
    ],
)
def test_cards_follow_the_chosen_sorting(sorting: Sorting, cards: str) -> None:
    assert " ".join(map(card_text, in_display_order(read_cards(cards), sorting))) == cards


def test_cards_can_be_sorted_by_combination() -> None:
    cards = read_cards("J3 S4 P5 T6 J7 S9 P9 T9 JQ SQ DRAGON")
    order = in_display_order(cards, "combination")
    assert sorted(order) == sorted(in_display_order(cards, "dog_first"))
    texts = list(map(card_text, order))
    assert set(texts[:5]) in ({"J3", "S4", "P5", "T6", "J7"}, {"S9", "P9", "T9", "JQ", "SQ"})
