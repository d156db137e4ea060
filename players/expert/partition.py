"""Splitting a hand into few plays: the plan of the quick policy.

Up to two runs (straights, stairs, straight bombs) are taken out of the hand and the rest is laid by
ranks, in the way of least effort. `players.expert.weights` explains effort.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from engine import CardSet, Rank, RankSet
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count, lowest
from players.expert.plays import Plays, list_bombs, move, put
from players.expert.rules import of_rank
from players.expert.weights import Weights

LONGEST = 16
"""Upper bound of the number of plays of a plan."""
_RUNS = 160
"""Maximum runs of a hand to consider."""
Runs: TypeAlias = Any
"""Two lists of plays: runs of a hand, and runs of the cards that the first run leaves."""


def make_runs() -> Runs:
    """Return empty lists of runs as work arrays for `split` and `split_effort`."""
    return np.zeros((2, _RUNS, 4), np.int64)


@compiled
def effort(cards: CardSet, kind: int, size: int, key: int, weights: Weights) -> float:
    """Return the effort of a play: how hard it is to get rid of."""
    rank = key >> 1
    if kind == layout.SINGLE:
        if cards == layout.PHOENIX:
            return weights[weight.PHOENIX]
        if cards == layout.DRAGON:
            return weights[weight.DRAGON]
        return weights[weight.SINGLES + rank]
    if kind == layout.PAIR:
        return weights[weight.PAIRS + rank]
    if kind == layout.TRIPLE:
        return weights[weight.TRIPLES + rank]
    if kind == layout.FULL_HOUSE:
        return weights[weight.FULL_HOUSES + rank]
    if kind == layout.STRAIGHT:
        return (
            weights[weight.STRAIGHT]
            + weights[weight.STRAIGHT_RANK] * rank
            + weights[weight.STRAIGHT_SIZE] * size
        )
    if kind == layout.STAIRS:
        return (
            weights[weight.STAIRS]
            + weights[weight.STAIRS_RANK] * rank
            + weights[weight.STAIRS_SIZE] * size
        )
    if kind == layout.DOG:
        return weights[weight.SINGLES]
    return weights[weight.FOUR_BOMB] if kind == layout.FOUR_BOMB else weights[weight.STRAIGHT_BOMB]


@compiled
def _phoenix_place(ones: RankSet, twos: RankSet, weights: Weights) -> Rank:
    """Return the best rank to lay a Phoenix with; 0 for alone.

    `ones` and `twos` are the ranks held once and twice.
    """
    best, place = weights[weight.PHOENIX], 0
    left = ones
    while left:
        rank = lowest(left)
        left &= left - 1
        change = weights[weight.PAIRS + rank] - weights[weight.SINGLES + rank]
        if change < best:
            best, place = change, rank
    left = twos
    while left:
        rank = lowest(left)
        left &= left - 1
        change = weights[weight.TRIPLES + rank] - weights[weight.PAIRS + rank]
        others = twos & ~(1 << rank)
        if others:
            pair = weights[weight.PAIRS + lowest(others)]
            house = weights[weight.FULL_HOUSES + rank] - weights[weight.PAIRS + rank] - pair
            change = min(change, house)
        if change < best:
            best, place = change, rank
    return place


@compiled
def _counts(hand: CardSet) -> tuple[RankSet, RankSet, RankSet, RankSet]:
    """Return the ranks held once, twice, three and four times."""
    ones = twos = threes = fours = 0
    left = hand & layout.NATURALS
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
def _groups(hand: CardSet, weights: Weights) -> tuple[RankSet, RankSet, RankSet, RankSet, Rank]:
    """Return the ranks of `_counts`, with the Phoenix counted where it is best laid.

    The last number is the rank of the Phoenix, 0 for none.
    """
    ones, twos, threes, fours = _counts(hand)
    wild = _phoenix_place(ones, twos, weights) if hand & layout.PHOENIX else 0
    if wild and ones >> wild & 1:
        ones ^= 1 << wild
        twos |= 1 << wild
    elif wild:
        twos ^= 1 << wild
        threes |= 1 << wild
    return ones, twos, threes, fours, wild


@compiled
def _pair_for(rank: Rank, twos: RankSet, weights: Weights) -> Rank:
    """Return the rank of the lowest pair, if a triple of `rank` should take it; else 0."""
    if not twos:
        return 0
    pair = lowest(twos)
    apart = weights[weight.TRIPLES + rank] + weights[weight.PAIRS + pair]
    return pair if weights[weight.FULL_HOUSES + rank] < apart else 0


@compiled
def _grouped_effort(hand: CardSet, weights: Weights) -> float:
    """Return the effort of a hand without runs.

    It is laid as bombs, full houses, triples, pairs and singles.
    """
    ones, twos, threes, fours, wild = _groups(hand, weights)
    total = weights[weight.FOUR_BOMB] * count(fours)
    if hand & layout.PHOENIX and not wild:
        total += weights[weight.PHOENIX]
    if hand & layout.MAHJONG:
        total += weights[weight.SINGLES + 1]
    if hand & layout.DOG_CARD:
        total += weights[weight.SINGLES]
    if hand & layout.DRAGON:
        total += weights[weight.DRAGON]
    while threes:
        rank = lowest(threes)
        threes &= threes - 1
        pair = _pair_for(rank, twos, weights)
        twos &= ~(1 << pair)
        total += weights[weight.FULL_HOUSES + rank] if pair else weights[weight.TRIPLES + rank]
    while twos:
        total += weights[weight.PAIRS + lowest(twos)]
        twos &= twos - 1
    while ones:
        total += weights[weight.SINGLES + lowest(ones)]
        ones &= ones - 1
    return total


@compiled
def _held(hand: CardSet, rank: Rank, wild: Rank) -> CardSet:
    """Return the cards of a rank, with the Phoenix if it is laid with this rank (`wild`)."""
    cards = hand & of_rank(rank)
    return cards | layout.PHOENIX if rank == wild else cards


@compiled
def _put_groups(hand: CardSet, weights: Weights, plan: Plays, number: int) -> int:
    """Write the plays that `_grouped_effort` counts to a plan. Returns the plan's new length."""
    ones, twos, threes, fours, wild = _groups(hand, weights)
    if hand & layout.PHOENIX and not wild:
        number = put(plan, number, layout.PHOENIX, layout.SINGLE, 1, layout.LED_PHOENIX_KEY)
    if hand & layout.MAHJONG:
        number = put(plan, number, layout.MAHJONG, layout.SINGLE, 1, 2)
    if hand & layout.DOG_CARD:
        number = put(plan, number, layout.DOG_CARD, layout.DOG, 1, 0)
    if hand & layout.DRAGON:
        number = put(plan, number, layout.DRAGON, layout.SINGLE, 1, layout.DRAGON_KEY)
    while fours:
        rank = lowest(fours)
        fours &= fours - 1
        number = put(plan, number, of_rank(rank), layout.FOUR_BOMB, 4, 2 * rank)
    while threes:
        rank = lowest(threes)
        threes &= threes - 1
        cards, pair = _held(hand, rank, wild), _pair_for(rank, twos, weights)
        twos &= ~(1 << pair)
        if pair:
            cards |= _held(hand, pair, wild)
            number = put(plan, number, cards, layout.FULL_HOUSE, 5, 2 * rank)
        else:
            number = put(plan, number, cards, layout.TRIPLE, 3, 2 * rank)
    while twos:
        rank = lowest(twos)
        twos &= twos - 1
        number = put(plan, number, _held(hand, rank, wild), layout.PAIR, 2, 2 * rank)
    while ones:
        rank = lowest(ones)
        ones &= ones - 1
        number = put(plan, number, hand & of_rank(rank), layout.SINGLE, 1, 2 * rank)
    return number


