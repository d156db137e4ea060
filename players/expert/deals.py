"""Random deals of the hidden cards, weighted by their likelihood.

The first deal is uniform. After that, two cards of different hands are swapped again and again:
always if the deal gets likelier, otherwise with the ratio of the likelihoods (Metropolis sampling).
After enough swaps the first deal does not matter any more.
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

from engine import CardSet, Seat
from players.expert import layout
from players.expert.compiled import compiled, count, lowest
from players.expert.layout import Row
from players.expert.likelihood import SEAT, log_likelihood
from players.expert.rules import copy, random_below
from players.expert.workspace import Workspace

_SETTLE, _BETWEEN = 10, 2
"""Swaps per hidden card before the first deal, and before each further deal."""
_FINE = 1 << 20
"""Resolution of random chances."""
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
    total = _spread(free, cards)
    for place in range(total - 1, 0, -1):
        other = random_below(row, place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    seats = row[layout.GAME_SEATS]
    place = 0
    for turn in range(2 * seats):  # first the seats that cannot have every card
        seat = turn % seats
        first = barred[seat] != 0
        if first != (turn < seats):
            continue
        missing = sizes[seat] - count(row[layout.HAND + seat])
        for _ in range(min(missing, total - place)):
            if cards[place] & barred[seat]:
                for other in range(place + 1, total):
                    if not cards[other] & barred[seat]:
                        cards[place], cards[other] = cards[other], cards[place]
                        break
            row[layout.HAND + seat] |= cards[place]
            place += 1


@compiled
def _spread(free: CardSet, cards: Any) -> int:
    """Write the cards of a set to an array, as sets of one. Returns their number."""
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
    first = dealt[layout.PHASE] == layout.OVER
    swaps = (_SETTLE if first else _BETWEEN) * count(hidden.free)
    if first or not len(hidden.evidence):
        copy(dealt, row)
        deal_unseen(dealt, hidden.free, hidden.sizes, hidden.barred, work.cards)
        row[layout.RNG] = dealt[layout.RNG]
    if len(hidden.evidence):
        _swap(row, dealt, hidden, swaps, work)
    dealt[layout.RNG] = row[layout.RNG]


@compiled
def _swap(row: Row, dealt: Row, hidden: Hidden, swaps: int, work: Workspace) -> None:
    """Try `swaps` swaps of two cards between the hidden hands in `dealt`."""
    held = 0
    for seat in range(dealt[layout.GAME_SEATS]):
        held |= dealt[layout.HAND + seat]
    total = _spread(hidden.free & held, work.cards)
    if total < 2:
        return
    for seat in range(dealt[layout.GAME_SEATS]):
        work.likely[seat] = _likely(dealt[layout.HAND + seat], seat, hidden, work)
    for _ in range(swaps):
        one = work.cards[random_below(row, total)]
        other = work.cards[random_below(row, total)]
        mine, theirs = _holder(dealt, one), _holder(dealt, other)
        if mine == theirs or one & hidden.barred[theirs] or other & hidden.barred[mine]:
            continue
        hand = dealt[layout.HAND + mine] ^ one ^ other
        rest = dealt[layout.HAND + theirs] ^ one ^ other
        if lowest(one) >> 2 == lowest(other) >> 2 and (one | other) & layout.NATURALS:
            dealt[layout.HAND + mine], dealt[layout.HAND + theirs] = hand, rest
            continue
        likely, less = _likely(hand, mine, hidden, work), _likely(rest, theirs, hidden, work)
        gain = likely + less - work.likely[mine] - work.likely[theirs]
        if gain > -_ROUNDING or random_below(row, _FINE) < exp(gain) * _FINE:
            dealt[layout.HAND + mine], dealt[layout.HAND + theirs] = hand, rest
            work.likely[mine], work.likely[theirs] = likely, less


@compiled
def _holder(row: Row, card: CardSet) -> Seat:
    """Return the seat whose hand has this card; some hand must have it."""
    seat = 0
    while not row[layout.HAND + seat] & card:
        seat += 1
    return seat


@compiled
def _likely(hand: CardSet, seat: Seat, hidden: Hidden, work: Workspace) -> float:
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
