"""The Novice: instant, sensible, no blunders; a person can play a whole match with three of them.

It knows nothing but the view it is given.
"""

from __future__ import annotations

import random

from bench.frozen.expert_2026_11.from_engine import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    Waive,
)
from bench.frozen.expert_2026_11.from_engine import DOGS, MAHJONGS, OF_RANK, RANKS
from bench.frozen.expert_2026_11.from_engine import WINDOWS, Phase
from bench.frozen.expert_2026_11.from_engine import View
from bench.frozen.expert_2026_11.novice.calls import calls_grand, calls_tichu, withdraws
from bench.frozen.expert_2026_11.novice.exchange import choose_gifts
from bench.frozen.expert_2026_11.novice.following import choose_answer, choose_bomb
from bench.frozen.expert_2026_11.novice.leading import choose_lead, choose_partner
from bench.frozen.expert_2026_11.novice.moves import action_of, distinct, moves, must_play
from bench.frozen.expert_2026_11.novice.outlook import Outlook

_CALLER_AHEAD = 5
"""An opponent who has called is so many cards closer to going out than another one."""


class Novice:
    """A player without memory: everything it knows is in the view of the moment."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """What the seat of this view does now, or `None` when nothing is asked of it."""
        seat = view.seat
        if seat is None:
            return None
        if view.phase is Phase.EXCHANGE and not view.asked_to_withdraw:
            return choose_gifts(view, seat, rng) if view.given is None else None
        if not view.actions:
            return None
        if view.asked_to_withdraw:
            return AnswerWithdraw(seat, withdraws(Outlook(view, seat)))
        if view.phase is Phase.GRAND:
            return AnswerGrand(seat, calls_grand(view))
        if view.phase in WINDOWS:
            return _in_window(view, seat)
        if view.turn != seat:
            return None
        if view.phase is Phase.GIFT:
            return _gift(Outlook(view, seat))
        return _in_turn(Outlook(view, seat))


def _in_window(view: View, seat: int) -> Action | None:
    if Waive(seat) not in view.actions:
        return None
    bomb = choose_bomb(Outlook(view, seat), view.bombs) if view.bombs else None
    return Waive(seat) if bomb is None else Bomb(seat, bomb.cards)


def _gift(outlook: Outlook) -> Action:
    """The Dragon's trick goes to the opponent who is farthest from going out, the later of equals.

    That one is most likely to be the last, who keeps nothing of it.
    """
    view = outlook.view
    gifts = {action.receiver: action for action in view.actions if isinstance(action, GiveTrick)}
    receivers = [other for other in reversed(outlook.opponents) if other.seat in gifts]
    weakest = max(
        receivers, key=lambda other: other.cards - _CALLER_AHEAD * outlook.call_open(other)
    )
    return gifts[weakest.seat]


def _in_turn(outlook: Outlook) -> Action:
    view, seat = outlook.view, outlook.seat
    options = moves(view)
    if view.phase is Phase.LEAD:
        chosen = choose_lead(outlook, options)
    else:
        may_pass = not must_play(view, options)
        answer = choose_answer(outlook, distinct(view.hand, options), may_pass=may_pass)
        if answer is None:
            return Pass(seat)
        chosen = answer
    if any(isinstance(action, CallTichu) for action in view.actions) and calls_tichu(outlook):
        return CallTichu(seat)  # and the play when asked again
    play = action_of(view, chosen)
    if chosen.cards & MAHJONGS:
        return play._replace(wish=_wish(outlook))
    return play._replace(partner=choose_partner(outlook)) if chosen.cards & DOGS else play


def _wish(outlook: Outlook) -> int | None:
    """A high rank against an opponent's call, else the rank passed to the next opponent.

    The latter has it, as long as it has not been played. Who has passed nothing to an opponent
    wishes for the best rank that others must have.
    """
    view = outlook.view
    held, unseen = view.hand.cards, outlook.unseen
    wanted = [rank for rank in RANKS if unseen & OF_RANK[rank] and not held & OF_RANK[rank]]
    if any(map(outlook.call_open, outlook.opponents)) and not outlook.partner_may_make_it:
        return max(wanted, default=None)
    given = dict(view.given or ())
    for other in outlook.opponents:
        if other.seat in given and other.seat not in outlook.open_hands:
            passed = given[other.seat] & unseen
            return next((rank for rank in RANKS if passed & OF_RANK[rank]), None)
    return max(wanted, default=None)
