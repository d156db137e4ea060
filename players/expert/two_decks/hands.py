"""Sets of cards of two decks: the cards in them, and those that are in them twice.

The rules never distinguish two equal cards. So a card of the second deck counts as the same card of
the first one, and a set is two numbers with the bits of one deck.
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
"""Set of ranks: for each the bit in its place in `ONES`."""
Counts: TypeAlias = int
"""Number of cards of each rank, four bits for each.

Rank 2 has the lowest bits, then come ranks 3 to 14, Phoenixes, Dragons and the Mah Jong.
"""
PHOENIXES, DRAGONS, MAHJONG = 52, 56, 60
"""Places of the bits for the special cards."""


class Cards(NamedTuple):
    """Set of cards of two decks."""

    ones: CardSet
    """Cards that are in it, once or twice."""
    twos: CardSet
    """Cards that are in it twice."""


def fold(cards: CardSet) -> Cards:
    """Convert a set of the engine, which has separate bits for the second deck."""
    first, second = cards & layout.DECK, cards >> layout.CARDS
    return Cards(first | second, first & second)


@compiled
def hand_of(row: Row, seat: Seat) -> Cards:
    """Return the hand of a seat."""
    return Cards(row[HAND + seat], row[TWICE + seat])


@compiled
def keep(row: Row, seat: Seat, hand: Cards) -> None:
    """Write the hand of a seat into a row."""
    row[HAND + seat], row[TWICE + seat] = hand.ones, hand.twos


@compiled
def size_of(cards: Cards) -> int:
    """Return the number of cards."""
    return count(cards.ones) + count(cards.twos)


@compiled
def held(row: Row, seat: Seat) -> int:
    """Return the number of cards in the hand of a seat."""
    return count(row[HAND + seat]) + count(row[TWICE + seat])


@compiled
def without(hand: Cards, cards: Cards) -> Cards:
    """Return the rest of a hand that has all these cards."""
    gone = cards.ones & ~hand.twos | cards.twos
    return Cards(hand.ones & ~gone, hand.twos & ~cards.ones)


@compiled
def together(cards: Cards, others: Cards) -> Cards:
    """Return the union of two sets, with all their cards."""
    ones = cards.ones | others.ones
    return Cards(ones, cards.twos | others.twos | cards.ones & others.ones)


@compiled
def _multiples(cards: CardSet) -> Counts:
    """Return the number of bits set in each four bits."""
    pairs = cards - ((cards >> 1) & 0x5555555555555)
    return (pairs & 0x3333333333333) + ((pairs >> 2) & 0x3333333333333)


@compiled
def by_rank(cards: Cards) -> Counts:
    """Return the number of cards of each rank in a set."""
    ones, twos = cards.ones, cards.twos
    counts = _multiples(ones & layout.NATURALS) + _multiples(twos & layout.NATURALS)
    counts += ((ones >> 54 & 1) + (twos >> 54 & 1)) << PHOENIXES
    counts += ((ones >> 55 & 1) + (twos >> 55 & 1)) << DRAGONS
    return counts + ((ones >> 52 & 1) << MAHJONG)


@compiled
def number_of(counts: Counts, rank: Rank) -> int:
    """Return the number of cards of a rank from 2 to 14."""
    return counts >> 4 * (rank - 2) & 15


@compiled
def wilds(cards: Cards) -> int:
    """Return the number of Phoenixes in a set."""
    return (cards.ones >> 54 & 1) + (cards.twos >> 54 & 1)


@compiled
def phoenixes(number: int) -> Cards:
    """Return a set of `number` Phoenixes: none, one or two."""
    ones = layout.PHOENIX if number else 0
    return Cards(ones, ones if number == 2 else 0)


@compiled
def take(hand: Cards, of_rank: CardSet, number: int, spared: CardSet) -> Cards:
    """Return `number` cards of a rank from a hand that has as many.

    Cards that are held twice come first, then others, and last the `spared` ones, which are in
    bombs.
    """
    ones, twos = hand.ones & of_rank, hand.twos & of_rank
    taken = twice = 0
    for _ in range(number):
        if twos:
            card = twos & -twos
            twos ^= card
        else:
            free = ones & ~spared
            free = free if free else ones
            card = free & -free
            ones ^= card
        twice |= taken & card
        taken |= card
    return Cards(taken, twice)
