"""Cards, combinations and calls in words and pictures.

A `Speaker` has the two things that every page is written with: the words of the reader's language
and the pictures of the cards. Pages take it as their parameter `words`.
"""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.art.names import card_plain
from bot.records import Sorting
from bot.text import Say
from bot.text.combinations import combination_name, rank_word, short_name, special_name
from engine import (
    MAHJONGS,
    PHOENIXES,
    Call,
    Card,
    CardSet,
    Combination,
    Rank,
    card_text,
    indices,
    rank_of,
    sort_key,
)


class Speaker:
    """The words of one language (`say`) together with the pictures of the cards (`art`).

    One that is made for a single reader has what they have chosen: whoever reads cards as text has
    `art` without pictures, and `sorting` is how the cards of their hand lie. One for everybody at a
    table knows whether `novices_sit_in` for Experts that are not ready.
    """

    def __init__(
        self,
        say: Say,
        art: Emojis,
        sorting: Sorting = "dog_first",
        *,
        novices_sit_in: bool = False,
    ) -> None:
        self.say = say
        self.art = art
        self.sorting = sorting
        self.novices_sit_in = novices_sit_in

    def card(self, card: Card) -> str:
        """The picture of a card, or its plain text where there is no picture."""
        return self.art.card(card_text(card))

    def plain_card(self, card: Card) -> str:
        """A card in plain text, for places that show no pictures."""
        return card_plain(card_text(card))

    def cards(self, cards: CardSet) -> str:
        """The pictures of a set of cards (`cards` is a bitmask), sorted as in a hand."""
        return " ".join(self.card(card) for card in sorted(indices(cards), key=sort_key))

    def laid(self, combination: Combination) -> str:
        """The pictures of a combination; a Phoenix stands in the place of the card it replaces."""
        return " ".join(self.card(card) for card in as_laid(combination))

    def rank(self, rank: Rank) -> str:
        """A rank as it is printed on the cards, such as 8 or K."""
        return rank_word(self.say, rank)

    def card_name(self, card: Card) -> str:
        """A card in words, such as “8 of jade” or “Dragon”."""
        say = self.say
        special = special_name(say, 1 << card)
        if special:
            return special
        _, suit, _ = sort_key(card)
        rank = self.rank(rank_of(card))
        return (
            say("{rank} of jade", rank=rank),
            say("{rank} of swords", rank=rank),
            say("{rank} of pagodas", rank=rank),
            say("{rank} of stars", rank=rank),
        )[suit]

    def combination(self, combination: Combination) -> str:
        """A combination in words, such as “Pair of 8s” or “Straight 4–9”."""
        return combination_name(self.say, combination)

    def short(self, combination: Combination) -> str:
        """A combination in a word or two for a button, such as “Pair 8” or “Full K/10”."""
        return short_name(self.say, combination)

    def by(self, combination: Combination, name: str) -> str:
        """A combination and who has played it, such as “Ace by Ben”."""
        return self.say(
            "{combination} by {name}", combination=self.combination(combination), name=name
        )

    def call(self, call: Call) -> str:
        """The name of a call where it stands by itself."""
        return self.say("Grand Tichu") if call is Call.GRAND else self.say("Tichu")

    def call_within(self, call: Call) -> str:
        """The name of a call within a sentence."""
        if call is Call.GRAND:
            # Translators: {call} in sentences such as “Yes, {call}!”
            return self.say.sense("within a sentence", "Grand Tichu")
        return self.say("Tichu")

    def variant(self, name: str) -> str:
        """The name of a game for people, such as “Tichu (4 players)”."""
        return variant_name(self.say, name)


def as_laid(combination: Combination) -> list[Card]:
    """The cards of a combination; a Phoenix stands in the place of the card it replaces."""
    ranks = list(combination.phoenix)

    def place(card: Card) -> tuple[int, int, int]:
        """The key by which the cards are sorted: the Mah Jong is the lowest."""
        if 1 << card & PHOENIXES and ranks:
            return (ranks.pop(0) - 2, -1, 0)
        return (-1, 0, 0) if 1 << card & MAHJONGS else sort_key(card)

    return sorted(indices(combination.cards), key=place)


def variant_name(say: Say, name: str) -> str:
    """The name of a game for people; the rule book's own names stand in the rules and in files."""
    return {
        "nanjing": say("Tichu (4 players)"),
        "trichu": say("Tichu for three"),
        "tientsin": say("Tichu for six"),
        "grandseigneur": say("Grand Seigneur (5–12)"),
    }[name]
