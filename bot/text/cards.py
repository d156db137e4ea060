"""Cards, combinations and calls in words and pictures.

A `Speaker` has the two things that every page is written with: the words of the reader's language
and the pictures of the cards. Pages take it as their parameter `words`.
"""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.art.names import card_plain
from bot.records import Sorting
from bot.text import Say
from engine import (
    DOGS,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    Call,
    Card,
    CardSet,
    Combination,
    Kind,
    Rank,
    card_text,
    indices,
    rank_of,
    rank_text,
    sort_key,
)


class Speaker:
    """The words of one language (`say`) together with the pictures of the cards (`art`).

    One that is made for a single reader has what they have chosen: whoever reads cards as text has
    `art` without pictures, and `sorting` is how the cards of their hand lie.
    """

    def __init__(self, say: Say, art: Emojis, sorting: Sorting = "dog_first") -> None:
        self.say = say
        self.art = art
        self.sorting = sorting

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
        ranks = list(combination.phoenix)

        def place(card: Card) -> tuple[int, int, int]:
            """The key by which the cards are sorted: the Mah Jong is the lowest."""
            if 1 << card & PHOENIXES and ranks:
                return (ranks.pop(0) - 2, -1, 0)
            return (-1, 0, 0) if 1 << card & MAHJONGS else sort_key(card)

        return " ".join(self.card(card) for card in sorted(indices(combination.cards), key=place))

    def rank(self, rank: Rank) -> str:
        """A rank as it is printed on the cards, such as 8 or K."""
        return rank_word(self.say, rank)

    def card_name(self, card: Card) -> str:
        """A card in words, such as “8 of jade” or “Dragon”."""
        say = self.say
        special = _special_name(say, 1 << card)
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
        """A combination in words, such as “Pair of 8” or “Straight 4 to 9”."""
        say = self.say
        high = self.rank(combination.rank) if 2 <= combination.rank <= 14 else ""
        if combination.kind is Kind.SINGLE or combination.kind is Kind.DOG:
            return _special_name(say, combination.cards) or high
        if combination.kind is Kind.PAIR:
            return say("Pair of {rank}", rank=high)
        if combination.kind is Kind.TRIPLE:
            return say("Three {rank}", rank=high)
        if combination.kind is Kind.FULL_HOUSE:
            return say(
                "Full house {rank} with {pair}", rank=high, pair=self._pair_rank(combination)
            )
        if combination.kind is Kind.FOUR_BOMB:
            return say("Bomb of four {rank}", rank=high)
        length = combination.size // 2 if combination.kind is Kind.STAIRS else combination.size
        lowest = combination.rank - length + 1
        low = self.rank(lowest) if lowest > 1 else rank_text(1)
        if combination.kind is Kind.STAIRS:
            return say("Stairs {low} to {high}", low=low, high=high)
        if combination.kind is Kind.STRAIGHT:
            return say("Straight {low} to {high}", low=low, high=high)
        return say("Bomb, straight {low} to {high}", low=low, high=high)

    def _pair_rank(self, combination: Combination) -> str:
        """The rank of the pair in a full house; a Phoenix counts as the rank it stands for."""
        ranks = {rank_of(card) for card in indices(combination.cards & ~PHOENIXES)}
        (pair,) = (ranks | set(combination.phoenix)) - {combination.rank}
        return self.rank(pair)

    def call(self, call: Call) -> str:
        """The name of a call."""
        return self.say("Grand Tichu") if call is Call.GRAND else self.say("Tichu")

    def variant(self, name: str) -> str:
        """The name of a game of the rule book."""
        return variant_name(self.say, name)


def rank_word(say: Say, rank: Rank) -> str:
    """A rank as it is printed on the cards of this language, such as 8 or K."""
    letters = {11: say("J"), 12: say("Q"), 13: say("K"), 14: say("A")}
    return letters.get(rank) or rank_text(rank)


def variant_name(say: Say, name: str) -> str:
    """The name of a game of the rule book."""
    return {
        "nanjing": say("Nanjing"),
        "trichu": say("Trichu"),
        "tientsin": say("Tientsin"),
        "grandseigneur": say("Grand Seigneur"),
    }[name]


def _special_name(say: Say, cards: CardSet) -> str | None:
    """The name of a special card, `None` if the card (a set of one) is none."""
    if cards & DRAGONS:
        return say("Dragon")
    if cards & PHOENIXES:
        return say("Phoenix")
    if cards & DOGS:
        return say("Dog")
    return say("Mah Jong") if cards & MAHJONGS else None
