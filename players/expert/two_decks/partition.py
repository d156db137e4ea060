"""Splitting a hand of two decks into few plays: the plan of the quick policy.

As in `players.expert.partition`, up to two runs are taken out of the hand and the rest is laid by
ranks, in the way of least effort.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine import CardSet, Rank
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, count, lowest
from players.expert.partition import Runs, effort
from players.expert.plays import CARDS, KEY, KIND, SIZE, Plays, in_bombs, list_bombs
from players.expert.rules import of_rank
from players.expert.two_decks.hands import (
    ONES,
    Cards,
    Places,
    by_rank,
    number_of,
    phoenixes,
    size_of,
    take,
    together,
    wilds,
    without,
)
from players.expert.two_decks.move_classes import (
    PLAY,
    TWICE,
    cards_of,
    copy_to,
    move,
    one_suited,
    put,
)
from players.expert.weights import Weights

LONGEST = 16
"""Upper bound of the number of plays of a plan."""
_RUNS = 160
"""Maximum runs of a hand to consider."""
_BOMBS = 40
"""Upper bound of the number of bombs of a hand."""


def make_runs() -> Runs:
    """Return empty lists of runs as work arrays for `split` and `split_effort`."""
    return np.zeros((2, _RUNS + _BOMBS, PLAY), np.int64)


class _Groups(NamedTuple):
    """Hand by ranks.

    A rank with more than three cards is laid in two parts, the first of which is in `bombs`,
    `triples` or `pairs`. A Phoenix counts as a card of the rank that it is best laid with.
    """

    ones: Places
    """Ranks with a single card, after the first part was taken out."""
    twos: Places
    """Ranks with a pair."""
    threes: Places
    """Ranks with a triple."""
    bombs: Places
    """Ranks with a bomb."""
    triples: Places
    """Ranks with more than three cards whose first part is a triple."""
    pairs: Places
    """Ranks with more than three cards whose first part is a pair."""
    first: Rank
    """Rank of the first Phoenix; 0 if it is laid alone."""
    second: Rank
    """Rank of the second Phoenix; 0 if it is laid alone."""


@compiled
def _groups(hand: Cards, weights: Weights) -> _Groups:
    """Return a hand by ranks."""
    counts = by_rank(hand)
    low, middle = counts & ONES, counts >> 1 & ONES
    many = (counts >> 2 | counts >> 3) & ONES
    ones, twos, threes = low & ~middle & ~many, middle & ~low & ~many, low & middle & ~many
    bombs = triples = pairs = 0
    while many:
        place = lowest(many)
        many &= many - 1
        rank, held, bit = place // 4 + 2, counts >> place & 15, 1 << place
        if hand.ones >> place & 15 == 15:
            bombs |= bit
            held -= 4
        if held > 4 or (held == 4 and _triple_first(rank, weights)):
            triples |= bit
            held -= 3
        elif held == 4:
            pairs |= bit
            held -= 2
        if held == 1:
            ones |= bit
        elif held == 2:
            twos |= bit
        elif held == 3:
            threes |= bit
    first = second = 0
    for turn in range(wilds(hand)):
        place = _phoenix_place(ones, twos, weights)
        if place < 0:
            break
        bit = 1 << place
        if ones & bit:
            ones, twos = ones ^ bit, twos | bit
        else:
            twos, threes = twos ^ bit, threes | bit
        if turn == 0:
            first = place // 4 + 2
        else:
            second = place // 4 + 2
    return _Groups(ones, twos, threes, bombs, triples, pairs, first, second)


@compiled
def _triple_first(rank: Rank, weights: Weights) -> bool:
    """Return whether four cards are better laid as triple and single than as two pairs."""
    apart = weights[weight.TRIPLES + rank] + weights[weight.SINGLES + rank]
    return apart < 2 * weights[weight.PAIRS + rank]


@compiled
def _phoenix_place(ones: Places, twos: Places, weights: Weights) -> int:
    """Return the place of the best rank to lay a Phoenix with; -1 for alone."""
    best, best_place = weights[weight.PHOENIX], -1
    left = ones
    while left:
        place = lowest(left)
        left &= left - 1
        rank = place // 4 + 2
        change = weights[weight.PAIRS + rank] - weights[weight.SINGLES + rank]
        if change < best:
            best, best_place = change, place
    left = twos
    while left:
        place = lowest(left)
        left &= left - 1
        rank = place // 4 + 2
        change = weights[weight.TRIPLES + rank] - weights[weight.PAIRS + rank]
        others = twos & ~(1 << place)
        if others:
            pair = weights[weight.PAIRS + lowest(others) // 4 + 2]
            house = weights[weight.FULL_HOUSES + rank] - weights[weight.PAIRS + rank] - pair
            change = min(change, house)
        if change < best:
            best, best_place = change, place
    return best_place


@compiled
def _pair_for(rank: Rank, twos: Places, weights: Weights) -> Rank:
    """Return the rank of the lowest pair, if a triple of `rank` should take it; else 0."""
    twos &= ~(1 << 4 * (rank - 2))
    if not twos:
        return 0
    pair = lowest(twos) // 4 + 2
    apart = weights[weight.TRIPLES + rank] + weights[weight.PAIRS + pair]
    return pair if weights[weight.FULL_HOUSES + rank] < apart else 0


@compiled
def _alone(hand: Cards, groups: _Groups) -> int:
    """Return the number of Phoenixes that are laid alone."""
    return wilds(hand) - (groups.first != 0) - (groups.second != 0)


@compiled
def _grouped_effort(hand: Cards, weights: Weights) -> float:
    """Return the effort of a hand without runs."""
    groups = _groups(hand, weights)
    total = weights[weight.FOUR_BOMB] * count(groups.bombs)
    total += weights[weight.PHOENIX] * _alone(hand, groups)
    dragons = (hand.ones >> 55 & 1) + (hand.twos >> 55 & 1)
    total += weights[weight.DRAGON] * dragons
    if hand.ones & layout.MAHJONG:
        total += weights[weight.SINGLES + 1]
    total += _sum(groups.triples, weight.TRIPLES, weights)
    total += _sum(groups.pairs, weight.PAIRS, weights)
    threes, twos = groups.threes, groups.twos
    while threes:
        rank = lowest(threes) // 4 + 2
        threes &= threes - 1
        pair = _pair_for(rank, twos, weights)
        if pair:
            twos &= ~(1 << 4 * (pair - 2))
        total += weights[weight.FULL_HOUSES + rank] if pair else weights[weight.TRIPLES + rank]
    return total + _sum(twos, weight.PAIRS, weights) + _sum(groups.ones, weight.SINGLES, weights)


@compiled
def _sum(ranks: Places, begin: int, weights: Weights) -> float:
    """Return the sum of the weights from place `begin` on for some ranks."""
    total = 0.0
    while ranks:
        total += weights[begin + lowest(ranks) // 4 + 2]
        ranks &= ranks - 1
    return total


@compiled
def _part(rest: Cards, rank: Rank, number: int, groups: _Groups) -> Cards:
    """Return a single, pair or triple of a rank, with the Phoenixes laid with this rank."""
    helpers = (groups.first == rank) + (groups.second == rank)
    cards = take(rest, of_rank(rank), number - helpers, 0)
    return together(cards, phoenixes(helpers))


@compiled
def _put_first(
    rest: Cards, ranks: Places, number: int, kind: int, plan: Plays, end: int
) -> tuple[Cards, int]:
    """Write the first parts of some ranks to a plan: `number` cards of each.

    Returns the cards that are left, and the new number of plays.
    """
    while ranks:
        place = lowest(ranks)
        ranks &= ranks - 1
        of_this = 15 << place
        cards = Cards(of_this, 0) if number == 4 else take(rest, of_this, number, 0)
        rest = without(rest, cards)
        end = put(plan, end, cards, kind, number, place // 2 + 4)
    return rest, end


@compiled
def _put_specials(hand: Cards, alone: int, plan: Plays, number: int) -> int:
    """Write the Mah Jong, the Dragons and `alone` Phoenixes to a plan."""
    for _ in range(alone):
        card = Cards(layout.PHOENIX, 0)
        number = put(plan, number, card, layout.SINGLE, 1, layout.LED_PHOENIX_KEY)
    if hand.ones & layout.MAHJONG:
        number = put(plan, number, Cards(layout.MAHJONG, 0), layout.SINGLE, 1, 2)
    for _ in range((hand.ones >> 55 & 1) + (hand.twos >> 55 & 1)):
        card = Cards(layout.DRAGON, 0)
        number = put(plan, number, card, layout.SINGLE, 1, layout.DRAGON_KEY)
    return number


@compiled
def _put_groups(hand: Cards, weights: Weights, plan: Plays, number: int) -> int:
    """Write the plays that `_grouped_effort` counts to a plan. Returns the plan's new length."""
    groups = _groups(hand, weights)
    number = _put_specials(hand, _alone(hand, groups), plan, number)
    rest, number = _put_first(hand, groups.bombs, 4, layout.FOUR_BOMB, plan, number)
    rest, number = _put_first(rest, groups.triples, 3, layout.TRIPLE, plan, number)
    rest, number = _put_first(rest, groups.pairs, 2, layout.PAIR, plan, number)
    threes, twos, ones = groups.threes, groups.twos, groups.ones
    while threes:
        rank = lowest(threes) // 4 + 2
        threes &= threes - 1
        cards, pair = _part(rest, rank, 3, groups), _pair_for(rank, twos, weights)
        if pair:
            twos &= ~(1 << 4 * (pair - 2))
            cards = together(cards, _part(rest, pair, 2, groups))
            number = put(plan, number, cards, layout.FULL_HOUSE, 5, 2 * rank)
        else:
            number = put(plan, number, cards, layout.TRIPLE, 3, 2 * rank)
    while twos:
        rank = lowest(twos) // 4 + 2
        twos &= twos - 1
        cards = _part(rest, rank, 2, groups)
        number = put(plan, number, cards, layout.PAIR, 2, 2 * rank)
    while ones:
        rank = lowest(ones) // 4 + 2
        ones &= ones - 1
        cards = _part(rest, rank, 1, groups)
        number = put(plan, number, cards, layout.SINGLE, 1, 2 * rank)
    return number


