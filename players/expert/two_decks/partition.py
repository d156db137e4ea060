"""Splitting a hand of two decks into few plays: the plan of the quick policy.

As in `players.expert.partition`, at most two runs are taken out of the hand, the other cards form
groups of one rank, and the way with the least effort is chosen. The functions that append plays to
a list get its length `end`, and return its new length.
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
from players.expert.rules import cards_of_rank
from players.expert.two_decks.hands import (
    MAHJONG_PLACE,
    ONES,
    Cards,
    Places,
    count_by_rank,
    count_dragons,
    count_of_rank,
    count_phoenixes,
    empty_set,
    phoenixes,
    size_of,
    take_cards,
    union,
    without,
)
from players.expert.two_decks.move_classes import (
    PLAY,
    TWICE,
    append_play,
    cards_of,
    copy_play,
    copy_to,
    one_suited,
)
from players.expert.weights import Weights

LONGEST = 16
"""Upper bound of the number of plays of a plan."""
_RUNS = 160
"""Maximum runs of a hand to consider."""
_SHORTEST_RUN = 4
"""Number of cards of the shortest run: stairs of two pairs."""
_FIVE_RANKS = 0b11111
"""The five lowest ranks of a set of ranks."""
_ACE_KEY = 28
"""Key of a run that ends with the ace."""
_ROUNDING = 1e-9
"""Differences of efforts to ignore: rounding errors."""
_BOMBS = 40
"""Upper bound of the number of bombs of a hand."""


def make_runs() -> Runs:
    """Return empty lists of runs as work arrays for `split` and `split_effort`."""
    return np.zeros((2, _RUNS + _BOMBS, PLAY), np.int64)


class _Groups(NamedTuple):
    """Groups of a hand, as sets of ranks.

    A rank with more than three cards is laid in two parts. The first part is in `bombs`, `triples`
    or `pairs`, the second one in `ones`, `twos` or `threes`. A Phoenix counts as one more card of
    the rank that it is best laid with.
    """

    ones: Places
    """Ranks with a single."""
    twos: Places
    """Ranks with a pair."""
    threes: Places
    """Ranks with a triple."""
    bombs: Places
    """Ranks with a bomb of four."""
    triples: Places
    """Ranks with more than three cards whose first part is a triple."""
    pairs: Places
    """Ranks with more than three cards whose first part is a pair."""
    first_wild: Rank
    """Rank of the first Phoenix; 0 if it is laid alone."""
    second_wild: Rank
    """Rank of the second Phoenix; 0 if it is laid alone."""


@compiled
def _group_by_rank(hand: Cards, weights: Weights) -> _Groups:
    """Return the groups of a hand."""
    counts = count_by_rank(hand)
    # The bits of the counts: one card is the first bit, two the second, three both.
    first_bit, second_bit = counts & ONES, counts >> 1 & ONES
    many = (counts >> 2 | counts >> 3) & ONES
    ones, twos, threes = (
        first_bit & ~second_bit & ~many,
        second_bit & ~first_bit & ~many,
        first_bit & second_bit & ~many,
    )

    # Lay ranks with more than three cards in two parts.
    bombs = triples = pairs = 0
    while many:
        place = lowest(many)
        many &= many - 1
        rank, held, bit = place // 4 + 2, counts >> place & 15, 1 << place
        if hand.ones >> place & 15 == 15:  # one card of each suit
            bombs |= bit
            held -= 4
        if held > 4 or (held == 4 and _prefers_triple(rank, weights)):
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

    first_wild = second_wild = 0
    for phoenix in range(count_phoenixes(hand)):
        place = _best_phoenix_place(ones, twos, weights)
        if place < 0:
            break
        bit = 1 << place
        if ones & bit:
            ones, twos = ones ^ bit, twos | bit
        else:
            twos, threes = twos ^ bit, threes | bit
        if phoenix == 0:
            first_wild = place // 4 + 2
        else:
            second_wild = place // 4 + 2
    return _Groups(ones, twos, threes, bombs, triples, pairs, first_wild, second_wild)


@compiled
def _prefers_triple(rank: Rank, weights: Weights) -> bool:
    """Return whether four cards are better laid as triple and single than as two pairs."""
    apart = weights[weight.TRIPLES + rank] + weights[weight.SINGLES + rank]
    return apart < 2 * weights[weight.PAIRS + rank]


@compiled
def _best_phoenix_place(ones: Places, twos: Places, weights: Weights) -> int:
    """Return the place of the rank with which a Phoenix saves the most effort; -1 for alone.

    It makes a pair of one of `ones`, or a triple of one of `twos`.
    """
    best_change, best_place = weights[weight.PHOENIX], -1
    remaining = ones
    while remaining:
        place = lowest(remaining)
        remaining &= remaining - 1
        rank = place // 4 + 2
        change = weights[weight.PAIRS + rank] - weights[weight.SINGLES + rank]
        if change < best_change:
            best_change, best_place = change, place
    remaining = twos
    while remaining:
        place = lowest(remaining)
        remaining &= remaining - 1
        rank = place // 4 + 2
        change = weights[weight.TRIPLES + rank] - weights[weight.PAIRS + rank]
        others = twos & ~(1 << place)
        if others:  # the triple may also form a full house with the lowest other pair
            pair = weights[weight.PAIRS + lowest(others) // 4 + 2]
            house_change = weights[weight.FULL_HOUSES + rank] - weights[weight.PAIRS + rank] - pair
            change = min(change, house_change)
        if change < best_change:
            best_change, best_place = change, place
    return best_place


@compiled
def _pair_for_triple(rank: Rank, twos: Places, weights: Weights) -> Rank:
    """Return the lowest pair, if a full house with the triple `rank` saves effort; else 0."""
    twos &= ~(1 << 4 * (rank - 2))
    if not twos:
        return 0
    pair = lowest(twos) // 4 + 2
    apart = weights[weight.TRIPLES + rank] + weights[weight.PAIRS + pair]
    return pair if weights[weight.FULL_HOUSES + rank] < apart else 0


@compiled
def _count_lone_phoenixes(hand: Cards, groups: _Groups) -> int:
    """Return the number of Phoenixes that are laid alone."""
    return count_phoenixes(hand) - (groups.first_wild != 0) - (groups.second_wild != 0)


@compiled
def _grouped_effort(hand: Cards, weights: Weights) -> float:
    """Return the effort of a hand that is laid without runs."""
    groups = _group_by_rank(hand, weights)
    total = weights[weight.FOUR_BOMB] * count(groups.bombs)
    total += weights[weight.PHOENIX] * _count_lone_phoenixes(hand, groups)
    total += weights[weight.DRAGON] * count_dragons(hand)
    if hand.ones & layout.MAHJONG:
        total += weights[weight.SINGLES + 1]
    total += _sum_of_weights(groups.triples, weight.TRIPLES, weights)
    total += _sum_of_weights(groups.pairs, weight.PAIRS, weights)
    threes, twos = groups.threes, groups.twos
    while threes:
        rank = lowest(threes) // 4 + 2
        threes &= threes - 1
        pair = _pair_for_triple(rank, twos, weights)
        if pair:
            twos &= ~(1 << 4 * (pair - 2))
        total += weights[weight.FULL_HOUSES + rank] if pair else weights[weight.TRIPLES + rank]
    return (
        total
        + _sum_of_weights(twos, weight.PAIRS, weights)
        + _sum_of_weights(groups.ones, weight.SINGLES, weights)
    )


@compiled
def _sum_of_weights(ranks: Places, begin: int, weights: Weights) -> float:
    """Return the sum of the weights of some ranks; `begin` is the place of rank 0."""
    total = 0.0
    while ranks:
        total += weights[begin + lowest(ranks) // 4 + 2]
        ranks &= ranks - 1
    return total


@compiled
def _take_group(rest: Cards, rank: Rank, size: int, groups: _Groups) -> Cards:
    """Return a single, pair or triple of a rank, including Phoenixes that are laid with it."""
    phoenix_count = (groups.first_wild == rank) + (groups.second_wild == rank)
    cards = take_cards(rest, cards_of_rank(rank), size - phoenix_count, 0)
    return union(cards, phoenixes(phoenix_count))


@compiled
def _append_first_parts(
    rest: Cards, ranks: Places, size: int, kind: int, plan: Plays, end: int
) -> tuple[Cards, int]:
    """Append `size` cards of each of these ranks to a plan, as the first of their two parts.

    `rest` are the cards that are not in the plan yet. Returns those that are left then, and the new
    length of the plan.
    """
    while ranks:
        place = lowest(ranks)
        ranks &= ranks - 1
        rank_cards = 15 << place
        cards = Cards(rank_cards, 0) if size == 4 else take_cards(rest, rank_cards, size, 0)
        rest = without(rest, cards)
        end = append_play(plan, end, cards, kind, size, 2 * (place // 4 + 2))
    return rest, end


@compiled
def _append_specials(hand: Cards, alone: int, plan: Plays, end: int) -> int:
    """Append the Mah Jong, the Dragons and `alone` Phoenixes to a plan, each as a single."""
    for _ in range(alone):
        card = Cards(layout.PHOENIX, 0)
        end = append_play(plan, end, card, layout.SINGLE, 1, layout.LED_PHOENIX_KEY)
    if hand.ones & layout.MAHJONG:
        end = append_play(plan, end, Cards(layout.MAHJONG, 0), layout.SINGLE, 1, 2)
    for _ in range(count_dragons(hand)):
        card = Cards(layout.DRAGON, 0)
        end = append_play(plan, end, card, layout.SINGLE, 1, layout.DRAGON_KEY)
    return end


@compiled
def _append_groups(hand: Cards, weights: Weights, plan: Plays, end: int) -> int:
    """Append the plays whose effort `_grouped_effort` returns to a plan."""
    groups = _group_by_rank(hand, weights)
    end = _append_specials(hand, _count_lone_phoenixes(hand, groups), plan, end)
    rest, end = _append_first_parts(hand, groups.bombs, 4, layout.FOUR_BOMB, plan, end)
    rest, end = _append_first_parts(rest, groups.triples, 3, layout.TRIPLE, plan, end)
    rest, end = _append_first_parts(rest, groups.pairs, 2, layout.PAIR, plan, end)
    threes, twos, ones = groups.threes, groups.twos, groups.ones
    while threes:
        rank = lowest(threes) // 4 + 2
        threes &= threes - 1
        cards, pair = _take_group(rest, rank, 3, groups), _pair_for_triple(rank, twos, weights)
        if pair:
            twos &= ~(1 << 4 * (pair - 2))
            cards = union(cards, _take_group(rest, pair, 2, groups))
            end = append_play(plan, end, cards, layout.FULL_HOUSE, 5, 2 * rank)
        else:
            end = append_play(plan, end, cards, layout.TRIPLE, 3, 2 * rank)
    while twos:
        rank = lowest(twos) // 4 + 2
        twos &= twos - 1
        cards = _take_group(rest, rank, 2, groups)
        end = append_play(plan, end, cards, layout.PAIR, 2, 2 * rank)
    while ones:
        rank = lowest(ones) // 4 + 2
        ones &= ones - 1
        cards = _take_group(rest, rank, 1, groups)
        end = append_play(plan, end, cards, layout.SINGLE, 1, 2 * rank)
    return end


@compiled
def _list_runs(hand: Cards, runs: Plays) -> int:
    """Write the runs of a hand to `runs`, one for all of the same ranks. Returns their number."""
    spared = in_bombs(hand.ones)
    end = _list_straights(hand, spared, runs)
    end = _list_stairs(hand, spared, runs, end)
    if not spared or end >= _RUNS:
        return end
    bombs_end = list_bombs(hand.ones, runs, end)
    for place in range(end, bombs_end):
        if runs[place, KIND] == layout.STRAIGHT_BOMB:
            runs[place, TWICE] = 0
            copy_play(runs, end, place)
            end += 1
    return end


@compiled
def _list_straights(hand: Cards, spared: CardSet, runs: Plays) -> int:
    """Write the straights that start at each rank to `runs`; return their number.

    Phoenixes fill the first gaps, the others extend a straight at its ends. Cards in `spared` are
    used only if the hand has no other card of the rank.
    """
    end, wild, present = 0, count_phoenixes(hand), hand.ones >> MAHJONG_PLACE & 1
    for rank in range(2, 15):
        if hand.ones & cards_of_rank(rank):
            present |= 1 << (rank - 1)  # the Mah Jong, rank 1, is bit 0
    if not wild and not present & present >> 1 & present >> 2 & present >> 3 & present >> 4:
        return 0
    for low in range(1, 13):
        if not present >> (low - 1) & 1 or count(present >> (low - 1) & _FIVE_RANKS) + wild < 5:
            continue
        cards, used = empty_set(low), 0
        for rank in range(low, 15):
            if present >> (rank - 1) & 1:
                cards = union(cards, take_cards(hand, cards_of_rank(rank), 1, spared))
            elif used < wild:
                used += 1
            else:
                break
            size = rank - low + 1
            if size >= 5 and end < _RUNS and (used or not one_suited(cards.ones)):
                straight = union(cards, phoenixes(used))
                end = append_play(runs, end, straight, layout.STRAIGHT, size, 2 * rank)
        else:  # it reaches the ace, so unused Phoenixes can only be added below
            for below in range(1, min(wild - used, low - 2) + 1):
                size = 15 - low + below
                if size >= 5 and end < _RUNS:
                    straight = union(cards, phoenixes(used + below))
                    end = append_play(runs, end, straight, layout.STRAIGHT, size, _ACE_KEY)
    return end


@compiled
def _list_stairs(hand: Cards, spared: CardSet, runs: Plays, end: int) -> int:
    """Append the stairs from each rank on, with Phoenixes for missing cards."""
    counts, wild = count_by_rank(hand), count_phoenixes(hand)
    held_twice = (counts >> 1 | counts >> 2 | counts >> 3) & ONES
    if not wild and not held_twice & held_twice >> 4:
        return end
    for low in range(2, 14):
        cards, used = empty_set(low), 0
        for rank in range(low, 15):
            pair = min(2, count_of_rank(counts, rank))
            used += 2 - pair
            if not pair or used > wild:
                break
            cards = union(cards, take_cards(hand, cards_of_rank(rank), pair, spared))
            if rank > low and end < _RUNS:
                stairs = union(cards, phoenixes(used))
                size = 2 * (rank - low + 1)
                end = append_play(runs, end, stairs, layout.STAIRS, size, 2 * rank)
    return end


@compiled
def split_effort(hand: Cards, weights: Weights, runs: Runs) -> float:
    """Return the effort of the plan that `split` writes."""
    best, _, _ = _best_runs(hand, weights, runs)
    return best


@compiled
def _best_runs(hand: Cards, weights: Weights, runs: Runs) -> tuple[float, int, int]:
    """Return the least effort of a hand, and which one or two runs to take out for it.

    Each run is given by its index in a list of `runs`, -1 for none: the first one in the list of
    the hand, the second one in the list of the cards that the first one leaves.
    """
    best, best_first, best_second = _grouped_effort(hand, weights), -1, -1
    if size_of(hand) < _SHORTEST_RUN:
        return best, best_first, best_second
    first_count = _list_runs(hand, runs[0])
    for first in range(first_count):
        first_run = runs[0, first]
        rest = without(hand, cards_of(first_run))
        first_effort = effort(
            first_run[CARDS], first_run[KIND], first_run[SIZE], first_run[KEY], weights
        )
        total = first_effort + _grouped_effort(rest, weights)
        if total < best - _ROUNDING:
            best, best_first, best_second = total, first, -1
        if size_of(rest) < _SHORTEST_RUN:
            continue
        second_count = _list_runs(rest, runs[1])
        for second in range(second_count):
            second_run = runs[1, second]
            if second_run[CARDS] < first_run[CARDS]:  # already tried in the other order
                continue
            others = without(rest, cards_of(second_run))
            total = first_effort + effort(
                second_run[CARDS], second_run[KIND], second_run[SIZE], second_run[KEY], weights
            )
            total += _grouped_effort(others, weights)
            if total < best - _ROUNDING:
                best, best_first, best_second = total, first, second
    return best, best_first, best_second


@compiled
def split(hand: Cards, weights: Weights, runs: Runs, plan: Plays) -> int:
    """Write the split of a hand with the least effort to `plan`.

    Returns the number of plays.
    """
    _, first, second = _best_runs(hand, weights, runs)
    end = 0
    if first >= 0:
        copy_to(plan, 0, runs[0, first])
        end = 1
        hand = without(hand, cards_of(plan[0]))
        if second >= 0:
            _list_runs(hand, runs[1])
            copy_to(plan, 1, runs[1, second])
            end = 2
            hand = without(hand, cards_of(plan[1]))
    return _append_groups(hand, weights, plan, end)
