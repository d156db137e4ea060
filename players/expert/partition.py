"""Splitting a hand into few plays: the plan of the quick policy.

At most two runs (straights, stairs, straight bombs) are taken out of the hand. The other cards form
groups of one rank: bombs, triples, pairs and singles, and full houses. Of all these ways the one
with the least effort is chosen. `players.expert.weights` explains effort.

The functions that append plays to a list get its length `end`, and return its new length.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from engine import CardSet, Rank, RankSet
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count, lowest
from players.expert.plays import (
    CARDS,
    KEY,
    KIND,
    SIZE,
    Plays,
    append_play,
    copy_play,
    list_bombs,
)
from players.expert.rules import cards_of_rank
from players.expert.weights import Weights

LONGEST = 16
"""Upper bound of the number of plays of a plan."""
_RUNS = 160
"""Maximum runs of a hand to consider."""
_SHORTEST_RUN = 4
"""Number of cards of the shortest run: stairs of two pairs."""
_MOST_STRAIGHT_BOMBS = 30
"""Upper bound of the number of straight bombs of a hand."""
_FIVE_RANKS = 0b11111
"""The five lowest ranks of a set of ranks."""
_ACE_KEY = 28
"""Key of a run that ends with the ace."""
_ROUNDING = 1e-9
"""Differences of efforts to ignore: rounding errors."""
Runs: TypeAlias = Any
"""Two lists of plays: the runs of a hand, and the runs of the cards that one of them leaves."""


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
def _best_phoenix_rank(ones: RankSet, twos: RankSet, weights: Weights) -> Rank:
    """Return the rank with which the Phoenix saves the most effort; 0 to lay it alone.

    It makes a pair of one of `ones`, the ranks held once, or a triple of one of `twos`.
    """
    best_change, best_rank = weights[weight.PHOENIX], 0
    remaining = ones
    while remaining:
        rank = lowest(remaining)
        remaining &= remaining - 1
        change = weights[weight.PAIRS + rank] - weights[weight.SINGLES + rank]
        if change < best_change:
            best_change, best_rank = change, rank
    remaining = twos
    while remaining:
        rank = lowest(remaining)
        remaining &= remaining - 1
        change = weights[weight.TRIPLES + rank] - weights[weight.PAIRS + rank]
        others = twos & ~(1 << rank)
        if others:  # the triple may also form a full house with the lowest other pair
            pair = weights[weight.PAIRS + lowest(others)]
            house_change = weights[weight.FULL_HOUSES + rank] - weights[weight.PAIRS + rank] - pair
            change = min(change, house_change)
        if change < best_change:
            best_change, best_rank = change, rank
    return best_rank


@compiled
def _ranks_by_count(hand: CardSet) -> tuple[RankSet, RankSet, RankSet, RankSet]:
    """Return the sets of ranks held once, twice, three and four times."""
    ones = twos = threes = fours = 0
    remaining = hand & layout.NATURALS
    while remaining:
        place = lowest(remaining) >> 2
        group = remaining >> (4 * place) & 15
        remaining &= ~(15 << (4 * place))
        bit = 4 << place  # rank 2, whose cards have the lowest bits, is bit 2
        group_size = count(group)
        if group_size == 1:
            ones |= bit
        elif group_size == 2:
            twos |= bit
        elif group_size == 3:
            threes |= bit
        else:
            fours |= bit
    return ones, twos, threes, fours


@compiled
def _groups_with_phoenix(
    hand: CardSet, weights: Weights
) -> tuple[RankSet, RankSet, RankSet, RankSet, Rank]:
    """Return the sets of `_ranks_by_count`, and the rank that the Phoenix joins (0 for none).

    The Phoenix counts as one more card of that rank.
    """
    ones, twos, threes, fours = _ranks_by_count(hand)
    wild = _best_phoenix_rank(ones, twos, weights) if hand & layout.PHOENIX else 0
    if wild and ones >> wild & 1:
        ones ^= 1 << wild
        twos |= 1 << wild
    elif wild:
        twos ^= 1 << wild
        threes |= 1 << wild
    return ones, twos, threes, fours, wild


@compiled
def _pair_for_triple(rank: Rank, twos: RankSet, weights: Weights) -> Rank:
    """Return the lowest pair, if a full house with the triple `rank` saves effort; else 0."""
    if not twos:
        return 0
    pair = lowest(twos)
    apart = weights[weight.TRIPLES + rank] + weights[weight.PAIRS + pair]
    return pair if weights[weight.FULL_HOUSES + rank] < apart else 0


@compiled
def _grouped_effort(hand: CardSet, weights: Weights) -> float:
    """Return the effort of a hand that is laid without runs.

    It is laid as bombs of four, full houses, triples, pairs and singles.
    """
    ones, twos, threes, fours, wild = _groups_with_phoenix(hand, weights)
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
        pair = _pair_for_triple(rank, twos, weights)
        twos &= ~(1 << pair)  # 0, for no pair, is no rank
        total += weights[weight.FULL_HOUSES + rank] if pair else weights[weight.TRIPLES + rank]
    while twos:
        total += weights[weight.PAIRS + lowest(twos)]
        twos &= twos - 1
    while ones:
        total += weights[weight.SINGLES + lowest(ones)]
        ones &= ones - 1
    return total


@compiled
def _cards_with_phoenix(hand: CardSet, rank: Rank, wild: Rank) -> CardSet:
    """Return the cards of a rank, with the Phoenix if `wild` is this rank."""
    cards = hand & cards_of_rank(rank)
    return cards | layout.PHOENIX if rank == wild else cards


@compiled
def _append_groups(hand: CardSet, weights: Weights, plan: Plays, end: int) -> int:
    """Append the plays whose effort `_grouped_effort` returns to a plan."""
    ones, twos, threes, fours, wild = _groups_with_phoenix(hand, weights)
    if hand & layout.PHOENIX and not wild:
        end = append_play(plan, end, layout.PHOENIX, layout.SINGLE, 1, layout.LED_PHOENIX_KEY)
    if hand & layout.MAHJONG:
        end = append_play(plan, end, layout.MAHJONG, layout.SINGLE, 1, 2)
    if hand & layout.DOG_CARD:
        end = append_play(plan, end, layout.DOG_CARD, layout.DOG, 1, 0)
    if hand & layout.DRAGON:
        end = append_play(plan, end, layout.DRAGON, layout.SINGLE, 1, layout.DRAGON_KEY)
    while fours:
        rank = lowest(fours)
        fours &= fours - 1
        end = append_play(plan, end, cards_of_rank(rank), layout.FOUR_BOMB, 4, 2 * rank)
    while threes:
        rank = lowest(threes)
        threes &= threes - 1
        cards, pair = _cards_with_phoenix(hand, rank, wild), _pair_for_triple(rank, twos, weights)
        twos &= ~(1 << pair)
        if pair:
            cards |= _cards_with_phoenix(hand, pair, wild)
            end = append_play(plan, end, cards, layout.FULL_HOUSE, 5, 2 * rank)
        else:
            end = append_play(plan, end, cards, layout.TRIPLE, 3, 2 * rank)
    while twos:
        rank = lowest(twos)
        twos &= twos - 1
        end = append_play(
            plan, end, _cards_with_phoenix(hand, rank, wild), layout.PAIR, 2, 2 * rank
        )
    while ones:
        rank = lowest(ones)
        ones &= ones - 1
        end = append_play(plan, end, hand & cards_of_rank(rank), layout.SINGLE, 1, 2 * rank)
    return end


@compiled
def _list_runs(hand: CardSet, runs: Plays) -> int:
    """Write the runs of a hand to `runs`, one for all of the same ranks. Returns their number."""
    ones, twos, threes, fours = _ranks_by_count(hand)
    many = twos | threes | fours
    present = ones | many | (hand >> 52 & 1) << 1  # the Mah Jong has rank 1
    end = _list_straights(hand, present, runs)
    end = _list_stairs(hand, present, many, runs, end)
    return _list_straight_bombs(hand, runs, end)


@compiled
def _list_straights(hand: CardSet, present: RankSet, runs: Plays) -> int:
    """Write the straights from each rank on. The Phoenix fills the first gap, or is on top.

    `present` are the ranks with at least one card.
    """
    end, wild = 0, hand & layout.PHOENIX
    lows = present & 0xFFE
    if not wild:
        lows &= present >> 1 & present >> 2 & present >> 3 & present >> 4
    while lows:
        low = lowest(lows)
        lows &= lows - 1
        if count(present >> low & _FIVE_RANKS) + (wild != 0) < 5:
            continue
        cards, unused_wild = 0, wild
        for rank in range(low, 15):
            if present >> rank & 1:
                group = hand & cards_of_rank(rank)
                cards |= group & -group
            elif unused_wild:
                cards |= unused_wild
                unused_wild = 0
            else:
                break
            size = rank - low + 1
            if size >= 5 and end < _RUNS:
                end = append_play(runs, end, cards, layout.STRAIGHT, size, 2 * rank)
        else:
            # It reaches the ace, so an unused Phoenix can only be added below the lowest rank.
            if unused_wild and low > 2 and end < _RUNS:
                size = 16 - low
                end = append_play(runs, end, cards | unused_wild, layout.STRAIGHT, size, _ACE_KEY)
    return end


@compiled
def _list_stairs(hand: CardSet, present: RankSet, many: RankSet, runs: Plays, end: int) -> int:
    """Append the stairs from each rank on, with the Phoenix for the first missing card.

    `present` are the ranks with at least one card, `many` those with at least two.
    """
    wild = hand & layout.PHOENIX
    # Two ranks in a row, of which at most one lacks a card.
    lows = (many & present >> 1 | present & many >> 1) if wild else many & many >> 1
    lows &= ~3
    while lows:
        low = lowest(lows)
        lows &= lows - 1
        cards, unused_wild = 0, wild
        for rank in range(low, 15):
            group = hand & cards_of_rank(rank)
            first = group & -group
            rest = group ^ first
            if many >> rank & 1:
                cards |= first | (rest & -rest)
            elif first and unused_wild:
                cards |= first | unused_wild
                unused_wild = 0
            else:
                break
            if rank > low and end < _RUNS:
                end = append_play(runs, end, cards, layout.STAIRS, 2 * (rank - low + 1), 2 * rank)
    return end


@compiled
def _list_straight_bombs(hand: CardSet, runs: Plays, end: int) -> int:
    """Append the straight bombs of a hand, if the list has space for as many as there can be."""
    naturals = hand & layout.NATURALS
    # Without five cards of one suit in a row there is none.
    if not naturals & naturals >> 4 & naturals >> 8 & naturals >> 12 & naturals >> 16:
        return end
    bombs_end = list_bombs(hand, runs, end) if end < _RUNS - _MOST_STRAIGHT_BOMBS else end
    for place in range(end, bombs_end):
        if runs[place, KIND] == layout.STRAIGHT_BOMB:
            copy_play(runs, end, place)
            end += 1
    return end


@compiled
def split_effort(hand: CardSet, weights: Weights, runs: Runs) -> float:
    """Return the effort of the plan that `split` writes."""
    best, _, _ = _best_runs(hand, weights, runs)
    return best


@compiled
def _best_runs(hand: CardSet, weights: Weights, runs: Runs) -> tuple[float, int, int]:
    """Return the least effort of a hand, and which one or two runs to take out for it.

    Each run is given by its index in a list of `runs`, -1 for none: the first one in the list of
    the hand, the second one in the list of the cards that the first one leaves.
    """
    best, best_first, best_second = _grouped_effort(hand, weights), -1, -1
    if count(hand) < _SHORTEST_RUN:
        return best, best_first, best_second
    first_count = _list_runs(hand, runs[0])
    for first in range(first_count):
        first_run = runs[0, first]
        rest = hand & ~first_run[CARDS]
        first_effort = effort(
            first_run[CARDS], first_run[KIND], first_run[SIZE], first_run[KEY], weights
        )
        total = first_effort + _grouped_effort(rest, weights)
        if total < best - _ROUNDING:
            best, best_first, best_second = total, first, -1
        if count(rest) < _SHORTEST_RUN:
            continue
        second_count = _list_runs(rest, runs[1])
        for second in range(second_count):
            second_run = runs[1, second]
            if second_run[CARDS] < first_run[CARDS]:  # already tried in the other order
                continue
            others = rest & ~second_run[CARDS]
            total = first_effort + effort(
                second_run[CARDS], second_run[KIND], second_run[SIZE], second_run[KEY], weights
            )
            total += _grouped_effort(others, weights)
            if total < best - _ROUNDING:
                best, best_first, best_second = total, first, second
    return best, best_first, best_second


@compiled
def split(hand: CardSet, weights: Weights, runs: Runs, plan: Plays) -> int:
    """Write the split of a hand with the least effort to `plan`.

    Returns the number of plays.
    """
    _, first, second = _best_runs(hand, weights, runs)
    end = 0
    if first >= 0:
        run = runs[0, first]
        end = append_play(plan, end, run[CARDS], run[KIND], run[SIZE], run[KEY])
        hand &= ~plan[0, CARDS]
        if second >= 0:
            _list_runs(hand, runs[1])
            run = runs[1, second]
            end = append_play(plan, end, run[CARDS], run[KIND], run[SIZE], run[KEY])
            hand &= ~plan[1, CARDS]
    return _append_groups(hand, weights, plan, end)
