"""Classes of plays of two decks: one play for all that differ by their suits alone.

A list of plays is an array with a row for each play: the numbers of `players.expert.plays`, and the
cards that are in it twice. Cards of bombs are used last.
"""

from __future__ import annotations

from engine import CardSet, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled
from players.expert.layout import Row
from players.expert.plays import CARDS, KEY, KIND, SIZE, PlayRow, Plays, in_bombs, list_bombs
from players.expert.rules import of_rank
from players.expert.two_decks.hands import (
    Cards,
    by_rank,
    number_of,
    phoenixes,
    take,
    together,
    wilds,
)
from players.expert.two_decks.layout import HAND

TWICE = 4
"""Place of the cards that are in a play twice."""
PLAY = 5
"""Number of values of a play."""
MOST = 1024
"""Upper bound of the number of classes of a hand.

The functions below write plays with a key over `above` (-1 for all) to `plays`, from place `number`
on, and return the new number of plays. `spared` are cards of bombs, `size` is the number of cards
that a run must have (0 for any).
"""


@compiled
def put(plays: Plays, number: int, cards: Cards, kind: int, size: int, key: int) -> int:
    """Append a play at place `number`. Returns the new number of plays."""
    plays[number, CARDS] = cards.ones
    plays[number, KIND] = kind
    plays[number, SIZE] = size
    plays[number, KEY] = key
    plays[number, TWICE] = cards.twos
    return number + 1


@compiled
def move(plays: Plays, target: int, source: int) -> None:
    """Copy the play at place `source` of a list to place `target`."""
    copy_to(plays, target, plays[source])


@compiled
def copy_to(plays: Plays, target: int, play: PlayRow) -> None:
    """Copy a play to place `target` of a list."""
    for place in range(PLAY):
        plays[target, place] = play[place]


@compiled
def cards_of(play: PlayRow) -> Cards:
    """Return the cards of a play."""
    return Cards(play[CARDS], play[TWICE])


@compiled
def beats(kind: int, size: int, key: int, top_kind: int, top_size: int, top_key: int) -> bool:
    """Return whether a play may be laid on another one.

    A Phoenix alone has the key that it gets on that play. Of two Dragons the second beats the
    first.
    """
    if kind >= layout.FOUR_BOMB:
        if top_kind < layout.FOUR_BOMB:
            return True
        return size > top_size or (size == top_size and key > top_key)
    if kind != top_kind or size != top_size:
        return False
    return key > top_key or key == layout.DRAGON_KEY


@compiled
def put_bombs(hand: Cards, kind: int, size: int, key: int, plays: Plays, number: int) -> int:
    """Write the bombs of a hand that beat a play."""
    begin = number
    number = list_bombs(hand.ones, plays, number)
    kept = begin
    for place in range(begin, number):
        if beats(plays[place, KIND], plays[place, SIZE], plays[place, KEY], kind, size, key):
            plays[place, TWICE] = 0
            move(plays, kept, place)
            kept += 1
    return kept


@compiled
def list_move_classes(hand: Cards, top_kind: int, top_size: int, top_key: int, plays: Plays) -> int:
    """Write the plays of a hand that beat the one on the table. Returns their number.

    A `top_kind` of -1 stands for a lead: then all plays are written.
    """
    number, spared = 0, in_bombs(hand.ones)
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
        number = put_bombs(hand, top_kind, top_size, top_key, plays, number)
    return number