@compiled
def _list_runs(hand: Cards, runs: Plays) -> int:
    """Write the runs worth taking out of a hand to `runs`. Returns their number."""
    spared = in_bombs(hand.ones)
    number = _list_straights(hand, spared, runs)
    number = _list_stairs(hand, spared, runs, number)
    if not spared or number >= _RUNS:
        return number
    end = list_bombs(hand.ones, runs, number)
    for place in range(number, end):
        if runs[place, KIND] == layout.STRAIGHT_BOMB:
            runs[place, TWICE] = 0
            move(runs, number, place)
            number += 1
    return number


@compiled
def _list_straights(hand: Cards, spared: CardSet, runs: Plays) -> int:
    """Write the straights from each rank on, with Phoenixes in the first gaps or at the ends."""
    number, wild, present = 0, wilds(hand), hand.ones >> 52 & 1
    for rank in range(2, 15):
        if hand.ones & of_rank(rank):
            present |= 1 << (rank - 1)
    if not wild and not present & present >> 1 & present >> 2 & present >> 3 & present >> 4:
        return 0
    for low in range(1, 13):
        if not present >> (low - 1) & 1 or count(present >> (low - 1) & 31) + wild < 5:
            continue
        cards, used = Cards(low & 0, low & 0), 0
        for rank in range(low, 15):
            if present >> (rank - 1) & 1:
                cards = together(cards, take(hand, of_rank(rank), 1, spared))
            elif used < wild:
                used += 1
            else:
                break
            size = rank - low + 1
            if size >= 5 and number < _RUNS and (used or not one_suited(cards.ones)):
                whole = together(cards, phoenixes(used))
                number = put(runs, number, whole, layout.STRAIGHT, size, 2 * rank)
        else:  # nothing is above the ace, so below
            for below in range(1, min(wild - used, low - 2) + 1):
                size = 15 - low + below
                if size >= 5 and number < _RUNS:
                    whole = together(cards, phoenixes(used + below))
                    number = put(runs, number, whole, layout.STRAIGHT, size, 28)
    return number


