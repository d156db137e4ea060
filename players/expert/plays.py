"""Every play of a hand with exact cards: what the rules allow, for random rounds and the choice.

A list of plays is an array of rows `cards, kind, size, key`; functions return how many are in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from players.expert import layout as at
from players.expert.compiled import compiled, compiled_with_arrays, count, lowest
from players.expert.rules import of_rank

CARDS, KIND, SIZE, KEY = range(4)
"""Places in a play."""
MOST = 1 << 14
"""More plays than any hand of fifteen cards has."""
Plays = Any
"""An array of `numpy.int64` with `MOST` rows of four."""


def make_plays() -> Plays:
    """An empty list of plays."""
    return np.zeros((MOST, 4), np.int64)


@compiled
def put(plays: Plays, number: int, cards: int, kind: int, size: int, key: int) -> int:
    """Write a play at the end of a list; returns how long it is now."""
    plays[number, 0] = cards
    plays[number, 1] = kind
    plays[number, 2] = size
    plays[number, 3] = key
    return number + 1


@compiled
def move(plays: Plays, to: int, place: int) -> None:
    """Copy a play within a list."""
    plays[to, 0] = plays[place, 0]
    plays[to, 1] = plays[place, 1]
    plays[to, 2] = plays[place, 2]
    plays[to, 3] = plays[place, 3]


@compiled
def single_key(card: int) -> int:
    """What one card is compared by when led, in half ranks."""
    if card & at.NATURALS:
        return 2 * (lowest(card) // 4 + 2)
    if card == at.MAHJONG:
        return 2
    return at.PHOENIX_LED if card == at.PHOENIX else at.DRAGON_KEY


@compiled
def _singles(hand: int, plays: Plays, number: int) -> int:
    left = hand & ~at.DOG_CARD
    while left:
        card = left & -left
        left ^= card
        number = put(plays, number, card, at.SINGLE, 1, single_key(card))
    return number


@compiled
def _pairs(hand: int, plays: Plays, number: int) -> int:
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        first = group
        while first:
            one = first & -first
            first ^= one
            if hand & at.PHOENIX:
                number = put(plays, number, one | at.PHOENIX, at.PAIR, 2, 2 * rank)
            second = first
            while second:
                other = second & -second
                second ^= other
                number = put(plays, number, one | other, at.PAIR, 2, 2 * rank)
    return number


@compiled
def _triples(hand: int, plays: Plays, number: int) -> int:
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        size = count(group)
        if size == 3:
            number = put(plays, number, group, at.TRIPLE, 3, 2 * rank)
        elif size == 4:
            left = group
            while left:
                one = left & -left
                left ^= one
                number = put(plays, number, group ^ one, at.TRIPLE, 3, 2 * rank)
        if hand & at.PHOENIX and size >= 2:
            first = group
            while first:
                one = first & -first
                first ^= one
                second = first
                while second:
                    other = second & -second
                    second ^= other
                    cards = one | other | at.PHOENIX
                    number = put(plays, number, cards, at.TRIPLE, 3, 2 * rank)
    return number


@compiled
def _full_houses(hand: int, plays: Plays, number: int) -> int:
    triples = number
    pairs = _triples(hand, plays, triples)
    end = _pairs(hand, plays, pairs)
    found = end
    for triple in range(triples, pairs):
        for pair in range(pairs, end):
            if plays[triple, 3] != plays[pair, 3] and not plays[triple, 0] & plays[pair, 0]:
                cards = plays[triple, 0] | plays[pair, 0]
                found = put(plays, found, cards, at.FULL_HOUSE, 5, plays[triple, 3])
    for place in range(found - end):  # over the triples and pairs, which are needed no more
        move(plays, number + place, end + place)
    return number + found - end


@compiled_with_arrays
def _stairs(hand: int, plays: Plays, number: int) -> int:
    pairs = np.empty((96, 4), np.int64)
    total = _pairs(hand, pairs, 0)
    for start in range(total):
        begin, low = number, pairs[start, 3]
        number = put(plays, number, pairs[start, 0], at.STAIRS, 2, low)
        longer, size = begin, 4
        while longer < number:  # each round makes those of one pair more
            last = number
            for shorter in range(longer, last):
                for pair in range(total):
                    if (
                        pairs[pair, 3] == low + size - 2
                        and not pairs[pair, 0] & plays[shorter, 0] & at.PHOENIX
                    ):
                        cards = pairs[pair, 0] | plays[shorter, 0]
                        number = put(plays, number, cards, at.STAIRS, size, low + size - 2)
            longer, size = last, size + 2
        for place in range(begin + 1, number):  # all but the lone pair
            move(plays, place - 1, place)
        number -= 1
    return number


@compiled
def _one_suited(cards: int) -> bool:
    found = False
    for suit in range(4):
        found = found or cards & ~(at.SUIT << suit) == 0
    return found


@compiled
def _straights(hand: int, plays: Plays, number: int) -> int:
    present = 0
    for rank in range(1, 15):
        if hand & of_rank(rank):
            present |= 1 << rank
    wild = hand & at.PHOENIX
    for low in range(1, 11):
        if count((present >> low) & 31) + (wild != 0) < 5:
            continue
        begin = number
        number = put(plays, number, 0, at.STRAIGHT, 0, 0)
        shorter, rank = begin, low
        while rank < 15:
            last = number
            for partial in range(shorter, last):
                left = hand & of_rank(rank)
                while left:
                    card = left & -left
                    left ^= card
                    cards = plays[partial, 0] | card
                    number = put(plays, number, cards, at.STRAIGHT, rank - low + 1, 2 * rank)
                if wild and rank > 1 and not plays[partial, 0] & wild:
                    cards = plays[partial, 0] | wild
                    number = put(plays, number, cards, at.STRAIGHT, rank - low + 1, 2 * rank)
            if last == number:
                break
            shorter, rank = last, rank + 1
        kept = begin
        for place in range(begin, number):
            if plays[place, 2] >= 5 and not _one_suited(plays[place, 0]):
                move(plays, kept, place)
                kept += 1
        number = kept
    return number


@compiled
def list_bombs(hand: int, plays: Plays, number: int) -> int:
    """Add all bombs of a hand."""
    for rank in range(2, 15):
        if hand & of_rank(rank) == of_rank(rank):
            number = put(plays, number, of_rank(rank), at.FOUR_BOMB, 4, 2 * rank)
    runs = hand & at.NATURALS
    runs &= runs >> 4 & runs >> 8 & runs >> 12 & runs >> 16
    while runs:
        first = lowest(runs)
        runs &= runs - 1
        cards, card, size = 0, 1 << first, 0
        while card & hand & at.NATURALS:
            cards |= card
            size += 1
            if size >= 5:
                key = 2 * (first // 4 + 1 + size)
                number = put(plays, number, cards, at.STRAIGHT_BOMB, size, key)
            card <<= 4
    return number


@compiled
def in_bombs(hand: int) -> int:
    """The cards of a hand that belong to a bomb."""
    cards = hand & at.NATURALS
    runs = cards & cards >> 4 & cards >> 8 & cards >> 12 & cards >> 16
    found = runs | runs << 4 | runs << 8 | runs << 12 | runs << 16
    fours = cards & cards >> 1 & cards >> 2 & cards >> 3 & at.SUIT
    return found | fours | fours << 1 | fours << 2 | fours << 3


@compiled
def beats(kind: int, size: int, key: int, top_kind: int, top_size: int, top_key: int) -> bool:
    """Whether one play may be laid on another; a Phoenix alone has its value on it already."""
    if kind >= at.FOUR_BOMB:
        if top_kind < at.FOUR_BOMB:
            return True
        return size > top_size or (size == top_size and key > top_key)
    return kind == top_kind and size == top_size and key > top_key and kind != at.DOG


@compiled_with_arrays
def list_all(hand: int, plays: Plays) -> int:
    """Everything that can be led."""
    number = _singles(hand, plays, 0)
    if hand & at.DOG_CARD:
        number = put(plays, number, at.DOG_CARD, at.DOG, 1, 0)
    number = _pairs(hand, plays, number)
    number = _triples(hand, plays, number)
    number = _full_houses(hand, plays, number)
    number = _stairs(hand, plays, number)
    number = _straights(hand, plays, number)
    return list_bombs(hand, plays, number)


@compiled_with_arrays
def list_above(hand: int, kind: int, size: int, key: int, plays: Plays) -> int:
    """Everything that beats a play."""
    number, shape = 0, kind
    if size > count(hand):
        shape = at.STRAIGHT_BOMB  # nothing of that size: only bombs
    if shape == at.SINGLE:
        number = _singles(hand, plays, 0)
        for place in range(number):
            if plays[place, 0] == at.PHOENIX and key != at.DRAGON_KEY:
                plays[place, 3] = key + 1
    elif shape == at.PAIR:
        number = _pairs(hand, plays, 0)
    elif shape == at.TRIPLE:
        number = _triples(hand, plays, 0)
    elif shape == at.FULL_HOUSE:
        number = _full_houses(hand, plays, 0)
    elif shape == at.STAIRS:
        number = _stairs(hand, plays, 0)
    elif shape == at.STRAIGHT:
        number = _straights(hand, plays, 0)
    number = list_bombs(hand, plays, number)
    return _keep_beating(plays, number, kind, size, key)


@compiled
def _keep_beating(plays: Plays, number: int, kind: int, size: int, key: int) -> int:
    kept = 0
    for place in range(number):
        if beats(plays[place, 1], plays[place, 2], plays[place, 3], kind, size, key):
            move(plays, kept, place)
            kept += 1
    return kept


@compiled
def list_bombs_above(row: Any, hand: int, plays: Plays) -> int:
    """The bombs of a hand that beat what lies on the table."""
    number = list_bombs(hand, plays, 0)
    return _keep_beating(plays, number, row[at.TOP_KIND], row[at.TOP_SIZE], row[at.TOP_KEY])


@compiled_with_arrays
def list_legal(row: Any, plays: Plays) -> int:
    """What the seat on turn may lay, the wish respected."""
    seat = row[at.ON_TURN]
    hand = row[at.HAND + seat]
    if row[at.TOP_SEAT] < 0:
        number = list_all(hand, plays)
    else:
        number = list_above(hand, row[at.TOP_KIND], row[at.TOP_SIZE], row[at.TOP_KEY], plays)
    if not bound(row, seat):
        return number
    wished, kept = of_rank(row[at.WISH]), 0
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
def bound(row: Any, seat: int) -> bool:
    """Whether this seat holds the wished rank and has to heed the wish if it can."""
    wish = row[at.WISH]
    if not wish or row[at.FREE_OF_WISH] >> seat & 1:
        return False
    return row[at.HAND + seat] & of_rank(wish) != 0


@compiled
def may_pass(row: Any, plays: Plays, number: int) -> bool:
    """Whether the seat on turn may pass, given its legal plays."""
    if row[at.TOP_SEAT] < 0:
        return False
    if number == 0 or not bound(row, row[at.ON_TURN]):
        return True
    return plays[0, 0] & of_rank(row[at.WISH]) == 0