@compiled
def _list_runs(hand: CardSet, runs: Plays) -> int:
    """Write the runs worth taking out of a hand to `runs`. Returns their number."""
    ones, twos, threes, fours = _counts(hand)
    many = twos | threes | fours
    present = ones | many | (hand >> 52 & 1) << 1
    number = _list_straights(hand, present, runs)
    number = _list_stairs(hand, present, many, runs, number)
    return _list_straight_bombs(hand, runs, number)


@compiled
def _list_straights(hand: CardSet, present: RankSet, runs: Plays) -> int:
    """Write the straights from each rank on, with the Phoenix in the first gap or on top.

    `present` are the ranks with at least one card.
    """
    number, wild = 0, hand & layout.PHOENIX
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
                number = put(runs, number, cards, layout.STRAIGHT, size, 2 * rank)
        else:
            if helper and low > 2 and number < _RUNS:  # nothing is above the ace, so below
                size = 16 - low
                number = put(runs, number, cards | helper, layout.STRAIGHT, size, 28)
    return number


@compiled
def _list_stairs(hand: CardSet, present: RankSet, many: RankSet, runs: Plays, number: int) -> int:
    """Write the stairs from each rank on, with the Phoenix for the first missing card.

    `present` are the ranks with at least one card, `many` those with at least two.
    """
    wild = hand & layout.PHOENIX
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
                number = put(runs, number, cards, layout.STAIRS, 2 * (rank - low + 1), 2 * rank)
    return number


