"""Splitting a hand into few plays: the plan that the playing policy follows."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert import weights as by
from bench.frozen.expert_2026_11.expert.compiled import compiled, count, lowest
from bench.frozen.expert_2026_11.expert.plays import list_bombs, move, put
from bench.frozen.expert_2026_11.expert.rules import of_rank

LONGEST = 16
"""More plays than any hand has."""
_RUNS = 160
Scratch = Any


def scratch() -> Scratch:
    """Room that `split` works in."""
    return np.zeros((2, _RUNS, 4), np.int64)


@compiled
def effort(cards: int, kind: int, size: int, key: int, w: Any) -> float:
    """How hard a play is to get rid of."""
    rank = key >> 1
    if kind == at.SINGLE:
        if cards == at.PHOENIX:
            return w[by.PHOENIX]
        if cards == at.DRAGON:
            return w[by.DRAGON]
        return w[by.SINGLES + rank]
    if kind == at.PAIR:
        return w[by.PAIRS + rank]
    if kind == at.TRIPLE:
        return w[by.TRIPLES + rank]
    if kind == at.FULL_HOUSE:
        return w[by.FULL_HOUSES + rank]
    if kind == at.STRAIGHT:
        return w[by.STRAIGHT] + w[by.STRAIGHT_RANK] * rank + w[by.STRAIGHT_SIZE] * size
    if kind == at.STAIRS:
        return w[by.STAIRS] + w[by.STAIRS_RANK] * rank + w[by.STAIRS_SIZE] * size
    if kind == at.DOG:
        return w[by.SINGLES]
    return w[by.FOUR_BOMB] if kind == at.FOUR_BOMB else w[by.STRAIGHT_BOMB]


@compiled
def _phoenix_place(ones: int, twos: int, w: Any) -> int:
    """The rank that a Phoenix is best laid with, 0 for alone; ranks held once and twice as bits."""
    best, place = w[by.PHOENIX], 0
    left = ones
    while left:
        rank = lowest(left)
        left &= left - 1
        change = w[by.PAIRS + rank] - w[by.SINGLES + rank]
        if change < best:
            best, place = change, rank
    left = twos
    while left:
        rank = lowest(left)
        left &= left - 1
        change = w[by.TRIPLES + rank] - w[by.PAIRS + rank]
        others = twos & ~(1 << rank)
        if others:
            pair = w[by.PAIRS + lowest(others)]
            house = w[by.FULL_HOUSES + rank] - w[by.PAIRS + rank] - pair
            change = min(change, house)
        if change < best:
            best, place = change, rank
    return place


@compiled
def _counts(hand: int) -> tuple[int, int, int, int]:
    """The ranks held once, twice, three and four times, as bits."""
    ones = twos = threes = fours = 0
    left = hand & at.NATURALS
    while left:
        place = lowest(left) >> 2
        held = left >> (4 * place) & 15
        left &= ~(15 << (4 * place))
        bit = 4 << place
        number = count(held)
        if number == 1:
            ones |= bit
        elif number == 2:
            twos |= bit
        elif number == 3:
            threes |= bit
        else:
            fours |= bit
    return ones, twos, threes, fours


@compiled
def _groups(hand: int, w: Any) -> tuple[int, int, int, int, int]:
    """As `_counts`, with the Phoenix where it is best laid; the last is that rank, 0 for alone."""
    ones, twos, threes, fours = _counts(hand)
    wild = _phoenix_place(ones, twos, w) if hand & at.PHOENIX else 0
    if wild and ones >> wild & 1:
        ones ^= 1 << wild
        twos |= 1 << wild
    elif wild:
        twos ^= 1 << wild
        threes |= 1 << wild
    return ones, twos, threes, fours, wild


@compiled
def _pair_for(rank: int, twos: int, w: Any) -> int:
    """The lowest pair, where it is better laid with a triple of this rank than alone; else 0."""
    if not twos:
        return 0
    pair = lowest(twos)
    apart = w[by.TRIPLES + rank] + w[by.PAIRS + pair]
    return pair if w[by.FULL_HOUSES + rank] < apart else 0


@compiled
def _grouped_effort(hand: int, w: Any) -> float:
    """The effort of a hand laid by ranks: bombs, full houses, triples, pairs and singles."""
    ones, twos, threes, fours, wild = _groups(hand, w)
    total = w[by.FOUR_BOMB] * count(fours)
    if hand & at.PHOENIX and not wild:
        total += w[by.PHOENIX]
    if hand & at.MAHJONG:
        total += w[by.SINGLES + 1]
    if hand & at.DOG_CARD:
        total += w[by.SINGLES]
    if hand & at.DRAGON:
        total += w[by.DRAGON]
    while threes:
        rank = lowest(threes)
        threes &= threes - 1
        pair = _pair_for(rank, twos, w)
        twos &= ~(1 << pair)
        total += w[by.FULL_HOUSES + rank] if pair else w[by.TRIPLES + rank]
    while twos:
        total += w[by.PAIRS + lowest(twos)]
        twos &= twos - 1
    while ones:
        total += w[by.SINGLES + lowest(ones)]
        ones &= ones - 1
    return total


@compiled
def _held(hand: int, rank: int, wild: int) -> int:
    """The cards of a rank, with the Phoenix where it stands for one."""
    cards = hand & of_rank(rank)
    return cards | at.PHOENIX if rank == wild else cards


@compiled
def _put_groups(hand: int, w: Any, plan: Any, number: int) -> int:
    """The plays that `_grouped_effort` counts."""
    ones, twos, threes, fours, wild = _groups(hand, w)
    if hand & at.PHOENIX and not wild:
        number = put(plan, number, at.PHOENIX, at.SINGLE, 1, at.PHOENIX_LED)
    if hand & at.MAHJONG:
        number = put(plan, number, at.MAHJONG, at.SINGLE, 1, 2)
    if hand & at.DOG_CARD:
        number = put(plan, number, at.DOG_CARD, at.DOG, 1, 0)
    if hand & at.DRAGON:
        number = put(plan, number, at.DRAGON, at.SINGLE, 1, at.DRAGON_KEY)
    while fours:
        rank = lowest(fours)
        fours &= fours - 1
        number = put(plan, number, of_rank(rank), at.FOUR_BOMB, 4, 2 * rank)
    while threes:
        rank = lowest(threes)
        threes &= threes - 1
        cards, pair = _held(hand, rank, wild), _pair_for(rank, twos, w)
        twos &= ~(1 << pair)
        if pair:
            cards |= _held(hand, pair, wild)
            number = put(plan, number, cards, at.FULL_HOUSE, 5, 2 * rank)
        else:
            number = put(plan, number, cards, at.TRIPLE, 3, 2 * rank)
    while twos:
        rank = lowest(twos)
        twos &= twos - 1
        number = put(plan, number, _held(hand, rank, wild), at.PAIR, 2, 2 * rank)
    while ones:
        rank = lowest(ones)
        ones &= ones - 1
        number = put(plan, number, hand & of_rank(rank), at.SINGLE, 1, 2 * rank)
    return number


@compiled
def _list_runs(hand: int, runs: Any) -> int:
    """Straights, stairs and straight bombs worth taking out of the hand whole."""
    number = 0
    ones, twos, threes, fours = _counts(hand)
    many = twos | threes | fours
    present = ones | many | (hand >> 52 & 1) << 1
    wild = hand & at.PHOENIX
    for low in range(1, 12):
        if not present >> low & 1:
            continue
        if count(present >> low & 31) + (wild != 0) < 5:
            continue
        cards, helper = 0, wild
        for rank in range(low, 15):
            if present >> rank & 1:
                group = hand & of_rank(rank)
                cards |= group & -group
            elif helper:
                cards |= helper
                helper = 0
            else:
                break
            size = rank - low + 1
            if size >= 5 and number < _RUNS:
                number = put(runs, number, cards, at.STRAIGHT, size, 2 * rank)
        else:
            if helper and low > 2 and number < _RUNS:  # nothing above the ace
                size = 16 - low
                number = put(runs, number, cards | helper, at.STRAIGHT, size, 28)
    for low in range(2, 14):
        if not present >> low & 1:
            continue
        cards, helper = 0, wild
        for rank in range(low, 15):
            group = hand & of_rank(rank)
            first = group & -group
            rest = group ^ first
            if many >> rank & 1:
                cards |= first | (rest & -rest)
            elif first and helper:
                cards |= first | helper
                helper = 0
            else:
                break
            if rank > low and number < _RUNS:
                number = put(runs, number, cards, at.STAIRS, 2 * (rank - low + 1), 2 * rank)
    naturals = hand & at.NATURALS
    if naturals & naturals >> 4 & naturals >> 8 & naturals >> 12 & naturals >> 16:
        begin = number
        if number < _RUNS - 30:
            number = list_bombs(hand, runs, number)
        kept = begin
        for place in range(begin, number):
            if runs[place, 1] == at.STRAIGHT_BOMB:
                move(runs, kept, place)
                kept += 1
        number = kept
    return number


@compiled
def split_effort(hand: int, w: Any, room: Scratch) -> float:
    """The effort of the best way found to split a hand into plays."""
    best, _, _ = _best_runs(hand, w, room)
    return best


@compiled
def _best_runs(hand: int, w: Any, room: Scratch) -> tuple[float, int, int]:
    """The least effort, and the one or two runs taken out for it: places in `room`, -1 for none.

    The second one is in the list of what the first one leaves.
    """
    best, one, two = _grouped_effort(hand, w), -1, -1
    if count(hand) < 4:
        return best, one, two
    first = _list_runs(hand, room[0])
    for place in range(first):
        run = room[0, place]
        rest = hand & ~run[0]
        taken = effort(run[0], run[1], run[2], run[3], w)
        total = taken + _grouped_effort(rest, w)
        if total < best - 1e-9:
            best, one, two = total, place, -1
        if count(rest) < 4:
            continue
        second = _list_runs(rest, room[1])
        for other in range(second):
            more = room[1, other]
            if more[0] < run[0]:  # the same two the other way round
                continue
            left = rest & ~more[0]
            total = taken + effort(more[0], more[1], more[2], more[3], w)
            total += _grouped_effort(left, w)
            if total < best - 1e-9:
                best, one, two = total, place, other
    return best, one, two


@compiled
def split(hand: int, w: Any, room: Scratch, plan: Any) -> int:
    """Split a hand into the plays of least effort; returns how many they are."""
    _, one, two = _best_runs(hand, w, room)
    number = 0
    if one >= 0:
        run = room[0, one]
        number = put(plan, number, run[0], run[1], run[2], run[3])
        hand &= ~plan[0, 0]
        if two >= 0:
            _list_runs(hand, room[1])
            run = room[1, two]
            number = put(plan, number, run[0], run[1], run[2], run[3])
            hand &= ~plan[1, 0]
    return _put_groups(hand, w, plan, number)
