"""Random deals of the hidden cards, weighted by their likelihood.

The first deal is uniform. Then two cards of different hands are swapped many times: always if that
makes the deal likelier, otherwise with the ratio of both likelihoods as the chance (Metropolis
sampling). After enough swaps the result does not depend on the first deal any more.
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

from engine import CardSet, Seat
from players.expert import layout
from players.expert.compiled import compiled, count, lowest
from players.expert.layout import Row
from players.expert.likelihood import SEAT, log_likelihood
from players.expert.rules import copy_row, random_below
from players.expert.workspace import Workspace

_FIRST_SWAPS, _NEXT_SWAPS = 10, 2
"""Swaps per hidden card before the first deal, and before each further deal."""
_CHANCES = 1 << 20
"""Number of equally likely random numbers that a chance is compared with."""
_ROUNDING = 1e-9
"""Differences of logarithms to ignore: rounding errors, which vary by processor."""


class Hidden(NamedTuple):
    """Knowledge of a seat about the hidden cards; see `players.expert.knowledge`."""

    free: CardSet
    """Cards that any hidden hand may hold."""
    sizes: Any
    """Number of cards in each hand, by seat."""
    barred: Any
    """Cards that each seat cannot have, by seat."""
    evidence: Any
    """Actions of the other seats, a row each; see `players.expert.likelihood`."""


@compiled
def deal_unseen(row: Row, free: CardSet, sizes: Any, barred: Any, cards: Any) -> None:
    """Deal the `free` cards at random until each hand of a row has its size.

    A seat gets cards that are barred for it only if no others are left. `cards` is a scratch array.
    """
    total = _list_cards(free, cards)
    for place in range(total - 1, 0, -1):
        other = random_below(row, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    seats = row[layout.GAME_SEATS]
    place = 0
    for step in range(2 * seats):  # once around for seats with barred cards, then for the others
        seat = step % seats
        is_barred = barred[seat] != 0
        if is_barred != (step < seats):
            continue
        missing = sizes[seat] - count(row[layout.HAND + seat])
        for _ in range(min(missing, total - place)):
            if cards[place] & barred[seat]:  # exchange it for the next card that is not barred
                for other in range(place + 1, total):
                    if not cards[other] & barred[seat]:
                        cards[place], cards[other] = cards[other], cards[place]
                        break
            row[layout.HAND + seat] |= cards[place]
            place += 1


@compiled
def _list_cards(free: CardSet, cards: Any) -> int:
    """Write each card of a set to an array, as a set of one. Returns their number."""
    total = 0
    while free:
        cards[total] = free & -free
        free &= free - 1
        total += 1
    return total


@compiled
def next_deal(row: Row, dealt: Row, hidden: Hidden, work: Workspace) -> None:
    """Replace the previous deal in `dealt` with the next one.

    `row` has only the known cards; the state of its random generator advances. Before the first
    deal the phase of `dealt` is `layout.OVER`.
    """
    is_first = dealt[layout.PHASE] == layout.OVER
    swaps = (_FIRST_SWAPS if is_first else _NEXT_SWAPS) * count(hidden.free)
    if is_first or not len(hidden.evidence):
        copy_row(dealt, row)
        deal_unseen(dealt, hidden.free, hidden.sizes, hidden.barred, work.cards)
        row[layout.RNG] = dealt[layout.RNG]  # `deal_unseen` draws with the copy's generator
    if len(hidden.evidence):
        _swap_cards(row, dealt, hidden, swaps, work)
    dealt[layout.RNG] = row[layout.RNG]


@compiled
def _swap_cards(row: Row, dealt: Row, hidden: Hidden, swaps: int, work: Workspace) -> None:
    """Try `swaps` swaps of two cards between the hidden hands in `dealt`."""
    held = 0
    for seat in range(dealt[layout.GAME_SEATS]):
        held |= dealt[layout.HAND + seat]
    total = _list_cards(hidden.free & held, work.cards)
    if total < 2:
        return
    for seat in range(dealt[layout.GAME_SEATS]):
        work.likely[seat] = _hand_likelihood(dealt[layout.HAND + seat], seat, hidden, work)
    for _ in range(swaps):
        card = work.cards[random_below(row, total)]
        other_card = work.cards[random_below(row, total)]
        holder, other_holder = _holder(dealt, card), _holder(dealt, other_card)
        if (
            holder == other_holder
            or card & hidden.barred[other_holder]
            or other_card & hidden.barred[holder]
        ):
            continue
        hand = dealt[layout.HAND + holder] ^ card ^ other_card
        other_hand = dealt[layout.HAND + other_holder] ^ card ^ other_card
        # Cards of one rank are equally likely anywhere.
        if lowest(card) >> 2 == lowest(other_card) >> 2 and (card | other_card) & layout.NATURALS:
            dealt[layout.HAND + holder], dealt[layout.HAND + other_holder] = hand, other_hand
            continue
        likelihood, other_likelihood = (
            _hand_likelihood(hand, holder, hidden, work),
            _hand_likelihood(other_hand, other_holder, hidden, work),
        )
        gain = likelihood + other_likelihood - work.likely[holder] - work.likely[other_holder]
        if gain > -_ROUNDING or random_below(row, _CHANCES) < exp(gain) * _CHANCES:
            dealt[layout.HAND + holder], dealt[layout.HAND + other_holder] = hand, other_hand
            work.likely[holder], work.likely[other_holder] = likelihood, other_likelihood


@compiled
def _holder(row: Row, card: CardSet) -> Seat:
    """Return the seat whose hand has this card; some hand must have it."""
    seat = 0
    while not row[layout.HAND + seat] & card:
        seat += 1
    return seat


@compiled
def _hand_likelihood(hand: CardSet, seat: Seat, hidden: Hidden, work: Workspace) -> float:
    """Return the log likelihood of a hand, given the actions of its seat."""
    begin, rows = 0, len(hidden.evidence)
    while begin < rows and hidden.evidence[begin, SEAT] < seat:
        begin += 1
    end = begin
    while end < rows and hidden.evidence[end, SEAT] == seat:
        end += 1
    return log_likelihood(
        hand, hidden.evidence, begin, end, work.habits, work.calls, work.options, work.features
    )
