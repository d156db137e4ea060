"""The Expert's quick policy as a player, and the Expert with other weights for it.

The Expert uses the policy in playouts, on rows of numbers. Here it gets a view, as every player
does. Decisions without a rule are left to the Novice: Grand Tichu, withdrawals, forced exchanges,
two decks.
"""

from __future__ import annotations

import random

import numpy as np

from engine import (
    DOGS,
    MAHJONGS,
    WINDOW_PHASES,
    Action,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    PassCards,
    Phase,
    Seat,
    View,
    Waive,
)
from players.expert import layout
from players.expert import weights as weight
from players.expert.deals import deal_unseen
from players.expert.kernels import Kernels
from players.expert.knowledge import Knowledge
from players.expert.layout import Row
from players.expert.leads import choose_lead, choose_partner
from players.expert.opening import choose_gifts
from players.expert.partition import split_effort
from players.expert.policy import choose_answer, choose_bomb, choose_receiver, choose_wish
from players.expert.rows import KINDS, fits, row_of
from players.expert.thinking import Expert
from players.expert.weights import Weights
from players.expert.workspace import discard_plans, make_workspace
from players.limit import Limit
from players.novice.moves import action_of, moves
from players.novice.player import Novice


class Quick:
    """The quick policy with these weights, by default the Expert's."""

    def __init__(self, weights: Weights = weight.WEIGHTS) -> None:
        self.weights = weights
        self._novice = Novice()
        self._work = make_workspace()

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of this view's seat, or `None` if it has none to take."""
        simple = self._novice.choose(view, rng)
        forced = len(view.actions) == 1 and view.phase is not Phase.EXCHANGE
        if simple is None or forced or view.asked_to_withdraw or not fits(view):
            return simple
        assert view.seat is not None
        if view.phase is Phase.EXCHANGE and view.variant.scored:
            return self._gifts(view, view.seat)
        if view.phase in (Phase.GRAND, Phase.EXCHANGE):
            return simple
        row = filled_row(view)
        discard_plans(self._work.plans)
        if view.phase in WINDOW_PHASES:
            return self._in_window(view, view.seat, row)
        if view.phase is Phase.GIFT:
            return GiveTrick(view.seat, int(choose_receiver(row, view.seat)))
        return self._in_turn(view, view.seat, row)

    def calls(self, view: View) -> bool:
        """Return whether the policy calls a Tichu with this hand."""
        assert view.seat is not None
        partners = view.seating.partners(view.seat)
        called = any(view.seats[partner].call is not None for partner in partners)
        effort = split_effort(view.hand.cards, self.weights, self._work.runs)
        return not called and effort <= self.weights[weight.TICHU]

    def _gifts(self, view: View, seat: Seat) -> Action:
        """Return the exchange."""
        receivers = sum(1 << other for other in view.variant.receivers(view, seat))
        self._work.gifts[:] = 0
        choose_gifts(row_of(view), seat, receivers, self.weights, self._work)
        cards = enumerate(self._work.gifts[seat])
        return PassCards(seat, tuple((receiver, int(card)) for receiver, card in cards if card))

    def _in_window(self, view: View, seat: Seat, row: Row) -> Action:
        """Return a bomb or a waiver."""
        if view.bombs and choose_bomb(row, seat, self.weights, self._work):
            return Bomb(seat, int(self._work.chosen[0]))
        return Waive(seat)

    def _in_turn(self, view: View, seat: Seat, row: Row) -> Action:
        """Return a lead, an answer, a pass, or first a Tichu call."""
        if CallTichu(seat) in view.actions and self.calls(view):
            return CallTichu(seat)
        if view.phase is Phase.LEAD:
            choose_lead(row, self.weights, self._work)
        elif not choose_answer(row, self.weights, self._work):
            return Pass(seat)
        chosen = tuple(self._work.chosen.tolist())
        action = next(
            action_of(view, play)
            for play in moves(view)
            if (play.cards, KINDS[play.kind], play.size, play.key) == chosen
        )
        if action.cards & DOGS:
            partner = int(choose_partner(row, seat))
            return action._replace(partner=partner if partner >= 0 else None)
        if action.cards & MAHJONGS:
            return action._replace(wish=int(choose_wish(row, seat)) or None)
        return action


class ExpertWith:
    """The Expert with other weights and `playouts` playouts per decision."""

    def __init__(self, weights: Weights, playouts: int) -> None:
        self._expert = Expert(Kernels(weights))
        self._limit = Limit(0.0, playouts)

    def prepare(self) -> None:
        """Compile the search, or load it from disk."""
        self._expert.prepare()

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of this view's seat; it draws one number from `rng`."""
        return self._expert.choose(view, random.Random(rng.getrandbits(32)), self._limit)


def filled_row(view: View) -> Row:
    """Return the row of a position, with hidden cards dealt in one possible way."""
    row, known = row_of(view), Knowledge(view)
    for seat, cards in enumerate(known.held):
        row[layout.HAND + seat] = cards
    deal_unseen(row, known.free, known.sizes, known.barred, np.zeros(layout.CARDS, np.int64))
    return row
