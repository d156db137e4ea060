"""Sets of cards of two decks: the cards in them, and those that are in them twice.

The rules never distinguish two equal cards. So both have the same bit, and a set is two numbers
with the bits of one deck.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine import CardSet, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.layout import Row
from players.expert.two_decks.layout import HAND, TWICE

ONES = 0x1111111111111
"""Lowest bit for each rank."""
Places: TypeAlias = int
"""Set of ranks: the bits of `ONES` for these ranks. Bit `place` is rank `place // 4 + 2`."""
Counts: TypeAlias = int
"""Number of cards of each rank, four bits for each.

Rank 2 has the lowest bits, then come ranks 3 to 14, Phoenixes, Dragons and the Mah Jong.
"""
PHOENIXES, DRAGONS, MAHJONG = 52, 56, 60
"""Lowest bits of the special cards in `Counts`."""
PHOENIX_PLACE, DRAGON_PLACE, MAHJONG_PLACE = 54, 55, 52
"""Bits of the special cards in a set, as in `players.expert.layout`."""


class Cards(NamedTuple):
    """Set of cards of two decks."""

    ones: CardSet
    """Cards that are in the set, once or twice."""
    twos: CardSet
    """Cards that are in the set twice."""


def from_engine_set(cards: CardSet) -> Cards:
    """Convert a set of the engine, which has separate bits for the second deck."""
    first, second = cards & layout.DECK, cards >> layout.CARDS
    return Cards(first | second, first & second)


@compiled
def empty_set(number: int) -> Cards:
    """Return an empty set; `number` may be any variable.

    numba needs it, because it gives the literal 0 another type than variables.
    """
    return Cards(number & 0, number & 0)


@compiled
def hand_of(row: Row, seat: Seat) -> Cards:
    """Return the hand of a seat."""
    return Cards(row[HAND + seat], row[TWICE + seat])


@compiled
def set_hand(row: Row, seat: Seat, hand: Cards) -> None:
    """Write the hand of a seat into a row."""
    row[HAND + seat], row[TWICE + seat] = hand.ones, hand.twos


@compiled
def size_of(cards: Cards) -> int:
    """Return the number of cards."""
    return count(cards.ones) + count(cards.twos)


@compiled
def hand_size(row: Row, seat: Seat) -> int:
    """Return the number of cards in the hand of a seat."""
    return count(row[HAND + seat]) + count(row[TWICE + seat])


@compiled
def without(hand: Cards, cards: Cards) -> Cards:
    """Return a hand without these cards, which must all be in it."""
    none_left = cards.ones & ~hand.twos | cards.twos  # the only copy, or both
    return Cards(hand.ones & ~none_left, hand.twos & ~cards.ones)


@compiled
def union(cards: Cards, others: Cards) -> Cards:
    """Return the union of two sets, with all their cards."""
    ones = cards.ones | others.ones
    return Cards(ones, cards.twos | others.twos | cards.ones & others.ones)


@compiled
def _count_bits_by_rank(cards: CardSet) -> Counts:
    """Return the number of cards of each rank in a set of one deck."""
    # Add up the bits of each rank in parallel: first two by two, then the sums of both pairs.
    pairs = cards - ((cards >> 1) & 0x5555555555555)
    return (pairs & 0x3333333333333) + ((pairs >> 2) & 0x3333333333333)


@compiled
def count_phoenixes(cards: Cards) -> int:
    """Return the number of Phoenixes in a set."""
    return (cards.ones >> PHOENIX_PLACE & 1) + (cards.twos >> PHOENIX_PLACE & 1)


@compiled
def count_dragons(cards: Cards) -> int:
    """Return the number of Dragons in a set."""
    return (cards.ones >> DRAGON_PLACE & 1) + (cards.twos >> DRAGON_PLACE & 1)


@compiled
def count_by_rank(cards: Cards) -> Counts:
    """Return the number of cards of each rank in a set."""
    ones, twos = cards.ones, cards.twos
    counts = _count_bits_by_rank(ones & layout.NATURALS) + _count_bits_by_rank(
        twos & layout.NATURALS
    )
    counts += count_phoenixes(cards) << PHOENIXES
    counts += count_dragons(cards) << DRAGONS
    return counts + ((ones >> MAHJONG_PLACE & 1) << MAHJONG)


@compiled
def count_of_rank(counts: Counts, rank: Rank) -> int:
    """Return the number of cards of a rank from 2 to 14."""
    return counts >> 4 * (rank - 2) & 15


@compiled
def phoenixes(number: int) -> Cards:
    """Return the set of none, one or two Phoenixes."""
    ones = layout.PHOENIX if number else 0
    return Cards(ones, ones if number == 2 else 0)


@compiled
def take_cards(hand: Cards, rank_cards: CardSet, size: int, spared: CardSet) -> Cards:
    """Return `size` cards of a rank from a hand that has so many; `rank_cards` is the whole rank.

    Cards that are held twice are taken first, and `spared` ones, which belong to bombs, last.
    """
    ones, twos = hand.ones & rank_cards, hand.twos & rank_cards
    taken = taken_twice = 0
    for _ in range(size):
        if twos:
            card = twos & -twos
            twos ^= card
        else:
            candidates = ones & ~spared
            candidates = candidates if candidates else ones
            card = candidates & -candidates
            ones ^= card
        taken_twice |= taken & card
        taken |= card
    return Cards(taken, taken_twice)