@compiled
def _singles(hand: Cards, spared: CardSet, above: int, plays: Plays, number: int) -> int:
    """Write one single of each rank, and the special cards."""
    if above < 2 and hand.ones & layout.MAHJONG:
        number = put(plays, number, Cards(layout.MAHJONG, 0), layout.SINGLE, 1, 2)
    for rank in range(max(2, above // 2 + 1), 15):
        if hand.ones & of_rank(rank):
            card = take(hand, of_rank(rank), 1, spared)
            number = put(plays, number, card, layout.SINGLE, 1, 2 * rank)
    if hand.ones & layout.PHOENIX and above < layout.DRAGON_KEY:
        key = layout.LED_PHOENIX_KEY if above < 0 else above + 1
        number = put(plays, number, Cards(layout.PHOENIX, 0), layout.SINGLE, 1, key)
    if hand.ones & layout.DRAGON:
        card = Cards(layout.DRAGON, 0)
        number = put(plays, number, card, layout.SINGLE, 1, layout.DRAGON_KEY)
    return number


@compiled
def _equal(hand: Cards, spared: CardSet, size: int, above: int, plays: Plays, number: int) -> int:
    """Write pairs or triples: without a Phoenix where possible, and with one or two."""
    kind = layout.PAIR if size == 2 else layout.TRIPLE
    counts, wild = by_rank(hand), wilds(hand)
    for rank in range(max(2, above // 2 + 1), 15):
        of_this = number_of(counts, rank)
        for helpers in range(min(wild, size - 1) + 1):
            if of_this + helpers >= size:
                cards = take(hand, of_rank(rank), size - helpers, spared)
                cards = together(cards, phoenixes(helpers))
                number = put(plays, number, cards, kind, size, 2 * rank)
    return number


@compiled
def _full_houses(hand: Cards, spared: CardSet, above: int, plays: Plays, number: int) -> int:
    """Write full houses, with Phoenixes for missing cards."""
    counts, wild = by_rank(hand), wilds(hand)
    for rank in range(max(2, above // 2 + 1), 15):
        triple = min(3, number_of(counts, rank))
        if not triple or triple + wild < 3:
            continue
        for other in range(2, 15):
            pair = min(2, number_of(counts, other))
            helpers = 5 - triple - pair
            if other == rank or not pair or helpers > wild:
                continue
            cards = together(
                take(hand, of_rank(rank), triple, spared), take(hand, of_rank(other), pair, spared)
            )
            cards = together(cards, phoenixes(helpers))
            number = put(plays, number, cards, layout.FULL_HOUSE, 5, 2 * rank)
    return number


@compiled
def _stairs(hand: Cards, spared: CardSet, size: int, above: int, plays: Plays, number: int) -> int:
    """Write stairs, with Phoenixes for missing cards."""
    counts, wild = by_rank(hand), wilds(hand)
    for low in range(2, 14):
        cards, used = Cards(low & 0, low & 0), 0
        for rank in range(low, 15):
            pair = min(2, number_of(counts, rank))
            used += 2 - pair
            if not pair or used > wild:
                break
            cards = together(cards, take(hand, of_rank(rank), pair, spared))
            length = 2 * (rank - low + 1)
            if length >= 4 and 2 * rank > above and (length == size or not size):
                whole = together(cards, phoenixes(used))
                number = put(plays, number, whole, layout.STAIRS, length, 2 * rank)
    return number


@compiled
def _straights(
    hand: Cards, spared: CardSet, size: int, above: int, plays: Plays, number: int
) -> int:
    """Write straights, with Phoenixes for missing cards or else at the upper end."""
    wild = wilds(hand)
    for low in range(1, 11):
        cards, used = Cards(low & 0, low & 0), 0
        for rank in range(low, 15):
            if hand.ones & of_rank(rank):
                cards = together(cards, take(hand, of_rank(rank), 1, spared))
            elif used < wild and rank > 1:
                used += 1
            else:
                break
            length = rank - low + 1
            if length < 5 or 2 * rank <= above or (size and length != size):
                continue
            if used or not one_suited(cards.ones):
                whole = together(cards, phoenixes(used))
                number = put(plays, number, whole, layout.STRAIGHT, length, 2 * rank)
            else:
                number = _mixed(hand, cards, low, rank, plays, number)
    return number


@compiled
def one_suited(cards: CardSet) -> bool:
    """Return whether all cards are ordinary cards of one suit."""
    found = False
    for suit in range(4):
        found = found or cards & ~(layout.SUIT << suit) == 0
    return found


@compiled
def _mixed(hand: Cards, cards: Cards, low: Rank, high: Rank, plays: Plays, number: int) -> int:
    """Write straights of the same ranks that are not bombs.

    They have one card of another suit, or a Phoenix. The Phoenix replaces once the lowest and once
    the highest card, because either may have the wished rank.
    """
    for rank in range(low, high + 1):
        other = hand.ones & of_rank(rank) & ~cards.ones
        if other:
            changed = Cards(cards.ones & ~of_rank(rank) | (other & -other), 0)
            return put(plays, number, changed, layout.STRAIGHT, high - low + 1, 2 * high)
    if hand.ones & layout.PHOENIX:
        for rank in (low, high):
            changed = Cards(cards.ones & ~of_rank(rank) | layout.PHOENIX, 0)
            number = put(plays, number, changed, layout.STRAIGHT, high - low + 1, 2 * high)
    return number


@compiled
def bound(row: Row, seat: Seat) -> bool:
    """Return whether the open wish binds this seat, because it holds the rank."""
    return row[layout.WISH] != 0 and row[HAND + seat] & of_rank(row[layout.WISH]) != 0


@compiled
def keep_wished(row: Row, plays: Plays, number: int) -> tuple[int, bool]:
    """Keep the plays that fulfil the open wish, if there are any and it binds the seat.

    Returns the number of plays left, and whether the seat must lay one of them.
    """
    if not bound(row, row[layout.ON_TURN]):
        return number, False
    wished, kept = of_rank(row[layout.WISH]), 0
    for place in range(number):
        if plays[place, CARDS] & wished:
            move(plays, kept, place)
            kept += 1
    return (kept, True) if kept else (number, False)
