"""All legal plays of a hand, with exact cards.

A list of plays is an array with a row for each play: its cards, kind, size and key (see
`players.expert.layout`). The functions append plays to a list that has `end` plays so far, and
return its new length.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from engine import CardSet, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled, compiled_with_arrays, count, lowest
from players.expert.layout import Row
from players.expert.rules import cards_of_rank

CARDS, KIND, SIZE, KEY = range(4)
"""Places of the four numbers of a play."""
MOST = 1 << 14
"""Upper bound of the number of plays of a hand of fifteen cards."""
Plays: TypeAlias = Any
"""List of plays: an array of `numpy.int64`, four in each row."""
PlayRow: TypeAlias = Any
"""One play: a row of a list."""
_MOST_PAIRS = 96
"""Upper bound of the number of pairs of a hand."""
_FIVE_RANKS = 0b11111
"""The five lowest ranks of a set of ranks."""


def make_plays() -> Plays:
    """Return an empty list of plays, with `MOST` rows."""
    return np.zeros((MOST, 4), np.int64)


@compiled
def append_play(plays: Plays, end: int, cards: CardSet, kind: int, size: int, key: int) -> int:
    """Append a play to a list of `end` plays. Returns the new length of the list."""
    plays[end, CARDS] = cards
    plays[end, KIND] = kind
    plays[end, SIZE] = size
    plays[end, KEY] = key
    return end + 1


@compiled
def copy_play(plays: Plays, target: int, source: int) -> None:
    """Copy the play at place `source` of a list to place `target`."""
    plays[target, CARDS] = plays[source, CARDS]
    plays[target, KIND] = plays[source, KIND]
    plays[target, SIZE] = plays[source, SIZE]
    plays[target, KEY] = plays[source, KEY]


@compiled
def single_key(card: CardSet) -> int:
    """Return the key of one card that is led alone."""
    if card & layout.NATURALS:
        return 2 * (lowest(card) // 4 + 2)
    if card == layout.MAHJONG:
        return 2
    return layout.LED_PHOENIX_KEY if card == layout.PHOENIX else layout.DRAGON_KEY


@compiled
def _singles(hand: CardSet, plays: Plays, end: int) -> int:
    """Append every single of a hand."""
    left = hand & ~layout.DOG_CARD
    while left:
        card = left & -left
        left ^= card
        end = append_play(plays, end, card, layout.SINGLE, 1, single_key(card))
    return end


@compiled
def _pairs(hand: CardSet, plays: Plays, end: int) -> int:
    """Append every pair of a hand."""
    for rank in range(2, 15):
        left = hand & cards_of_rank(rank)
        while left:
            one = left & -left
            left ^= one
            if hand & layout.PHOENIX:
                end = append_play(plays, end, one | layout.PHOENIX, layout.PAIR, 2, 2 * rank)
            others = left
            while others:
                other = others & -others
                others ^= other
                end = append_play(plays, end, one | other, layout.PAIR, 2, 2 * rank)
    return end


@compiled
def _triples(hand: CardSet, plays: Plays, end: int) -> int:
    """Append every triple of a hand."""
    for rank in range(2, 15):
        group = hand & cards_of_rank(rank)
        size = count(group)
        if size == 3:
            end = append_play(plays, end, group, layout.TRIPLE, 3, 2 * rank)
        elif size == 4:
            left = group
            while left:
                one = left & -left
                left ^= one
                end = append_play(plays, end, group ^ one, layout.TRIPLE, 3, 2 * rank)
        if hand & layout.PHOENIX and size >= 2:
            left = group
            while left:
                one = left & -left
                left ^= one
                others = left
                while others:
                    other = others & -others
                    others ^= other
                    cards = one | other | layout.PHOENIX
                    end = append_play(plays, end, cards, layout.TRIPLE, 3, 2 * rank)
    return end


@compiled
def _full_houses(hand: CardSet, plays: Plays, end: int) -> int:
    """Append every full house of a hand."""
    triples_begin = end
    pairs_begin = _triples(hand, plays, triples_begin)
    pairs_end = _pairs(hand, plays, pairs_begin)
    houses_end = pairs_end
    for triple in range(triples_begin, pairs_begin):
        for pair in range(pairs_begin, pairs_end):
            if (
                plays[triple, KEY] != plays[pair, KEY]
                and not plays[triple, CARDS] & plays[pair, CARDS]
            ):
                cards = plays[triple, CARDS] | plays[pair, CARDS]
                houses_end = append_play(
                    plays, houses_end, cards, layout.FULL_HOUSE, 5, plays[triple, KEY]
                )
    # The triples and pairs in front of them were only needed to combine them.
    for place in range(houses_end - pairs_end):
        copy_play(plays, end + place, pairs_end + place)
    return end + houses_end - pairs_end


@compiled_with_arrays
def _stairs(hand: CardSet, plays: Plays, end: int) -> int:
    """Append all stairs of a hand: from each pair on, longer and longer ones."""
    pairs = np.empty((_MOST_PAIRS, 4), np.int64)
    pair_count = _pairs(hand, pairs, 0)
    for start in range(pair_count):
        begin, low = end, pairs[start, KEY]
        end = append_play(plays, end, pairs[start, CARDS], layout.STAIRS, 2, low)
        shorter_begin, size = begin, 4
        # Each iteration appends all stairs with one more pair than those of the last one.
        while shorter_begin < end:
            shorter_end, key = end, low + size - 2  # of the highest pair; ranks are two apart
            for shorter in range(shorter_begin, shorter_end):
                for pair in range(pair_count):
                    if (
                        pairs[pair, KEY] == key
                        and not pairs[pair, CARDS] & plays[shorter, CARDS] & layout.PHOENIX
                    ):
                        cards = pairs[pair, CARDS] | plays[shorter, CARDS]
                        end = append_play(plays, end, cards, layout.STAIRS, size, key)
            shorter_begin, size = shorter_end, size + 2
        for place in range(begin + 1, end):  # drop the first one, which is a lone pair
            copy_play(plays, place - 1, place)
        end -= 1
    return end


@compiled
def _one_suited(cards: CardSet) -> bool:
    """Return whether all cards are ordinary cards of one suit."""
    is_one_suited = False
    for suit in range(4):
        is_one_suited = is_one_suited or cards & ~(layout.SUIT << suit) == 0
    return is_one_suited


@compiled
def _straights(hand: CardSet, plays: Plays, end: int) -> int:
    """Append every straight of a hand that is not a bomb."""
    present = 0
    for rank in range(1, 15):
        if hand & cards_of_rank(rank):
            present |= 1 << rank
    wild = hand & layout.PHOENIX
    for low in range(1, 11):
        if count((present >> low) & _FIVE_RANKS) + (wild != 0) >= 5:
            end = _straights_from(hand, low, plays, end)
    return end


@compiled
def _straights_from(hand: CardSet, low: Rank, plays: Plays, end: int) -> int:
    """Append the straights with this lowest rank.

    It begins with one empty straight. Each rank is then added, in all ways, to the straights that
    end below it. In the end those that are too short or of one suit are removed.
    """
    begin, wild = end, hand & layout.PHOENIX
    end = append_play(plays, end, 0, layout.STRAIGHT, 0, 0)
    shorter_begin, rank = begin, low
    while rank < 15:
        shorter_end = end
        for shorter in range(shorter_begin, shorter_end):
            left = hand & cards_of_rank(rank)
            while left:
                card = left & -left
                left ^= card
                cards = plays[shorter, CARDS] | card
                end = append_play(plays, end, cards, layout.STRAIGHT, rank - low + 1, 2 * rank)
            if wild and rank > 1 and not plays[shorter, CARDS] & wild:
                cards = plays[shorter, CARDS] | wild
                end = append_play(plays, end, cards, layout.STRAIGHT, rank - low + 1, 2 * rank)
        if shorter_end == end:
            break
        shorter_begin, rank = shorter_end, rank + 1
    kept = begin
    for place in range(begin, end):
        if plays[place, SIZE] >= 5 and not _one_suited(plays[place, CARDS]):
            copy_play(plays, kept, place)
            kept += 1
    return kept


@compiled
def list_bombs(hand: CardSet, plays: Plays, end: int) -> int:
    """Append all bombs of a hand."""
    for rank in range(2, 15):
        if hand & cards_of_rank(rank) == cards_of_rank(rank):
            end = append_play(plays, end, cards_of_rank(rank), layout.FOUR_BOMB, 4, 2 * rank)
    starts = hand & layout.NATURALS  # the next card of a suit is 4 bits higher
    starts &= starts >> 4 & starts >> 8 & starts >> 12 & starts >> 16  # five in a row
    while starts:
        first = lowest(starts)
        starts &= starts - 1
        cards, card, size = 0, 1 << first, 0
        while card & hand & layout.NATURALS:
            cards |= card
            size += 1
            if size >= 5:
                key = 2 * (first // 4 + 1 + size)  # `first` has rank `first // 4 + 2`
                end = append_play(plays, end, cards, layout.STRAIGHT_BOMB, size, key)
            card <<= 4
    return end


@compiled
def in_bombs(hand: CardSet) -> CardSet:
    """Return the cards of a hand that belong to a bomb."""
    cards = hand & layout.NATURALS
    # Cards with the next four of their suit above them, then all five cards of these bombs.
    starts = cards & cards >> 4 & cards >> 8 & cards >> 12 & cards >> 16
    straights = starts | starts << 4 | starts << 8 | starts << 12 | starts << 16
    # The first card of each rank that is held in all four suits, then all four cards.
    fours = cards & cards >> 1 & cards >> 2 & cards >> 3 & layout.SUIT
    return straights | fours | fours << 1 | fours << 2 | fours << 3


@compiled
def beats(kind: int, size: int, key: int, top_kind: int, top_size: int, top_key: int) -> bool:
    """Return whether a play may be laid on another one.

    The key of a Phoenix alone must be the one that it has on that play.
    """
    if kind >= layout.FOUR_BOMB:
        if top_kind < layout.FOUR_BOMB:
            return True
        return size > top_size or (size == top_size and key > top_key)
    return kind == top_kind and size == top_size and key > top_key and kind != layout.DOG


@compiled_with_arrays
def list_plays(hand: CardSet, plays: Plays) -> int:
    """Write every play of a hand. Returns their number."""
    end = _singles(hand, plays, 0)
    if hand & layout.DOG_CARD:
        end = append_play(plays, end, layout.DOG_CARD, layout.DOG, 1, 0)
    end = _pairs(hand, plays, end)
    end = _triples(hand, plays, end)
    end = _full_houses(hand, plays, end)
    end = _stairs(hand, plays, end)
    end = _straights(hand, plays, end)
    return list_bombs(hand, plays, end)


@compiled_with_arrays
def list_plays_above(hand: CardSet, kind: int, size: int, key: int, plays: Plays) -> int:
    """Write every play of a hand that beats another one. Returns their number."""
    end, shape = 0, kind
    if size > count(hand):
        shape = layout.STRAIGHT_BOMB  # only a bomb can have another size
    if shape == layout.SINGLE:
        end = _singles(hand, plays, 0)
        for place in range(end):
            if plays[place, CARDS] == layout.PHOENIX and key != layout.DRAGON_KEY:
                plays[place, KEY] = key + 1
    elif shape == layout.PAIR:
        end = _pairs(hand, plays, 0)
    elif shape == layout.TRIPLE:
        end = _triples(hand, plays, 0)
    elif shape == layout.FULL_HOUSE:
        end = _full_houses(hand, plays, 0)
    elif shape == layout.STAIRS:
        end = _stairs(hand, plays, 0)
    elif shape == layout.STRAIGHT:
        end = _straights(hand, plays, 0)
    end = list_bombs(hand, plays, end)
    return keep_plays_above(plays, 0, end, kind, size, key)


@compiled
def keep_plays_above(plays: Plays, begin: int, end: int, kind: int, size: int, key: int) -> int:
    """Remove the plays from place `begin` on that do not beat the play with this key."""
    new_end = begin
    for place in range(begin, end):
        if beats(plays[place, KIND], plays[place, SIZE], plays[place, KEY], kind, size, key):
            copy_play(plays, new_end, place)
            new_end += 1
    return new_end


@compiled
def list_bombs_above(row: Row, hand: CardSet, plays: Plays) -> int:
    """Write the bombs of a hand that beat the play on the table. Returns their number."""
    end = list_bombs(hand, plays, 0)
    return keep_plays_above(
        plays, 0, end, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY]
    )


@compiled_with_arrays
def list_legal(row: Row, plays: Plays) -> int:
    """Write every legal play of the seat on turn. Returns their number.

    If the seat is bound by a wish and can fulfil it, these are the plays that do.
    """
    seat = row[layout.ON_TURN]
    hand = row[layout.HAND + seat]
    if row[layout.TOP_SEAT] < 0:
        end = list_plays(hand, plays)
    else:
        end = list_plays_above(
            hand, row[layout.TOP_KIND], row[layout.TOP_SIZE], row[layout.TOP_KEY], plays
        )
    if not bound_by_wish(row, seat):
        return end
    wished, new_end = cards_of_rank(row[layout.WISH]), 0
    for place in range(end):
        if plays[place, CARDS] & wished:
            copy_play(plays, new_end, place)
            new_end += 1
    return new_end if new_end else end


@compiled
def bound_by_wish(row: Row, seat: Seat) -> bool:
    """Return whether the open wish binds this seat: it must obey wishes and holds the rank."""
    wish = row[layout.WISH]
    if not wish or row[layout.EXEMPT_FROM_WISHES] >> seat & 1:
        return False
    return row[layout.HAND + seat] & cards_of_rank(wish) != 0


@compiled
def may_pass(row: Row, plays: Plays, number: int) -> bool:
    """Return whether the seat on turn may pass, given the `number` of its legal `plays`."""
    if row[layout.TOP_SEAT] < 0:
        return False
    if number == 0 or not bound_by_wish(row, row[layout.ON_TURN]):
        return True
    # Either all legal plays fulfil the wish or none can.
    return plays[0, CARDS] & cards_of_rank(row[layout.WISH]) == 0
