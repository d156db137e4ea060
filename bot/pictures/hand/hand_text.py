"""Descriptions of hand pictures, for people who do not see them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pictures.hand.scene import HandCard, HandScene, HandShown
from bot.pictures.table.scene_text import LONGEST, scene_text, without_controls
from bot.text.cards import Speaker
from engine import indices, read_cards


def hand_text(scene: HandScene, words: Speaker) -> str:
    """Describe a scene, in at most `LONGEST` characters and the language of `words`.

    All cards come first, then the table. The cards that can be used now and those from the exchange
    are named again if there is space.
    """
    cards = " ".join(_hand(hand, words) for hand in scene.hands)
    marked = [sentence for hand in scene.hands for sentence in _marked(hand, words)]
    table = _table(scene, words, LONGEST)
    text = " ".join(filter(None, (cards, *marked, table)))
    if len(text) <= LONGEST:
        return text
    return " ".join(filter(None, (cards, _table(scene, words, LONGEST - len(cards) - 1))))


def _hand(hand: HandShown, words: Speaker) -> str:
    """Return the sentence with all cards of a hand."""
    say = words.say
    whose = say("Your hand") if hand.own or not hand.name else without_controls(hand.name)
    return f"{say.labelled(whose, _named(hand.cards, words))}."


def _marked(hand: HandShown, words: Speaker) -> list[str]:
    """Return the sentences about the cards that the picture marks."""
    say = words.say
    usable = [card for card in hand.cards if not card.quiet]
    received = [card for card in hand.cards if card.received]
    found = []
    if 0 < len(usable) < len(hand.cards):
        # Translators: the cards of a hand that can be played, or passed in the exchange
        found.append(say("Possible now: {cards}.", cards=_named(usable, words)))
    if received:
        cards = _named(received, words)
        if hand.own or not hand.name:
            found.append(say("You received {cards}.", cards=cards))
        else:
            name = without_controls(hand.name)
            found.append(say("{name} received {cards}.", name=name, cards=cards))
    return found


def _named(cards: Sequence[HandCard], words: Speaker) -> str:
    """Return cards in words, such as “8 of jade, Dragon”."""
    numbers = (card for shown in cards for card in indices(read_cards(shown.card)))
    return ", ".join(map(words.card_name, numbers))


def _table(scene: HandScene, words: Speaker, longest: int) -> str:
    """Describe the table part in at most this number of characters."""
    return scene_text(scene.table, words, longest) if scene.table else ""
