"""The plain computer player: legal, quick and sensible, but no master. One person can play a whole
match with three of them. It knows nothing but the view it is given.
"""

from __future__ import annotations

import random

from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    Waive,
)
from engine.cards import MAHJONGS, OF_RANK, RANKS
from engine.state import WINDOWS, Phase
from engine.view import View
from players.calls import calls_grand, calls_tichu, withdraws
from players.exchange import choose_gifts
from players.following import choose_answer, choose_bomb
from players.leading import choose_lead
from players.moves import distinct, moves, must_play
from players.outlook import Outlook


class PlainPlayer:
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
            return _gift(view, rng)
        return _in_turn(view, seat)


def _in_window(view: View, seat: int) -> Action | None:
    if Waive(seat) not in view.actions:
        return None
    bomb = choose_bomb(Outlook(view, seat), view.bombs) if view.bombs else None
    return Waive(seat) if bomb is None else Bomb(seat, bomb.cards)


def _gift(view: View, rng: random.Random) -> Action:
    """The Dragon's trick goes to the opponent who is farthest from going out."""
    gifts = [action for action in view.actions if isinstance(action, GiveTrick)]
    most = max(view.seats[gift.to].cards for gift in gifts)
    return rng.choice([gift for gift in gifts if view.seats[gift.to].cards == most])


def _in_turn(view: View, seat: int) -> Action:
    outlook = Outlook(view, seat)
    options = moves(view)
    if view.phase is Phase.LEAD:
        chosen = choose_lead(outlook, options)
    else:
        may_pass = Pass(seat) in view.actions and not must_play(view, options)
        answer = choose_answer(outlook, distinct(view.hand, options), may_pass=may_pass)
        if answer is None:
            return Pass(seat)
        chosen = answer
    if CallTichu(seat) in view.actions and calls_tichu(outlook):
        return CallTichu(seat)  # and the play when asked again
    if chosen.play.cards & MAHJONGS:
        return chosen.action._replace(wish=_wish(view))
    return chosen.action


def _wish(view: View) -> int | None:
    """The rank passed to the next seat that got one, if it is an opponent: that opponent has it."""
    given = dict(view.given or ())
    for other in view.seating.opponents(view.seat if view.seat is not None else -1):
        if other in given:
            return next((rank for rank in RANKS if given[other] & OF_RANK[rank]), None)
    return None
