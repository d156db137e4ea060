"""Random deals of the hidden cards of two decks, weighted by their likelihood.

As in `players.expert.deals`, the first deal is uniform. Then two cards of different hands are
swapped many times: always if that makes the deal likelier, otherwise with the ratio of both
likelihoods as the chance.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, NamedTuple

from engine import CardSet, Seat
from players.expert import layout
from players.expert.compiled import compiled, lowest
from players.expert.layout import Row
from players.expert.likelihood import SEAT, list_options
from players.expert.rules import copy_row, random_below
from players.expert.two_decks.hands import (
    ONES,
    Cards,
    count_by_rank,
    hand_of,
    hand_size,
    set_hand,
    union,
    without,
)
from players.expert.two_decks.policy import Workspace

THEN_ONLY, THEN_ONLY_TWICE = 6, 7
"""Last two indices of a row of evidence.

The cards that the seat had only then, and those among them that it had twice.
"""
_FIRST_SWAPS, _NEXT_SWAPS = 10, 2
"""Swaps per hidden card before the first deal, and before each further deal."""
_CHANCES = 1 << 20
"""Number of equally likely random numbers that a chance is compared with."""


class Hidden(NamedTuple):
    """Knowledge of a seat about the hidden cards."""

    free: Any
    """Cards that any hidden hand may hold: sets of one, equal cards next to each other."""
    sizes: Any
    """Number of cards in each hand, by seat."""
    barred: Any
    """Cards that each seat cannot have, by seat."""
    evidence: Any
    """Actions of the others, a row each; see `players.expert.likelihood` and `THEN_ONLY`."""


class Deal(NamedTuple):
    """Deal of the hidden cards."""

    row: Row
    """Position with all hands; the phase is `layout.OVER` before the first deal."""
    cards: Any
    """Hidden cards in the order in which they were dealt."""
    holders: Any
    """Seat that holds each of them; -1 for none."""


@compiled
def next_deal(row: Row, deal: Deal, hidden: Hidden, work: Workspace) -> None:
    """Replace the previous deal in `deal` with the next one.

    `row` has only the known cards; the state of its random generator advances.
    """
    first = deal.row[layout.PHASE] == layout.OVER
    if first or not len(hidden.evidence):
        copy_row(deal.row, row)
        deal_unseen(deal, hidden)
        row[layout.RNG] = deal.row[layout.RNG]
    if len(hidden.evidence):
        _swap_cards(row, deal, hidden, _FIRST_SWAPS if first else _NEXT_SWAPS, work)
    deal.row[layout.RNG] = row[layout.RNG]


@compiled
def deal_unseen(deal: Deal, hidden: Hidden) -> None:
    """Deal the hidden cards at random until each hand of a row has its size.

    A seat gets cards that are barred for it only if no others are left.
    """
    row, cards, total = deal.row, deal.cards, len(hidden.free)
    for place in range(total):
        cards[place] = hidden.free[place]
        deal.holders[place] = -1
    for place in range(total - 1, 0, -1):
        other = random_below(row, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    seats, place = row[layout.GAME_SEATS], 0
    for step in range(2 * seats):  # once around for seats with barred cards, then for the others
        seat = step % seats
        if (hidden.barred[seat] != 0) != (step < seats):
            continue
        hand = hand_of(row, seat)
        for _ in range(min(hidden.sizes[seat] - hand_size(row, seat), total - place)):
            if cards[place] & hidden.barred[seat]:  # exchange it for the next card that is not
                for other in range(place + 1, total):
                    if not cards[other] & hidden.barred[seat]:
                        cards[place], cards[other] = cards[other], cards[place]
                        break
            hand = union(hand, Cards(cards[place], 0))
            deal.holders[place] = seat
            place += 1
        set_hand(row, seat, hand)


@compiled
def _swap_cards(row: Row, deal: Deal, hidden: Hidden, swaps_per_card: int, work: Workspace) -> None:
    """Try so many swaps of two cards between hidden hands for each hidden card."""
    total = len(hidden.free)
    for seat in range(row[layout.GAME_SEATS]):
        work.likely[seat] = _hand_likelihood(hand_of(deal.row, seat), seat, hidden, work)
    for _ in range(swaps_per_card * total):
        place, other = random_below(row, total), random_below(row, total)
        holder, other_holder = deal.holders[place], deal.holders[other]
        card, other_card = deal.cards[place], deal.cards[other]
        if holder == other_holder or holder < 0 or other_holder < 0 or card == other_card:
            continue
        if other_card & hidden.barred[holder] or card & hidden.barred[other_holder]:
            continue
        hand = union(without(hand_of(deal.row, holder), Cards(card, 0)), Cards(other_card, 0))
        other_hand = union(
            without(hand_of(deal.row, other_holder), Cards(other_card, 0)), Cards(card, 0)
        )
        # Only cards of different ranks change the likelihoods.
        if lowest(card) >> 2 != lowest(other_card) >> 2 or not card & layout.NATURALS:
            likelihood, other_likelihood = (
                _hand_likelihood(hand, holder, hidden, work),
                _hand_likelihood(other_hand, other_holder, hidden, work),
            )
            gain = likelihood + other_likelihood - work.likely[holder] - work.likely[other_holder]
            if gain < 0.0 and random_below(row, _CHANCES) >= exp(gain) * _CHANCES:
                continue
            work.likely[holder], work.likely[other_holder] = likelihood, other_likelihood
        set_hand(deal.row, holder, hand)
        set_hand(deal.row, other_holder, other_hand)
        deal.cards[place], deal.cards[other] = other_card, card


@compiled
def _hand_likelihood(hand: Cards, seat: Seat, hidden: Hidden, work: Workspace) -> float:
    """Return the log likelihood of a hand, given the actions of its seat."""
    place, rows, log_likelihood = 0, len(hidden.evidence), 0.0
    while place < rows and hidden.evidence[place, SEAT] < seat:
        place += 1
    while place < rows and hidden.evidence[place, SEAT] == seat:
        action = hidden.evidence[place]
        hand_then = union(hand, Cards(action[THEN_ONLY], action[THEN_ONLY_TWICE]))
        option_count, chosen = list_options(as_of_one_deck(hand_then), action, work.options)
        if chosen >= 0:
            total = 0.0
            for option in range(option_count):
                total += work.habits[work.options[option]]
            log_likelihood += log(work.habits[work.options[chosen]] / total)
        place += 1
    return log_likelihood


@compiled
def as_of_one_deck(hand: Cards) -> CardSet:
    """Return a set of one deck with as many cards of each rank, but four only in a bomb (G5).

    Special cards stay the same. The suits in the result have no meaning.
    """
    ones = hand.ones
    bombs = ones & ones >> 1 & ones >> 2 & ones >> 3 & ONES  # ranks of four different suits
    counts = count_by_rank(hand)
    # The counts in binary: 1 is the first bit, 2 the second, 3 both, 4 to 8 the third or fourth.
    first_bit, second_bit, four_or_more = (
        counts & ONES,
        counts >> 1 & ONES,
        (counts >> 2 | counts >> 3) & ONES,
    )
    cards = (
        (first_bit | second_bit | four_or_more)
        | (second_bit | four_or_more) << 1
        | (first_bit & second_bit | four_or_more) << 2
        | bombs << 3
    )
    return cards | ones & ~layout.NATURALS
