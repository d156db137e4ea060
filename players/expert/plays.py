"""All legal plays of a hand, with exact cards.

A list of plays is an array with a row for each play: cards, kind, size, key (see
`players.expert.layout`). The functions write plays from place `number` on and return the new number
of plays.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from engine import CardSet, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled, compiled_with_arrays, count, lowest
from players.expert.layout import Row
from players.expert.rules import of_rank

CARDS, KIND, SIZE, KEY = range(4)
"""Places of the four numbers of a play."""
MOST = 1 << 14
"""Upper bound of the number of plays of a hand of fifteen cards."""
Plays: TypeAlias = Any
"""List of plays: an array of `numpy.int64`, four in each row."""
PlayRow: TypeAlias = Any
"""One play: a row of a list."""


def make_plays() -> Plays:
    """Return an empty list of plays, with `MOST` rows."""
    return np.zeros((MOST, 4), np.int64)


@compiled
def put(plays: Plays, number: int, cards: CardSet, kind: int, size: int, key: int) -> int:
    """Append a play at place `number`. Returns the new number of plays."""
    plays[number, 0] = cards
    plays[number, 1] = kind
    plays[number, 2] = size
    plays[number, 3] = key
    return number + 1


@compiled
def move(plays: Plays, target: int, source: int) -> None:
    """Copy the play at place `source` of a list to place `target`."""
    plays[target, 0] = plays[source, 0]
    plays[target, 1] = plays[source, 1]
    plays[target, 2] = plays[source, 2]
    plays[target, 3] = plays[source, 3]


@compiled
def single_key(card: CardSet) -> int:
    """Return the key of one card that is led alone."""
    if card & layout.NATURALS:
        return 2 * (lowest(card) // 4 + 2)
    if card == layout.MAHJONG:
        return 2
    return layout.LED_PHOENIX_KEY if card == layout.PHOENIX else layout.DRAGON_KEY


@compiled
def _singles(hand: CardSet, plays: Plays, number: int) -> int:
    """Write every single of a hand."""
    left = hand & ~layout.DOG_CARD
    while left:
        card = left & -left
        left ^= card
        number = put(plays, number, card, layout.SINGLE, 1, single_key(card))
    return number


@compiled
def _pairs(hand: CardSet, plays: Plays, number: int) -> int:
    """Write every pair of a hand."""
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        first = group
        while first:
            one = first & -first
            first ^= one
            if hand & layout.PHOENIX:
                number = put(plays, number, one | layout.PHOENIX, layout.PAIR, 2, 2 * rank)
            second = first
            while second:
                other = second & -second
                second ^= other
                number = put(plays, number, one | other, layout.PAIR, 2, 2 * rank)
    return number


@compiled
def _triples(hand: CardSet, plays: Plays, number: int) -> int:
    """Write every triple of a hand."""
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        size = count(group)
        if size == 3:
            number = put(plays, number, group, layout.TRIPLE, 3, 2 * rank)
        elif size == 4:
            left = group
            while left:
                one = left & -left
                left ^= one
                number = put(plays, number, group ^ one, layout.TRIPLE, 3, 2 * rank)
        if hand & layout.PHOENIX and size >= 2:
            first = group
            while first:
                one = first & -first
                first ^= one
                second = first
                while second:
                    other = second & -second
                    second ^= other
                    cards = one | other | layout.PHOENIX
                    number = put(plays, number, cards, layout.TRIPLE, 3, 2 * rank)
    return number


@compiled
def _full_houses(hand: CardSet, plays: Plays, number: int) -> int:
    """Write every full house of a hand."""
    triples = number
    pairs = _triples(hand, plays, triples)
    end = _pairs(hand, plays, pairs)
    found = end
    for triple in range(triples, pairs):
        for pair in range(pairs, end):
            if plays[triple, 3] != plays[pair, 3] and not plays[triple, 0] & plays[pair, 0]:
                cards = plays[triple, 0] | plays[pair, 0]
                found = put(plays, found, cards, layout.FULL_HOUSE, 5, plays[triple, 3])
    for place in range(found - end):  # overwrite the helper triples and pairs
        move(plays, number + place, end + place)
    return number + found - end


@compiled_with_arrays
def _stairs(hand: CardSet, plays: Plays, number: int) -> int:
    """Write all stairs of a hand."""
    pairs = np.empty((96, 4), np.int64)
    total = _pairs(hand, pairs, 0)
    for start in range(total):
        begin, low = number, pairs[start, 3]
        number = put(plays, number, pairs[start, 0], layout.STAIRS, 2, low)
        longer, size = begin, 4
        while longer < number:  # each iteration adds stairs with one more pair
            last = number
            for shorter in range(longer, last):
                for pair in range(total):
                    if (
                        pairs[pair, 3] == low + size - 2
                        and not pairs[pair, 0] & plays[shorter, 0] & layout.PHOENIX
                    ):
                        cards = pairs[pair, 0] | plays[shorter, 0]
                        number = put(plays, number, cards, layout.STAIRS, size, low + size - 2)
            longer, size = last, size + 2
        for place in range(begin + 1, number):  # drop the first, which is a lone pair
            move(plays, place - 1, place)
        number -= 1
    return number


@compiled
def _one_suited(cards: CardSet) -> bool:
    """Return whether all cards are ordinary cards of one suit."""
    found = False
    for suit in range(4):
        found = found or cards & ~(layout.SUIT << suit) == 0
    return found


@compiled
def _straights(hand: CardSet, plays: Plays, number: int) -> int:
    """Write every straight of a hand that is not a bomb of one suit."""
    present = 0
    for rank in range(1, 15):
        if hand & of_rank(rank):
            present |= 1 << rank
    wild = hand & layout.PHOENIX
    for low in range(1, 11):
        if count((present >> low) & 31) + (wild != 0) >= 5:
            number = _straights_from(hand, low, plays, number)
    return number


@compiled
def _straights_from(hand: CardSet, low: Rank, plays: Plays, number: int) -> int:
    """Write the straights with this lowest rank.

    Each rank is added to all straights that end below it.
    """
    begin, wild = number, hand & layout.PHOENIX
    number = put(plays, number, 0, layout.STRAIGHT, 0, 0)
    shorter, rank = begin, low
    while rank < 15:
        last = number
        for partial in range(shorter, last):
            left = hand & of_rank(rank)
            while left:
                card = left & -left
                left ^= card
                cards = plays[partial, 0] | card
                number = put(plays, number, cards, layout.STRAIGHT, rank - low + 1, 2 * rank)
            if wild and rank > 1 and not plays[partial, 0] & wild:
                cards = plays[partial, 0] | wild
                number = put(plays, number, cards, layout.STRAIGHT, rank - low + 1, 2 * rank)
        if last == number:
            break
        shorter, rank = last, rank + 1
    kept = begin
    for place in range(begin, number):
        if plays[place, 2] >= 5 and not _one_suited(plays[place, 0]):
            move(plays, kept, place)
            kept += 1
    return kept


@compiled
def list_bombs(hand: CardSet, plays: Plays, number: int) -> int:
    """Write all bombs of a hand."""
    for rank in range(2, 15):
        if hand & of_rank(rank) == of_rank(rank):
            number = put(plays, number, of_rank(rank), layout.FOUR_BOMB, 4, 2 * rank)
    runs = hand & layout.NATURALS
    runs &= runs >> 4 & runs >> 8 & runs >> 12 & runs >> 16
    while runs:
        first = lowest(runs)
        runs &= runs - 1
        cards, card, size = 0, 1 << first, 0
        while card & hand & layout.NATURALS:
            cards |= card
            size += 1
            if size >= 5:
                key = 2 * (first // 4 + 1 + size)
                number = put(plays, number, cards, layout.STRAIGHT_BOMB, size, key)
            card <<= 4
    return number


@compiled
def in_bombs(hand: CardSet) -> CardSet:
    """Return the cards of a hand that belong to a bomb."""
    cards = hand & layout.NATURALS
    runs = cards & cards >> 4 & cards >> 8 & cards >> 12 & cards >> 16
    found = runs | runs << 4 | runs << 8 | runs << 12 | runs << 16
    fours = cards & cards >> 1 & cards >> 2 & cards >> 3 & layout.SUIT
    return found | fours | fours << 1 | fours << 2 | fours << 3


@compiled
def beats(kind: int, size: int, key: int, top_kind: int, top_size: int, top_key: int) -> bool:
    """Return whether a play may be laid on another one.

    A Phoenix alone has the key that it gets on that play.
    """
    if kind >= layout.FOUR_BOMB:
        if top_kind < layout.FOUR_BOMB:
            return True
        return size > top_size or (size == top_size and key > top_key)
    return kind == top_kind and size == top_size and key > top_key and kind != layout.DOG


@compiled_with_arrays
def list_all(hand: CardSet, plays: Plays) -> int:
    """Write every play of a hand."""
    number = _singles(hand, plays, 0)
    if hand & layout.DOG_CARD:
        number = put(plays, number, layout.DOG_CARD, layout.DOG, 1, 0)
    number = _pairs(hand, plays, number)
    number = _triples(hand, plays, number)
    number = _full_houses(hand, plays, number)
    number = _stairs(hand, plays, number)
    number = _straights(hand, plays, number)
    return list_bombs(hand, plays, number)


@compiled_with_arrays
def list_above(hand: CardSet, kind: int, size: int, key: int, plays: Plays) -> int:
    """Write every play of a hand that beats the play of this kind, size and key."""
    number, shape = 0, kind
    if size > count(hand):
        shape = layout.STRAIGHT_BOMB  # only bombs, because nothing has that size
    if shape == layout.SINGLE:
        number = _singles(hand, plays, 0)
        for place in range(number):
            if plays[place, 0] == layout.PHOENIX and key != layout.DRAGON_KEY:
                plays[place, 3] = key + 1
    elif shape == layout.PAIR:
        number = _pairs(hand, plays, 0)
    elif shape == layout.TRIPLE:
        number = _triples(hand, plays, 0)
    elif shape == layout.FULL_HOUSE:
        number = _full_houses(hand, plays, 0)
    elif shape == layout.STAIRS:
        number = _stairs(hand, plays, 0)
    elif shape == layout.STRAIGHT:
        number = _straights(hand, plays, 0)
    number = list_bombs(hand, plays, number)
    return keep_beating(plays, 0, number, kind, size, key)


@compiled
def keep_beating(plays: Plays, begin: int, number: int, kind: int, size: int, key: int) -> int:
    """Keep the plays from place `begin` on that beat the play of this kind, size and key."""
    kept = begin
    for place in range(begin, number):
        if beats(plays[place, 1], plays[place, 2], plays[place, 3], kind, size, key):
            move(plays, kept, place)
            kept += 1
    return kept


@compiled
def list_bombs_above(row: Row, hand: CardSet, plays: Plays) -> int:
    """Write the bombs of a hand that beat the play on the table."""
    number = list_bombs(hand, plays, 0)
    return keep_beating(
        plays, 0, number, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    )


@compiled_with_arrays
def list_legal(row: Row, plays: Plays) -> int:
    """Write every legal play of the seat on turn.

    If a wish binds the seat, these are the plays that fulfil it.
    """
    seat = row[layout.ON_TURN]
    hand = row[layout.HAND + seat]
    if row[layout.TOP_SEAT] < 0:
        number = list_all(hand, plays)
    else:
        number = list_above(
            hand, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY], plays
        )
    if not bound(row, seat):
        return number
    wished, kept = of_rank(row[layout.WISH]), 0
    for place in range(number):
        if plays[place, 0] & wished:
            kept += 1
    if not kept:
        return number
    kept = 0
    for place in range(number):
        if plays[place, 0] & wished:
            move(plays, kept, place)
            kept += 1
    return kept


@compiled
def bound(row: Row, seat: Seat) -> bool:
    """Return whether the open wish binds this seat, which holds the rank."""
    wish = row[layout.WISH]
    if not wish or row[layout.EXEMPT_FROM_WISHES] >> seat & 1:
        return False
    return row[layout.HAND + seat] & of_rank(wish) != 0


@compiled
def may_pass(row: Row, plays: Plays, number: int) -> bool:
    """Return whether the seat on turn may pass, given its legal plays."""
    if row[layout.TOP_SEAT] < 0:
        return False
    if number == 0 or not bound(row, row[layout.ON_TURN]):
        return True
    return plays[0, 0] & of_rank(row[layout.WISH]) == 0
