"""Order of the cards in a hand, and names of ranks."""

from __future__ import annotations

from functools import cache
from itertools import chain

from bot.records import Sorting
from bot.text.cards import Speaker
from engine import (
    DOGS,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    Card,
    CardSet,
    Combination,
    indices,
    rank_of,
    sort_key,
)
from players.novice.partition import plan


def in_order(cards: CardSet, sorting: Sorting) -> list[Card]:
    """Return the cards of a hand in the order in which they are shown.

    That is from the Dog up to the Dragon, from the Dragon down, or by the plays into which the hand
    can be split, the longest first.
    """
    if sorting == "combination":
        plays = sorted(plan(cards).plays, key=_longest_first)
        return list(chain.from_iterable(_upwards(play.cards) for play in plays))
    upwards = _upwards(cards)
    return upwards[::-1] if sorting == "rank_high_first" else upwards


def rank_of_card(card: Card, words: Speaker) -> str:
    """Return the rank of a card, or a special card's name."""
    return words.rank(rank_of(card)) if rank_of(card) > 1 else words.card_name(card)


def ranks_of_cards(cards: CardSet, words: Speaker) -> str:
    """Return the ranks of cards, such as “4 5 6 7 8”.

    They are for places where suits do not matter.
    """
    return " ".join(rank_of_card(card, words) for card in _upwards(cards))


def _upwards(cards: CardSet) -> list[Card]:
    """Return the cards by rank, then by suit.

    The order is Dog, Mah Jong, 2 to A, Phoenix, Dragon.
    """
    return sorted(indices(cards), key=_place)


@cache
def _place(card: Card) -> tuple[object, ...]:
    """Return the sort key of a card: ordinary cards are between the special ones."""
    specials = {-2: DOGS, -1: MAHJONGS, 1: PHOENIXES, 2: DRAGONS}
    place = next((place for place, special in specials.items() if special & 1 << card), 0)
    return place, sort_key(card)


def _longest_first(play: Combination) -> tuple[int, int]:
    return -play.size, play.key
