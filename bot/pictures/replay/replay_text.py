"""Descriptions of replay pictures, for people who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.scene_text import LONGEST, scene_text, spoken
from bot.text.cards import Speaker
from engine import indices, read_cards


def replay_text(scene: ReplayScene, words: Speaker) -> str:
    """Describe a scene, in at most `LONGEST` characters and the language of `words`.

    The table comes first, then the open hands: with names of cards, or with signs if those do not
    fit.
    """
    for named in (True, False):
        hands = " ".join(_hands(scene, words, named=named))
        table = scene_text(scene.table, words, max(200, LONGEST - len(hands) - 1))
        text = f"{table} {hands}".strip()
        if len(text) <= LONGEST:
            return text
    return scene_text(scene.table, words)


def _hands(scene: ReplayScene, words: Speaker, *, named: bool) -> list[str]:
    """Return a sentence for each open hand."""
    return [
        words.say.labelled(spoken(seat.name), _cards(hand, words, named=named)) + "."
        for seat, hand in zip(scene.table.seats, scene.hands, strict=True)
        if hand
    ]


def _cards(hand: Sequence[str], words: Speaker, *, named: bool) -> str:
    """Return cards in words, such as “8 of jade, Dragon”, or as signs."""
    cards = (card for shown in hand for card in indices(read_cards(shown)))
    if named:
        return ", ".join(map(words.card_name, cards))
    return " ".join(map(words.plain_card, cards))
