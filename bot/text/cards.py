"""Cards, combinations, seats and options in words and pictures.

`Speaker` joins a reader's language with the card pictures; every page is written with one.
"""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.art.names import card_plain
from bot.text import Say
from engine.cards import DOGS, DRAGONS, MAHJONGS, PHOENIXES, card_text, indices, rank_text, sort_key
from engine.combinations import Combination, Kind
from engine.state import Call


class Speaker:
    """Words of one language and the pictures of the cards."""

    def __init__(self, say: Say, art: Emojis) -> None:
        self.say = say
        self.art = art

    def card(self, card: int) -> str:
        """The picture of a card, or its text."""
        return self.art.card(card_text(card))

    def plain_card(self, card: int) -> str:
        """A card in plain text, for places that show no pictures."""
        return card_plain(card_text(card))

    def cards(self, cards: int) -> str:
        """Pictures of a set of cards, sorted as in a hand."""
        return " ".join(self.card(card) for card in sorted(indices(cards), key=sort_key))

    def laid(self, combination: Combination) -> str:
        """Pictures of a combination, a Phoenix standing where its rank is."""
        ranks = list(combination.phoenix)

        def place(card: int) -> tuple[int, int, int]:
            if 1 << card & PHOENIXES and ranks:
                return (ranks.pop(0) - 2, -1, 0)
            return (-1, 0, 0) if 1 << card & MAHJONGS else sort_key(card)

        return " ".join(self.card(card) for card in sorted(indices(combination.cards), key=place))

    def rank(self, rank: int) -> str:
        """A rank as it stands on the cards."""
        return rank_word(self.say, rank)

    def card_name(self, card: int) -> str:
        """A card in words: “8 of jade”, “Dragon”."""
        say = self.say
        bit = 1 << card
        special = _special(say, bit)
        if special:
            return special
        _, suit, _ = sort_key(card)
        rank = self.rank(sort_key(card)[0] + 2)
        return (
            say("{rank} of jade", rank=rank),
            say("{rank} of swords", rank=rank),
            say("{rank} of pagodas", rank=rank),
            say("{rank} of stars", rank=rank),
        )[suit]

    def combination(self, found: Combination) -> str:
        """A combination in words: “Pair of 8”, “Straight 4 to 9”."""
        say = self.say
        high = self.rank(found.rank) if 2 <= found.rank <= 14 else ""
        if found.kind is Kind.SINGLE or found.kind is Kind.DOG:
            return _special(say, found.cards) or high
        if found.kind is Kind.PAIR:
            return say("Pair of {rank}", rank=high)
        if found.kind is Kind.TRIPLE:
            return say("Three {rank}", rank=high)
        if found.kind is Kind.FULL_HOUSE:
            return say("Full house {rank} with {pair}", rank=high, pair=self._pair_rank(found))
        if found.kind is Kind.FOUR_BOMB:
            return say("Bomb of four {rank}", rank=high)
        length = found.size // 2 if found.kind is Kind.STAIRS else found.size
        lowest = found.rank - length + 1
        low = self.rank(lowest) if lowest > 1 else rank_text(1)
        if found.kind is Kind.STAIRS:
            return say("Stairs {low} to {high}", low=low, high=high)
        if found.kind is Kind.STRAIGHT:
            return say("Straight {low} to {high}", low=low, high=high)
        return say("Bomb, straight {low} to {high}", low=low, high=high)

    def _pair_rank(self, found: Combination) -> str:
        """The rank of the pair in a full house, a Phoenix counted as what it stands for."""
        ranks = {sort_key(card)[0] + 2 for card in indices(found.cards & ~PHOENIXES)}
        (pair,) = (ranks | set(found.phoenix)) - {found.rank}
        return self.rank(pair)

    def call(self, call: Call) -> str:
        """The name of a call."""
        return self.say("Grand Tichu") if call is Call.GRAND else self.say("Tichu")

    def variant(self, name: str) -> str:
        """The name of a game of the rule book."""
        return variant_name(self.say, name)


def rank_word(say: Say, rank: int) -> str:
    """A rank as it stands on the cards of this language."""
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


def _special(say: Say, bit: int) -> str | None:
    if bit & DRAGONS:
        return say("Dragon")
    if bit & PHOENIXES:
        return say("Phoenix")
    if bit & DOGS:
        return say("Dog")
    return say("Mah Jong") if bit & MAHJONGS else None
