"""What a seat knows of the hidden hands: who must hold a card, and who cannot."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import MAHJONGS, OF_RANK, Kind, Laid, Phase, View, card_set
from players.expert import layout as at
from players.expert.rows import KINDS
from players.expert.search import Hidden


class Knowledge:
    """The hidden cards of one view.

    `held[seat]` are cards that a seat holds for certain, `free` all others that are not seen,
    `sizes` how many cards each hand has (before the exchange: once all are dealt), `barred[seat]`
    cards that a seat cannot have; `passes` and `callers` what the others have done, as
    `players.expert.likelihood` takes it.
    """

    def __init__(self, view: View) -> None:
        seats, variant = len(view.seats), view.variant
        self.held = [0] * at.SEATS
        self.barred = np.zeros(at.SEATS, np.int64)
        self.sizes = np.zeros(at.SEATS, np.int64)
        seen = {seat: hand.cards for seat, hand in view.hands}
        laid = view.left_over
        for trick in view.past:
            for step in trick.steps:
                laid |= step.combination.cards if step.combination is not None else 0
        for step in view.trick:
            laid |= step.combination.cards if step.combination is not None else 0
        for seat, cards in seen.items():
            self.held[seat] = cards
        free = card_set(variant.deck(view.options)) & ~laid
        for cards in seen.values():
            free &= ~cards
        if view.phase in (Phase.GRAND, Phase.EXCHANGE):
            order = variant.deal_order(view.seating)
            total = len(variant.deck(view.options)) - variant.left_over(view.options)
            for place, seat in enumerate(order):
                self.sizes[seat] = (total - place + seats - 1) // seats
        else:
            self.sizes[:seats] = [seat.cards for seat in view.seats]
            for to, cards in view.given or ():
                self._hold(to, cards & free)
            self._hold(first_leader(view), MAHJONGS & free)
            self._bar_wished(view)
        for cards in self.held:
            free &= ~cards
        self.free = free
        self.passes, self.callers = _done(view)

    @property
    def hidden(self) -> Hidden:
        """What the compiled code needs of it."""
        return Hidden(self.free, self.sizes, self.barred, self.passes, self.callers)

    def _hold(self, seat: int, cards: int) -> None:
        self.held[seat] |= cards

    def _bar_wished(self, view: View) -> None:
        """Who did not heed a wish on a lead or a low single had no card of that rank."""
        wish: int | None = None
        if view.options.wish_penalty:
            return
        for steps in [*(trick.steps for trick in view.past), view.trick]:
            top: int | None = -1  # what a single must be above; None when it is no single
            for seat, play, wished in steps:
                cards = play.cards if play is not None else 0
                out_of_turn = play is not None and play.is_bomb
                free = view.variant.free_of_wishes >> seat & 1
                if wish is not None and not cards & OF_RANK[wish] and not (out_of_turn or free):
                    could = top is not None and top < 2 * wish
                    self.barred[seat] |= could * OF_RANK[wish] & at.DECK
                if play is not None:
                    top = play.key if play.kind is Kind.SINGLE else None
                    if wish is not None and cards & OF_RANK[wish]:
                        wish = None
                    wish = wished if wished is not None else wish


def _done(view: View) -> tuple[Any, Any]:
    """Passes of the others on plays of their opponents, and what callers have laid."""
    passes: list[tuple[int, ...]] = []
    laid = [0] * at.SEATS
    seen = {seat for seat, _ in view.hands}
    tricks = [*(trick.steps for trick in view.past), view.trick]
    for steps in reversed(tricks):
        tops: list[Laid | None] = [None]
        for step in steps:
            tops.append(step if step.combination is not None else tops[-1])
        for (seat, play, _), top in zip(reversed(steps), reversed(tops[:-1]), strict=True):
            if play is not None:
                laid[seat] |= play.cards
            elif top is not None and top.combination is not None and seat not in seen:
                kind, size, key = top.combination[:3]
                if view.seats[seat].team != view.seats[top.seat].team:
                    passes.append((seat, KINDS[kind], size, key, laid[seat]))
    callers = np.full(at.SEATS, -1, np.int64)
    for other in view.seats:
        if other.call is not None and other.seat not in seen:
            callers[other.seat] = laid[other.seat]
    return np.array(passes, np.int64).reshape(-1, 5), callers


def first_leader(view: View) -> int:
    """Who led first in this round and so had the Mah Jong."""
    if view.past:
        return view.past[0].steps[0].seat
    return view.trick[0].seat if view.trick else view.turn
