"""Result cards as pixels: as they should look, and small."""

from __future__ import annotations

import pytest

from bot.pictures.descriptions import Name
from bot.pictures.result.picture import compose, draw_card
from tests.bot.pictures import references
from tests.bot.pictures.result_cards import RESULTS

LARGEST = 120_000


@pytest.mark.parametrize("name", references.CARDS)
def test_cards_look_as_they_should(name: str) -> None:
    found = references.difference(
        references.reduced(references.stored_card(name)), references.reference(name)
    )
    assert found < references.TOLERANCE


def test_small_differences_are_noticed() -> None:
    card = references.stored_card("results/nanjing")
    right, (first, second), play = references.reference("results/nanjing"), card.lines, card.play
    assert play is not None
    assert card.straight is not None
    changes = (
        {"straight": card.straight.model_copy(update={"text": "Straight 6–Q"})},
        {"lines": (first.model_copy(update={"total": "1041"}), second)},
        {"lines": (first.model_copy(update={"bombs": 3}), second)},
        {"lines": (first.model_copy(update={"won": False}), second)},
        {"play": play.model_copy(update={"name": Name("Dan", "Player 4")})},
        {"play": play.model_copy(update={"cards": ("J4", *play.cards[1:])})},
    )
    for change in changes:
        changed = card.model_copy(update=change)
        assert references.difference(references.reduced(changed), right) > references.TOLERANCE


@pytest.mark.parametrize("name", RESULTS)
def test_cards_are_small(name: str) -> None:
    assert len(draw_card(RESULTS[name])) < LARGEST


def test_a_card_without_play_and_chart_is_lower() -> None:
    card = RESULTS["nanjing"]
    bare = card.model_copy(update={"straight": None, "play": None, "chart": None})
    assert compose(bare).height < compose(card).height / 3
