"""Classes of plays: the plays of a hand, one for all that differ by their suits alone.

Cards of bombs are used last, so that bombs stay whole. The quick policy chooses its answers from
these lists.
"""

from __future__ import annotations

from engine import CardSet
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.plays import Plays, in_bombs, keep_beating, list_bombs, put
from players.expert.rules import of_rank

MOST = 512
"""Upper bound of the number of classes of a hand.

The functions below write plays with a key over `above` (-1 for all) to `plays`, from place `number`
on, and return the new number of plays. `spared` are cards of bombs, `size` is the number of cards
that a run must have (0 for any).
"""


@compiled
def _take(group: CardSet, number: int, spared: CardSet) -> CardSet:
    """Return `number` cards of a group; the `spared` ones, which are in bombs, come last."""
    cards = 0
    for _ in range(number):
        left = group & ~cards
        free = left & ~spared
        left = free if free else left
        cards |= left & -left
    return cards


@compiled
def list_move_classes(
    hand: CardSet, top_kind: int, top_size: int, top_key: int, plays: Plays
) -> int:
    """Write the plays of a hand that beat the one on the table. Returns their number.

    A `top_kind` of -1 stands for a lead: then all plays are written.
    """
    number, spared = 0, in_bombs(hand)
    lead = top_kind < 0
    above, size = (-1, 0) if lead else (top_key, top_size)
    if lead or top_kind == layout.SINGLE:
        number = _singles(hand, spared, above, plays, number)
    if lead or top_kind == layout.PAIR:
        number = _equal(hand, spared, 2, above, plays, number)
    if lead or top_kind == layout.TRIPLE:
        number = _equal(hand, spared, 3, above, plays, number)
    if lead or top_kind == layout.FULL_HOUSE:
        number = _full_houses(hand, spared, above, plays, number)
    if lead or top_kind == layout.STAIRS:
        number = _stairs(hand, spared, size, above, plays, number)
    if lead or top_kind == layout.STRAIGHT:
        number = _straights(hand, spared, size, above, plays, number)
    if spared:
        begin = number
        number = list_bombs(hand, plays, number)
        if top_kind >= layout.FOUR_BOMB:
            number = keep_beating(plays, begin, number, top_kind, top_size, top_key)
    return number


@compiled
def _singles(hand: CardSet, spared: CardSet, above: int, plays: Plays, number: int) -> int:
    """Write one single of each rank, and the special cards; the Dog only as a lead."""
    if above < 0 and hand & layout.DOG_CARD:
        number = put(plays, number, layout.DOG_CARD, layout.DOG, 1, 0)
    if above < 2 and hand & layout.MAHJONG:
        number = put(plays, number, layout.MAHJONG, layout.SINGLE, 1, 2)
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        if group and 2 * rank > above:
            number = put(plays, number, _take(group, 1, spared), layout.SINGLE, 1, 2 * rank)
    if hand & layout.PHOENIX and above < layout.DRAGON_KEY:
        key = layout.LED_PHOENIX_KEY if above < 0 else above + 1
        number = put(plays, number, layout.PHOENIX, layout.SINGLE, 1, key)
    if hand & layout.DRAGON:
        number = put(plays, number, layout.DRAGON, layout.SINGLE, 1, layout.DRAGON_KEY)
    return number


@compiled
def _equal(hand: CardSet, spared: CardSet, size: int, above: int, plays: Plays, number: int) -> int:
    """Write pairs or triples: without the Phoenix where possible, and with it."""
    kind = layout.PAIR if size == 2 else layout.TRIPLE
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        held = count(group)
        if 2 * rank <= above or held < size - 1 or not held:
            continue
        if held >= size:
            number = put(plays, number, _take(group, size, spared), kind, size, 2 * rank)
        if hand & layout.PHOENIX:
            cards = _take(group, size - 1, spared) | layout.PHOENIX
            number = put(plays, number, cards, kind, size, 2 * rank)
    return number


@compiled
def _full_houses(hand: CardSet, spared: CardSet, above: int, plays: Plays, number: int) -> int:
    """Write full houses, with the Phoenix for a missing card of the triple or the pair."""
    for rank in range(2, 15):
        group = hand & of_rank(rank)
        held = count(group)
        if 2 * rank <= above or held < 2:
            continue
        for other in range(2, 15):
            pair = hand & of_rank(other)
            more = count(pair)
            if other == rank or not more:
                continue
            if held >= 3 and more >= 2:
                cards = _take(group, 3, spared) | _take(pair, 2, spared)
                number = put(plays, number, cards, layout.FULL_HOUSE, 5, 2 * rank)
            if hand & layout.PHOENIX and held >= 3 and more == 1:
                cards = _take(group, 3, spared) | pair | layout.PHOENIX
                number = put(plays, number, cards, layout.FULL_HOUSE, 5, 2 * rank)
            if hand & layout.PHOENIX and held == 2 and more >= 2:
                cards = group | _take(pair, 2, spared) | layout.PHOENIX
                number = put(plays, number, cards, layout.FULL_HOUSE, 5, 2 * rank)
    return number


@compiled
def _stairs(
    hand: CardSet, spared: CardSet, size: int, above: int, plays: Plays, number: int
) -> int:
    """Write stairs, with the Phoenix for a missing card."""
    for low in range(2, 14):
        cards, wild = 0, hand & layout.PHOENIX
        for rank in range(low, 15):
            group = hand & of_rank(rank)
            if count(group) >= 2:
                cards |= _take(group, 2, spared)
            elif group and wild:
                cards |= group | wild
                wild = 0
            else:
                break
            length = 2 * (rank - low + 1)
            if length >= 4 and 2 * rank > above and (length == size or not size):
                number = put(plays, number, cards, layout.STAIRS, length, 2 * rank)
    return number


@compiled
def _straights(
    hand: CardSet, spared: CardSet, size: int, above: int, plays: Plays, number: int
) -> int:
    """Write straights, with the Phoenix for a missing card or else at the upper end."""
    for low in range(1, 11):
        cards, wild = 0, hand & layout.PHOENIX
        for rank in range(low, 15):
            group = hand & of_rank(rank)
            if group:
                cards |= _take(group, 1, spared)
            elif wild and rank > 1:
                cards |= wild
                wild = 0
            else:
                break
            length = rank - low + 1
            if length < 5 or 2 * rank <= above or (size and length != size):
                continue
            held = cards if cards & layout.PHOENIX else _mixed(hand, cards)
            if held:
                number = put(plays, number, held, layout.STRAIGHT, length, 2 * rank)
    return number


@compiled
def _mixed(hand: CardSet, cards: CardSet) -> CardSet:
    """Return a straight of several suits with the same ranks; 0 if there is none."""
    for suit in range(4):
        if cards & ~(layout.SUIT << suit) == 0:
            for rank in range(2, 15):
                group = hand & of_rank(rank)
                other = group & ~cards
                if cards & of_rank(rank) and other:
                    return cards & ~of_rank(rank) | (other & -other)
            return 0
    return cards
