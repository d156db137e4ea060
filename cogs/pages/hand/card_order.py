"""Display order of the cards in a hand, and names of ranks."""

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


def in_display_order(cards: CardSet, sorting: Sorting) -> list[Card]:
    """Return the cards of a hand in the order in which they are shown.

    `sorting` is from the Dog up to the Dragon, from the Dragon down, or by combination: the hand is
    split into plays, and the longest play is shown first.
    """
    if sorting == "combination":
        plays = sorted(plan(cards).plays, key=_longest_first_key)
        return list(chain.from_iterable(_sorted_by_rank(play.cards) for play in plays))
    by_rank = _sorted_by_rank(cards)
    return by_rank[::-1] if sorting == "rank_high_first" else by_rank


def rank_of_card(card: Card, words: Speaker) -> str:
    """Return the rank of a card, or a special card's name."""
    return words.rank(rank_of(card)) if rank_of(card) > 1 else words.card_name(card)


def ranks_of_cards(cards: CardSet, words: Speaker) -> str:
    """Return the ranks of cards, such as “4 5 6 7 8”.

    The text is for places where suits do not matter.
    """
    return " ".join(rank_of_card(card, words) for card in _sorted_by_rank(cards))


def _sorted_by_rank(cards: CardSet) -> list[Card]:
    """Return the cards by rank, then by suit.

    The order is Dog, Mah Jong, 2 to A, Phoenix, Dragon.
    """
    return sorted(indices(cards), key=_rank_key)


@cache
def _rank_key(card: Card) -> tuple[object, ...]:
    """Return the sort key of a card, which puts ordinary cards between the special ones."""
    special_cards = {-2: DOGS, -1: MAHJONGS, 1: PHOENIXES, 2: DRAGONS}
    group = next((group for group, special in special_cards.items() if special & 1 << card), 0)
    return group, sort_key(card)


def _longest_first_key(play: Combination) -> tuple[int, int]:
    return -play.size, play.key
