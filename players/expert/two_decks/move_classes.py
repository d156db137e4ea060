"""Classes of plays of two decks: of plays that differ by their suits alone, only one is listed.

It is one with as few cards of bombs as possible. A list of plays is an array with a row for each
play: the numbers of `players.expert.plays`, and the cards that are in the play twice.

Functions for one kind of play append the plays with a key over `above` (-1 for all) to `plays`, a
list of `end` plays, and return its new length. `spared` are the cards of bombs. `size` is the
number of cards that a run must have, 0 for any.
"""

from __future__ import annotations

from engine import CardSet, Rank, Seat
from players.expert import layout
from players.expert.compiled import compiled
from players.expert.layout import Row
from players.expert.plays import CARDS, KEY, KIND, SIZE, PlayRow, Plays, in_bombs, list_bombs
from players.expert.rules import cards_of_rank
from players.expert.two_decks.hands import (
    Cards,
    count_by_rank,
    count_of_rank,
    count_phoenixes,
    empty_set,
    phoenixes,
    take_cards,
    union,
)
from players.expert.two_decks.layout import HAND

TWICE = 4
"""Place of the cards that are in a play twice."""
PLAY = 5
"""Number of values of a play."""
MOST = 1024
"""Upper bound of the number of classes of a hand."""


@compiled
def append_play(plays: Plays, end: int, cards: Cards, kind: int, size: int, key: int) -> int:
    """Append a play to a list of `end` plays. Returns the new length of the list."""
    plays[end, CARDS] = cards.ones
    plays[end, KIND] = kind
    plays[end, SIZE] = size
    plays[end, KEY] = key
    plays[end, TWICE] = cards.twos
    return end + 1


