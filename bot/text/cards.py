"""Cards, combinations and calls as words and pictures.

A `Speaker` combines the texts of the reader's language with the pictures of the cards. Pages take
one as their parameter `words`.
"""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.art.names import card_plain
from bot.records import Sorting
from bot.text import Say, capital
from bot.text.combinations import combination_name, rank_label, short_name, special_name
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
    """Texts of one language (`say`) and pictures of the cards (`art`).

    A `Speaker` for a single reader follows their settings: `art` has no pictures if they read cards
    as text, and `sorting` is the order of their hand. A `Speaker` for a whole table has
    `novices_sit_in` if Novices replace Experts that are not ready.
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
        """Return the picture of a card, or its plain text if there is no picture."""
        return self.art.card(card_text(card))

    def plain_card(self, card: Card) -> str:
        """Return a card as plain text, for places without pictures."""
        return card_plain(card_text(card))

    def cards(self, cards: CardSet) -> str:
        """Return the pictures of a set of cards (`cards` is a bitmask), sorted as in a hand."""
        return " ".join(self.card(card) for card in sorted(indices(cards), key=sort_key))

    def combination_cards(self, combination: Combination) -> str:
        """Return the pictures of a combination, each Phoenix where its replaced card would be."""
        return " ".join(self.card(card) for card in cards_in_play_order(combination))

    def rank(self, rank: Rank) -> str:
        """Return the label of a rank as printed on the cards, such as 8 or K."""
        return rank_label(self.say, rank)

    def card_name(self, card: Card) -> str:
        """Return a card in words, such as “8 of jade” or “Dragon”."""
        say = self.say
        special = special_name(say, 1 << card)
        if special:
            return special
        _, suit, _ = sort_key(card)
        rank = self.rank(rank_of(card))
        match suit:
            case 0:
                return say("{rank} of jade", rank=rank)
            case 1:
                return say("{rank} of swords", rank=rank)
            case 2:
                return say("{rank} of pagodas", rank=rank)
        return say("{rank} of stars", rank=rank)

    def combination(self, combination: Combination) -> str:
        """Return a combination on its own, such as “Pair of 8s” or “Straight 4–9”."""
        return capital(self.combination_within(combination))

    def combination_within(self, combination: Combination) -> str:
        """Return a combination within a sentence, such as “pair of 8s” or “straight 4–9”."""
        return combination_name(self.say, combination)

    def short(self, combination: Combination) -> str:
        """Return a short name of a combination for a button, such as “Pair 8” or “Full 888 33”."""
        return short_name(self.say, combination)

    def call(self, call: Call) -> str:
        """Return the name of a call on its own."""
        return self.say("Grand Tichu") if call is Call.GRAND else self.say("Tichu")

    def call_within(self, call: Call) -> str:
        """Return the name of a call within a sentence."""
        if call is Call.GRAND:
            # Translators: {call} in sentences such as “Yes, {call}!”
            return self.say.sense("within a sentence", "Grand Tichu")
        return self.say("Tichu")

    def variant(self, name: str) -> str:
        """Return a game's name for players, such as “Tichu (4 players)”."""
        return variant_name(self.say, name)


def cards_in_play_order(combination: Combination) -> list[Card]:
    """Return the cards of a combination, each Phoenix where its replaced card would be."""
    phoenix_ranks = list(combination.phoenix)

    def sort_place(card: Card) -> tuple[int, int, int]:
        """Return the sort key of a card; the Mah Jong is the lowest."""
        if 1 << card & PHOENIXES and phoenix_ranks:
            # Keys of ordinary cards begin with their rank - 2; the -1 puts the Phoenix before them.
            return (phoenix_ranks.pop(0) - 2, -1, 0)
        return (-1, 0, 0) if 1 << card & MAHJONGS else sort_key(card)

    return sorted(indices(combination.cards), key=sort_place)


def variant_name(say: Say, name: str) -> str:
    """Return the name of a game for players.

    The names of the rule book are only used in the rules and in files.
    """
    return {
        "nanjing": say("Tichu (4 players)"),
        "trichu": say("Tichu (3 players)"),
        "tientsin": say("Tichu (6 players)"),
        "grandseigneur": say("Grand Seigneur (5–12 players)"),
    }[name]
