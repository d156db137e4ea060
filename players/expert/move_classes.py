"""Lists one play of each class; plays of a class differ only in suits.

The listed play takes the fewest cards out of bombs. The quick policy chooses its answers from these
lists.

`plays` already holds `end` plays. Each function for a kind of play appends its plays whose key is
higher than `above` (-1: all of them), and returns the new number of plays. `spared` are the cards
of bombs. `size` is the number of cards that a run must have, 0 for any.
"""

from __future__ import annotations

from engine import CardSet
from players.expert import layout
from players.expert.compiled import compiled, count
from players.expert.plays import Plays, append_play, in_bombs, keep_plays_above, list_bombs
from players.expert.rules import cards_of_rank

MOST = 512
"""Upper bound of the number of classes of a hand."""


@compiled
def _take_cards(group: CardSet, size: int, spared: CardSet) -> CardSet:
    """Return `size` cards of a group; `spared` ones, which belong to bombs, are taken last."""
    cards = 0
    for _ in range(size):
        candidates = group & ~cards
        free = candidates & ~spared
        candidates = free if free else candidates
        cards |= candidates & -candidates
    return cards


@compiled
def list_move_classes(
    hand: CardSet, top_kind: int, top_size: int, top_key: int, plays: Plays
) -> int:
    """Write the plays of a hand that beat the one on the table. Returns their number.

    A `top_kind` of -1 stands for a lead: then all plays are written.
    """
    end, spared = 0, in_bombs(hand)
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
        begin = end
        end = list_bombs(hand, plays, end)
        if top_kind >= layout.FOUR_BOMB:
            end = keep_plays_above(plays, begin, end, top_kind, top_size, top_key)
    return end


@compiled
def _singles(hand: CardSet, spared: CardSet, above: int, plays: Plays, end: int) -> int:
    """Append one single of each rank, and the special cards; the Dog only as a lead."""
    if above < 0 and hand & layout.DOG_CARD:
        end = append_play(plays, end, layout.DOG_CARD, layout.DOG, 1, 0)
    if above < 2 and hand & layout.MAHJONG:
        end = append_play(plays, end, layout.MAHJONG, layout.SINGLE, 1, 2)
    for rank in range(2, 15):
        group = hand & cards_of_rank(rank)
        if group and 2 * rank > above:
            end = append_play(plays, end, _take_cards(group, 1, spared), layout.SINGLE, 1, 2 * rank)
    if hand & layout.PHOENIX and above < layout.DRAGON_KEY:
        key = layout.LED_PHOENIX_KEY if above < 0 else above + 1
        end = append_play(plays, end, layout.PHOENIX, layout.SINGLE, 1, key)
    if hand & layout.DRAGON:
        end = append_play(plays, end, layout.DRAGON, layout.SINGLE, 1, layout.DRAGON_KEY)
    return end


@compiled
def _pairs_or_triples(
    hand: CardSet, spared: CardSet, size: int, above: int, plays: Plays, end: int
) -> int:
    """Append pairs or triples of each rank, without the Phoenix and with it."""
    kind = layout.PAIR if size == 2 else layout.TRIPLE
    for rank in range(2, 15):
        group = hand & cards_of_rank(rank)
        held = count(group)
        if 2 * rank <= above or held < size - 1 or not held:
            continue
        if held >= size:
            end = append_play(plays, end, _take_cards(group, size, spared), kind, size, 2 * rank)
        if hand & layout.PHOENIX:
            cards = _take_cards(group, size - 1, spared) | layout.PHOENIX
            end = append_play(plays, end, cards, kind, size, 2 * rank)
    return end


@compiled
def _full_houses(hand: CardSet, spared: CardSet, above: int, plays: Plays, end: int) -> int:
    """Append full houses, also with the Phoenix for a missing card of the triple or the pair."""
    for rank in range(2, 15):
        group = hand & cards_of_rank(rank)
        held = count(group)
        if 2 * rank <= above or held < 2:
            continue
        for pair_rank in range(2, 15):
            pair = hand & cards_of_rank(pair_rank)
            pair_held = count(pair)
            if pair_rank == rank or not pair_held:
                continue
            if held >= 3 and pair_held >= 2:
                cards = _take_cards(group, 3, spared) | _take_cards(pair, 2, spared)
                end = append_play(plays, end, cards, layout.FULL_HOUSE, 5, 2 * rank)
            if hand & layout.PHOENIX and held >= 3 and pair_held == 1:
                cards = _take_cards(group, 3, spared) | pair | layout.PHOENIX
                end = append_play(plays, end, cards, layout.FULL_HOUSE, 5, 2 * rank)
            if hand & layout.PHOENIX and held == 2 and pair_held >= 2:
                cards = group | _take_cards(pair, 2, spared) | layout.PHOENIX
                end = append_play(plays, end, cards, layout.FULL_HOUSE, 5, 2 * rank)
    return end


@compiled
def _stairs(hand: CardSet, spared: CardSet, size: int, above: int, plays: Plays, end: int) -> int:
    """Append stairs, with the Phoenix for a missing card."""
    for low in range(2, 14):
        cards, wild = 0, hand & layout.PHOENIX
        for rank in range(low, 15):
            group = hand & cards_of_rank(rank)
            if count(group) >= 2:
                cards |= _take_cards(group, 2, spared)
            elif group and wild:
                cards |= group | wild
                wild = 0
            else:
                break
            length = 2 * (rank - low + 1)
            if length >= 4 and 2 * rank > above and (length == size or not size):
                end = append_play(plays, end, cards, layout.STAIRS, length, 2 * rank)
    return end


@compiled
def _straights(
    hand: CardSet, spared: CardSet, size: int, above: int, plays: Plays, end: int
) -> int:
    """Append straights, with the Phoenix for a missing card or else at the upper end."""
    for low in range(1, 11):
        cards, wild = 0, hand & layout.PHOENIX
        for rank in range(low, 15):
            group = hand & cards_of_rank(rank)
            if group:
                cards |= _take_cards(group, 1, spared)
            elif wild and rank > 1:
                cards |= wild
                wild = 0
            else:
                break
            length = rank - low + 1
            if length < 5 or 2 * rank <= above or (size and length != size):
                continue
            mixed = cards if cards & layout.PHOENIX else _mix_suits(hand, cards)
            if mixed:
                end = append_play(plays, end, mixed, layout.STRAIGHT, length, 2 * rank)
    return end


@compiled
def _mix_suits(hand: CardSet, cards: CardSet) -> CardSet:
    """Return a straight of the ranks of `cards` that is not of one suit; 0 if there is none."""
    for suit in range(4):
        if cards & ~(layout.SUIT << suit) == 0:
            for rank in range(2, 15):
                group = hand & cards_of_rank(rank)
                other = group & ~cards
                if cards & cards_of_rank(rank) and other:
                    return cards & ~cards_of_rank(rank) | (other & -other)
            return 0
    return cards