@compiled
def copy_play(plays: Plays, target: int, source: int) -> None:
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

    The key of a Phoenix alone must be the one that it has on that play. The second Dragon beats
    the first.
    """
    if kind >= layout.FOUR_BOMB:
        if top_kind < layout.FOUR_BOMB:
            return True
        return size > top_size or (size == top_size and key > top_key)
    if kind != top_kind or size != top_size:
        return False
    return key > top_key or key == layout.DRAGON_KEY


@compiled
def append_bombs(hand: Cards, kind: int, size: int, key: int, plays: Plays, end: int) -> int:
    """Append the bombs of a hand that beat the play of this kind, size and key."""
    begin = end
    end = list_bombs(hand.ones, plays, end)
    new_end = begin
    for place in range(begin, end):
        if beats(plays[place, KIND], plays[place, SIZE], plays[place, KEY], kind, size, key):
            plays[place, TWICE] = 0
            copy_play(plays, new_end, place)
            new_end += 1
    return new_end


@compiled
def list_move_classes(hand: Cards, top_kind: int, top_size: int, top_key: int, plays: Plays) -> int:
    """Write the plays of a hand that beat the one on the table. Returns their number.

    A `top_kind` of -1 stands for a lead: then all plays are written.
    """
    end, spared = 0, in_bombs(hand.ones)
    lead = top_kind < 0
    above, size = (-1, 0) if lead else (top_key, top_size)
    if lead or top_kind == layout.SINGLE:
        end = _singles(hand, spared, above, plays, end)
    if lead or top_kind == layout.PAIR:
        end = _pairs_or_triples(hand, spared, 2, above, plays, end)
    if lead or top_kind == layout.TRIPLE:
        end = _pairs_or_triples(hand, spared, 3, above, plays, end)
    if lead or top_kind == layout.FULL_HOUSE:
        end = _full_houses(hand, spared, above, plays, end)
    if lead or top_kind == layout.STAIRS:
        end = _stairs(hand, spared, size, above, plays, end)
    if lead or top_kind == layout.STRAIGHT:
        end = _straights(hand, spared, size, above, plays, end)
    if spared:
        end = append_bombs(hand, top_kind, top_size, top_key, plays, end)
    return end


@compiled
def _singles(hand: Cards, spared: CardSet, above: int, plays: Plays, end: int) -> int:
    """Append one single of each rank, and the special cards."""
    if above < 2 and hand.ones & layout.MAHJONG:
        end = append_play(plays, end, Cards(layout.MAHJONG, 0), layout.SINGLE, 1, 2)
    for rank in range(max(2, above // 2 + 1), 15):
        if hand.ones & cards_of_rank(rank):
            card = take_cards(hand, cards_of_rank(rank), 1, spared)
            end = append_play(plays, end, card, layout.SINGLE, 1, 2 * rank)
    if hand.ones & layout.PHOENIX and above < layout.DRAGON_KEY:
        key = layout.LED_PHOENIX_KEY if above < 0 else above + 1
        end = append_play(plays, end, Cards(layout.PHOENIX, 0), layout.SINGLE, 1, key)
    if hand.ones & layout.DRAGON:
        card = Cards(layout.DRAGON, 0)
        end = append_play(plays, end, card, layout.SINGLE, 1, layout.DRAGON_KEY)
    return end


@compiled
def _pairs_or_triples(
    hand: Cards, spared: CardSet, size: int, above: int, plays: Plays, end: int
) -> int:
    """Append pairs or triples of each rank, without a Phoenix and with one or two."""
    kind = layout.PAIR if size == 2 else layout.TRIPLE
    counts, wild = count_by_rank(hand), count_phoenixes(hand)
    for rank in range(max(2, above // 2 + 1), 15):
        held = count_of_rank(counts, rank)
        for phoenix_count in range(min(wild, size - 1) + 1):
            if held + phoenix_count >= size:
                cards = take_cards(hand, cards_of_rank(rank), size - phoenix_count, spared)
                cards = union(cards, phoenixes(phoenix_count))
                end = append_play(plays, end, cards, kind, size, 2 * rank)
    return end


@compiled
def _full_houses(hand: Cards, spared: CardSet, above: int, plays: Plays, end: int) -> int:
    """Append full houses, with Phoenixes for missing cards."""
    counts, wild = count_by_rank(hand), count_phoenixes(hand)
    for rank in range(max(2, above // 2 + 1), 15):
        triple = min(3, count_of_rank(counts, rank))
        if not triple or triple + wild < 3:
            continue
        for other in range(2, 15):
            pair = min(2, count_of_rank(counts, other))
            phoenix_count = 5 - triple - pair
            if other == rank or not pair or phoenix_count > wild:
                continue
            cards = union(
                take_cards(hand, cards_of_rank(rank), triple, spared),
                take_cards(hand, cards_of_rank(other), pair, spared),
            )
            cards = union(cards, phoenixes(phoenix_count))
            end = append_play(plays, end, cards, layout.FULL_HOUSE, 5, 2 * rank)
    return end


@compiled
def _stairs(hand: Cards, spared: CardSet, size: int, above: int, plays: Plays, end: int) -> int:
    """Append stairs, with Phoenixes for missing cards."""
    counts, wild = count_by_rank(hand), count_phoenixes(hand)
    for low in range(2, 14):
        cards, used = empty_set(low), 0
        for rank in range(low, 15):
            pair = min(2, count_of_rank(counts, rank))
            used += 2 - pair
            if not pair or used > wild:
                break
            cards = union(cards, take_cards(hand, cards_of_rank(rank), pair, spared))
            length = 2 * (rank - low + 1)
            if length >= 4 and 2 * rank > above and (length == size or not size):
                stairs = union(cards, phoenixes(used))
                end = append_play(plays, end, stairs, layout.STAIRS, length, 2 * rank)
    return end


@compiled
def _straights(hand: Cards, spared: CardSet, size: int, above: int, plays: Plays, end: int) -> int:
    """Append straights, with Phoenixes for missing cards or else at the upper end."""
    wild = count_phoenixes(hand)
    for low in range(1, 11):
        cards, used = empty_set(low), 0
        for rank in range(low, 15):
            if hand.ones & cards_of_rank(rank):
                cards = union(cards, take_cards(hand, cards_of_rank(rank), 1, spared))
            elif used < wild and rank > 1:
                used += 1
            else:
                break
            length = rank - low + 1
            if length < 5 or 2 * rank <= above or (size and length != size):
                continue
            if used or not one_suited(cards.ones):
                straight = union(cards, phoenixes(used))
                end = append_play(plays, end, straight, layout.STRAIGHT, length, 2 * rank)
            else:
                end = _mix_suits(hand, cards, low, rank, plays, end)
    return end


@compiled
def one_suited(cards: CardSet) -> bool:
    """Return whether all cards are ordinary cards of one suit."""
    is_one_suited = False
    for suit in range(4):
        is_one_suited = is_one_suited or cards & ~(layout.SUIT << suit) == 0
    return is_one_suited


@compiled
def _mix_suits(hand: Cards, cards: Cards, low: Rank, high: Rank, plays: Plays, end: int) -> int:
    """Append a straight of the same ranks that is no bomb, because one card has another suit.

    If there is no such card, append two with a Phoenix. It replaces the lowest card in one and the
    highest card in the other, because either of them may have the wished rank.
    """
    for rank in range(low, high + 1):
        other = hand.ones & cards_of_rank(rank) & ~cards.ones
        if other:
            changed = Cards(cards.ones & ~cards_of_rank(rank) | (other & -other), 0)
            return append_play(plays, end, changed, layout.STRAIGHT, high - low + 1, 2 * high)
    if hand.ones & layout.PHOENIX:
        for rank in (low, high):
            changed = Cards(cards.ones & ~cards_of_rank(rank) | layout.PHOENIX, 0)
            end = append_play(plays, end, changed, layout.STRAIGHT, high - low + 1, 2 * high)
    return end


@compiled
def bound_by_wish(row: Row, seat: Seat) -> bool:
    """Return whether the open wish binds this seat, because it holds the rank."""
    return row[layout.WISH] != 0 and row[HAND + seat] & cards_of_rank(row[layout.WISH]) != 0


@compiled
def keep_wished(row: Row, plays: Plays, end: int) -> tuple[int, bool]:
    """Remove plays that do not fulfil the open wish, if it binds the seat and some do.

    Returns the number of plays that are left, and whether the seat must lay one of them.
    """
    if not bound_by_wish(row, row[layout.ON_TURN]):
        return end, False
    wished, new_end = cards_of_rank(row[layout.WISH]), 0
    for place in range(end):
        if plays[place, CARDS] & wished:
            copy_play(plays, new_end, place)
            new_end += 1
    return (new_end, True) if new_end else (end, False)
