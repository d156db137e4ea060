"""Random deals of the hidden cards of two decks, weighted by their likelihood.

As in `players.expert.deals`, the first deal is uniform. After that, two cards of different hands
are swapped again and again: always if the deal gets likelier, otherwise with the ratio of the
likelihoods.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, NamedTuple

from engine import CardSet, Seat
from players.expert import layout
from players.expert.compiled import compiled, lowest
from players.expert.layout import Row
from players.expert.likelihood import SEAT, list_options
from players.expert.rules import copy, random_below
from players.expert.two_decks.hands import (
    ONES,
    Cards,
    by_rank,
    hand_of,
    held,
    keep,
    together,
    without,
)
from players.expert.two_decks.policy import Workspace

MORE, TWICE_MORE = 6, 7
"""Last two indices of a row of evidence.

The cards that the seat had then but not now, and those among them that it had twice.
"""
_SETTLE, _BETWEEN = 10, 2
"""Swaps per hidden card before the first deal, and before each further deal."""
_FINE = 1 << 20
"""Resolution of random chances."""


class Hidden(NamedTuple):
    """Knowledge of a seat about the hidden cards."""

    free: Any
    """Cards that any hidden hand may hold: sets of one, equal cards next to each other."""
    sizes: Any
    """Number of cards in each hand, by seat."""
    barred: Any
    """Cards that each seat cannot have, by seat."""
    evidence: Any
    """Actions of the others, a row each; see `players.expert.likelihood` and `MORE`."""


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
        copy(deal.row, row)
        deal_unseen(deal, hidden)
        row[layout.RNG] = deal.row[layout.RNG]
    if len(hidden.evidence):
        _swap(row, deal, hidden, _SETTLE if first else _BETWEEN, work)
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
    for turn in range(2 * seats):  # first the seats that cannot have every card
        seat = turn % seats
        if (hidden.barred[seat] != 0) != (turn < seats):
            continue
        hand = hand_of(row, seat)
        for _ in range(min(hidden.sizes[seat] - held(row, seat), total - place)):
            if cards[place] & hidden.barred[seat]:
                for other in range(place + 1, total):
                    if not cards[other] & hidden.barred[seat]:
                        cards[place], cards[other] = cards[other], cards[place]
                        break
            hand = together(hand, Cards(cards[place], 0))
            deal.holders[place] = seat
            place += 1
        keep(row, seat, hand)


@compiled
def _swap(row: Row, deal: Deal, hidden: Hidden, times: int, work: Workspace) -> None:
    """Try `times` swaps of two cards between hidden hands, for each hidden card."""
    total = len(hidden.free)
    for seat in range(row[layout.GAME_SEATS]):
        work.likely[seat] = _likely(hand_of(deal.row, seat), seat, hidden, work)
    for _ in range(times * total):
        place, other = random_below(row, total), random_below(row, total)
        mine, theirs = deal.holders[place], deal.holders[other]
        gone, got = deal.cards[place], deal.cards[other]
        if mine == theirs or mine < 0 or theirs < 0 or gone == got:
            continue
        if got & hidden.barred[mine] or gone & hidden.barred[theirs]:
            continue
        hand = together(without(hand_of(deal.row, mine), Cards(gone, 0)), Cards(got, 0))
        rest = together(without(hand_of(deal.row, theirs), Cards(got, 0)), Cards(gone, 0))
        if lowest(gone) >> 2 != lowest(got) >> 2 or not gone & layout.NATURALS:
            likely, less = _likely(hand, mine, hidden, work), _likely(rest, theirs, hidden, work)
            gain = likely + less - work.likely[mine] - work.likely[theirs]
            if gain < 0.0 and random_below(row, _FINE) >= exp(gain) * _FINE:
                continue
            work.likely[mine], work.likely[theirs] = likely, less
        keep(deal.row, mine, hand)
        keep(deal.row, theirs, rest)
        deal.cards[place], deal.cards[other] = got, gone


@compiled
def _likely(hand: Cards, seat: Seat, hidden: Hidden, work: Workspace) -> float:
    """Return the log likelihood of a hand, given the actions of its seat."""
    place, rows, likely = 0, len(hidden.evidence), 0.0
    while place < rows and hidden.evidence[place, SEAT] < seat:
        place += 1
    while place < rows and hidden.evidence[place, SEAT] == seat:
        done = hidden.evidence[place]
        then = together(hand, Cards(done[MORE], done[TWICE_MORE]))
        number, chosen = list_options(as_of_one_deck(then), done, work.options)
        if chosen >= 0:
            total = 0.0
            for option in range(number):
                total += work.habits[work.options[option]]
            likely += log(work.habits[work.options[chosen]] / total)
        place += 1
    return likely


@compiled
def as_of_one_deck(hand: Cards) -> CardSet:
    """Return a set of one deck with the same number of cards of each rank, at most four.

    Special cards stay the same. The suits in the result have no meaning.
    """
    counts = by_rank(hand)
    low, middle, many = counts & ONES, counts >> 1 & ONES, (counts >> 2 | counts >> 3) & ONES
    cards = (low | middle | many) | (middle | many) << 1 | (low & middle | many) << 2 | many << 3
    return cards | hand.ones & ~layout.NATURALS