@compiled
def _list_straight_bombs(hand: CardSet, runs: Plays, number: int) -> int:
    """Write the straight bombs of a hand, if the list has space for all possible ones."""
    naturals = hand & layout.NATURALS
    if not naturals & naturals >> 4 & naturals >> 8 & naturals >> 12 & naturals >> 16:
        return number
    end = list_bombs(hand, runs, number) if number < _RUNS - 30 else number
    for place in range(number, end):
        if runs[place, 1] == layout.STRAIGHT_BOMB:
            move(runs, number, place)
            number += 1
    return number


@compiled
def split_effort(hand: CardSet, weights: Weights, runs: Runs) -> float:
    """Return the effort of the best way found to split a hand into plays."""
    best, _, _ = _best_runs(hand, weights, runs)
    return best


@compiled
def _best_runs(hand: CardSet, weights: Weights, runs: Runs) -> tuple[float, int, int]:
    """Return the least effort of a hand, and the one or two runs to take out for it.

    Both runs are places in lists of `runs`, -1 for none: the first in the list of the hand, the
    second in the list of the cards that the first one leaves.
    """
    best, one, two = _grouped_effort(hand, weights), -1, -1
    if count(hand) < 4:
        return best, one, two
    first = _list_runs(hand, runs[0])
    for place in range(first):
        run = runs[0, place]
        rest = hand & ~run[0]
        taken = effort(run[0], run[1], run[2], run[3], weights)
        total = taken + _grouped_effort(rest, weights)
        if total < best - 1e-9:
            best, one, two = total, place, -1
        if count(rest) < 4:
            continue
        second = _list_runs(rest, runs[1])
        for other in range(second):
            more = runs[1, other]
            if more[0] < run[0]:  # already tried in the other order
                continue
            left = rest & ~more[0]
            total = taken + effort(more[0], more[1], more[2], more[3], weights)
            total += _grouped_effort(left, weights)
            if total < best - 1e-9:
                best, one, two = total, place, other
    return best, one, two


@compiled
def split(hand: CardSet, weights: Weights, runs: Runs, plan: Plays) -> int:
    """Write the split of a hand with the least effort to `plan`.

    Returns the number of plays.
    """
    _, one, two = _best_runs(hand, weights, runs)
    number = 0
    if one >= 0:
        run = runs[0, one]
        number = put(plan, number, run[0], run[1], run[2], run[3])
        hand &= ~plan[0, 0]
        if two >= 0:
            _list_runs(hand, runs[1])
            run = runs[1, two]
            number = put(plan, number, run[0], run[1], run[2], run[3])
            hand &= ~plan[1, 0]
    return _put_groups(hand, weights, plan, number)