@compiled
def _list_stairs(hand: Cards, spared: CardSet, runs: Plays, number: int) -> int:
    """Write the stairs from each rank on, with Phoenixes where cards are missing."""
    counts, wild = by_rank(hand), wilds(hand)
    many = (counts >> 1 | counts >> 2 | counts >> 3) & ONES
    if not wild and not many & many >> 4:
        return number
    for low in range(2, 14):
        cards, used = Cards(low & 0, low & 0), 0
        for rank in range(low, 15):
            pair = min(2, number_of(counts, rank))
            used += 2 - pair
            if not pair or used > wild:
                break
            cards = together(cards, take(hand, of_rank(rank), pair, spared))
            if rank > low and number < _RUNS:
                whole = together(cards, phoenixes(used))
                size = 2 * (rank - low + 1)
                number = put(runs, number, whole, layout.STAIRS, size, 2 * rank)
    return number


@compiled
def split_effort(hand: Cards, weights: Weights, runs: Runs) -> float:
    """Return the effort of the best way found to split a hand into plays."""
    best, _, _ = _best_runs(hand, weights, runs)
    return best


@compiled
def _best_runs(hand: Cards, weights: Weights, runs: Runs) -> tuple[float, int, int]:
    """Return the least effort of a hand, and the one or two runs to take out for it.

    Both runs are places in lists of `runs`, -1 for none: the first in the list of the hand, the
    second in the list of the cards that the first one leaves.
    """
    best, one, two = _grouped_effort(hand, weights), -1, -1
    if size_of(hand) < 4:
        return best, one, two
    first = _list_runs(hand, runs[0])
    for place in range(first):
        run = runs[0, place]
        rest = without(hand, cards_of(run))
        taken = effort(run[CARDS], run[KIND], run[SIZE], run[KEY], weights)
        total = taken + _grouped_effort(rest, weights)
        if total < best - 1e-9:
            best, one, two = total, place, -1
        if size_of(rest) < 4:
            continue
        second = _list_runs(rest, runs[1])
        for other in range(second):
            more = runs[1, other]
            if more[CARDS] < run[CARDS]:  # already tried in the other order
                continue
            left = without(rest, cards_of(more))
            total = taken + effort(more[CARDS], more[KIND], more[SIZE], more[KEY], weights)
            total += _grouped_effort(left, weights)
            if total < best - 1e-9:
                best, one, two = total, place, other
    return best, one, two


@compiled
def split(hand: Cards, weights: Weights, runs: Runs, plan: Plays) -> int:
    """Write the split of a hand with the least effort to `plan`.

    Returns the number of plays.
    """
    _, one, two = _best_runs(hand, weights, runs)
    number = 0
    if one >= 0:
        copy_to(plan, 0, runs[0, one])
        number = 1
        hand = without(hand, cards_of(plan[0]))
        if two >= 0:
            _list_runs(hand, runs[1])
            copy_to(plan, 1, runs[1, two])
            number = 2
            hand = without(hand, cards_of(plan[1]))
    return _put_groups(hand, weights, plan, number)
