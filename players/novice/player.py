"""The Novice: a player of all games that decides at once, by simple rules.

It uses only the view that it gets.
"""

from __future__ import annotations

import random

from engine import (
    CARDS_OF_RANK,
    DOGS,
    MAHJONGS,
    RANKS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    Phase,
    Rank,
    Seat,
    View,
    Waive,
)
from players.manners import STEADY, Taste
from players.novice.calls import calls_grand, calls_tichu, withdraws
from players.novice.exchange import choose_gifts
from players.novice.following import choose_answer, choose_bomb
from players.novice.leading import choose_lead, choose_partner
from players.novice.moves import action_of, distinct, moves, must_play
from players.novice.outlook import Outlook

_CALLER_BONUS = 5
"""Number of cards by which a caller counts as closer to going out, for a Dragon's trick."""


class Novice:
    """Player without memory; it uses only the current view."""

    def choose(self, view: View, rng: random.Random, taste: Taste = STEADY) -> Action | None:
        """Return the action of the view's seat, or `None` if it has no decision to make.

        Its `taste` decides between actions that are about equally good.
        """
        seat = view.seat
        if seat is None:
            return None
        if view.phase is Phase.EXCHANGE and not view.asked_to_withdraw:
            return choose_gifts(view, seat, rng, taste) if view.given is None else None
        if not view.actions:
            return None
        if view.asked_to_withdraw:
            return AnswerWithdraw(seat, withdraws(Outlook(view, seat)))
        if view.phase is Phase.GRAND:
            return AnswerGrand(seat, calls_grand(view, taste))
        if view.phase in WINDOW_PHASES:
            return _in_window(view, seat, taste)
        if view.turn != seat:
            return None
        if view.phase is Phase.GIFT:
            return _give_trick_away(Outlook(view, seat))
        return _in_turn(Outlook(view, seat), taste)


def _in_window(view: View, seat: Seat, taste: Taste) -> Action | None:
    """Return a bomb or a waiver in a bomb window; `None` if the seat has already done either."""
    if Waive(seat) not in view.actions:
        return None
    bomb = choose_bomb(Outlook(view, seat), view.bombs, taste) if view.bombs else None
    return Waive(seat) if bomb is None else Bomb(seat, bomb.cards)


def _give_trick_away(outlook: Outlook) -> Action:
    """Return the gift of a Dragon's trick, to the opponent who is farthest from going out.

    That opponent is the most likely to be last, and so to lose the trick again. Of two who are
    equally far it is the later one in turn order.
    """
    view = outlook.view
    gifts = {action.receiver: action for action in view.actions if isinstance(action, GiveTrick)}
    receivers = [other for other in reversed(outlook.opponents) if other.seat in gifts]
    farthest = max(
        receivers, key=lambda other: other.cards - _CALLER_BONUS * outlook.has_open_call(other)
    )
    return gifts[farthest.seat]


def _in_turn(outlook: Outlook, taste: Taste) -> Action:
    """Return a lead, an answer or a pass, or a Tichu call before it.

    After a call the seat is asked again.
    """
    view, seat = outlook.view, outlook.seat
    options = moves(view)
    if view.phase is Phase.LEAD:
        chosen = choose_lead(outlook, options)
    else:
        may_pass = not must_play(view, options)
        answer = choose_answer(
            outlook, distinct(view.hand, options), may_pass=may_pass, taste=taste
        )
        if answer is None:
            return Pass(seat)
        chosen = answer
    if any(isinstance(action, CallTichu) for action in view.actions) and calls_tichu(
        outlook, taste
    ):
        return CallTichu(seat)
    play = action_of(view, chosen)
    if chosen.cards & MAHJONGS:
        return play._replace(wish=_wish(outlook))
    return play._replace(partner=choose_partner(outlook)) if chosen.cards & DOGS else play


def _wish(outlook: Outlook) -> Rank | None:
    """Return the rank to wish for, or `None` for no wish.

    Against an opponent's call, it is the highest rank that only others have. Otherwise it is the
    rank of the card that the seat gave to the next opponent, if that has not been laid yet. A seat
    that gave no card to an opponent wishes for the highest rank that only others have.
    """
    view = outlook.view
    held, unseen = view.hand.cards, outlook.unseen
    foreign_ranks = [
        rank for rank in RANKS if unseen & CARDS_OF_RANK[rank] and not held & CARDS_OF_RANK[rank]
    ]
    if any(map(outlook.has_open_call, outlook.opponents)) and not outlook.partner_has_open_call:
        return max(foreign_ranks, default=None)
    given = dict(view.given or ())
    for other in outlook.opponents:
        if other.seat in given and other.seat not in outlook.open_hands:
            gift = given[other.seat] & unseen
            return next((rank for rank in RANKS if gift & CARDS_OF_RANK[rank]), None)
    return max(foreign_ranks, default=None)
