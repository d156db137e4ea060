"""Descriptions of hand pictures, for people who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pictures.hand.scene import HandCard, HandScene, SceneHand
from bot.pictures.table.scene_text import LONGEST, scene_text, spoken
from bot.text.cards import Speaker
from engine import indices, read_cards


def hand_text(scene: HandScene, words: Speaker) -> str:
    """Describe a scene, in at most `LONGEST` characters and the language of `words`.

    All cards come first, then the table. In between, the cards that can be used now and those from
    the exchange are named again, if there is space.
    """
    hands = " ".join(_hand_sentence(hand, words) for hand in scene.hands)
    marks = [sentence for hand in scene.hands for sentence in _mark_sentences(hand, words)]
    table = _table_text(scene, words, LONGEST)
    text = " ".join(filter(None, (hands, *marks, table)))
    if len(text) <= LONGEST:
        return text
    return " ".join(filter(None, (hands, _table_text(scene, words, LONGEST - len(hands) - 1))))


def _hand_sentence(hand: SceneHand, words: Speaker) -> str:
    """Return the sentence with all cards of a hand."""
    say = words.say
    whose = say("Your hand") if hand.own or not hand.name else spoken(hand.name)
    return f"{say.labelled(whose, _card_names(hand.cards, words))}."


def _mark_sentences(hand: SceneHand, words: Speaker) -> list[str]:
    """Return the sentences about the cards that the picture marks."""
    say = words.say
    usable = [card for card in hand.cards if not card.quiet]
    received = [card for card in hand.cards if card.received]
    sentences = []
    if 0 < len(usable) < len(hand.cards):
        # Translators: the cards of a hand that can be played, or passed in the exchange
        sentences.append(say("Possible now: {cards}.", cards=_card_names(usable, words)))
    if received:
        cards = _card_names(received, words)
        if hand.own or not hand.name:
            sentences.append(say("You received {cards}.", cards=cards))
        else:
            name = spoken(hand.name)
            sentences.append(say("{name} received {cards}.", name=name, cards=cards))
    return sentences


def _card_names(cards: Sequence[HandCard], words: Speaker) -> str:
    """Return cards in words, such as “8 of jade, Dragon”."""
    card_numbers = (number for card in cards for number in indices(read_cards(card.card)))
    return ", ".join(map(words.card_name, card_numbers))


def _table_text(scene: HandScene, words: Speaker, longest: int) -> str:
    """Describe the table part in at most this number of characters."""
    return scene_text(scene.table, words, longest) if scene.table else ""
