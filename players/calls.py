"""When a computer player bets on going out first, and when it takes a bet back."""

from __future__ import annotations

from engine.cards import DOGS, DRAGONS, OF_RANK, PHOENIXES
from engine.variants import VARIANTS
from engine.view import View
from players.outlook import Outlook
from players.partition import plan

_GRAND = {8: 8.0, 6: 7.0}
"""How strong the first cards must be, by how many they are: with six, there are fewer to come."""
_TICHU_PLAN = 1.7
_TICHU_PLAN_OF_SIX = 1.9
"""A small Tichu is called with a plan of at most this effort; nine cards of six players are gone
sooner than fourteen of four."""
_TICHU_LAID = 4
"""Nobody else may have laid more cards at a call."""


def calls_grand(view: View) -> bool:
    """Whether the first cards are strong enough for a Grand Tichu."""
    cards = view.hand.cards
    strength = (
        3.0 * (cards & DRAGONS).bit_count()
        + 3.0 * (cards & PHOENIXES).bit_count()
        + 2.0 * (cards & OF_RANK[14]).bit_count()
        + 0.5 * (cards & OF_RANK[13]).bit_count()
        - 1.0 * (cards & DOGS).bit_count()
        + (2.0 if view.hand.bombs() else 0.0)
    )
    return strength >= _GRAND.get(view.hand.size, max(_GRAND.values()))


def calls_tichu(outlook: Outlook) -> bool:
    """Whether to call before laying the first card: a clearly strong hand, nobody in the way."""
    view = outlook.view
    if view.out or any(seat.call is not None for seat in view.seats):
        return False
    dealt = len(VARIANTS[view.options.variant].deck(view.options)) // len(view.seats)
    if min(seat.cards for seat in view.seats) < dealt - _TICHU_LAID:
        return False
    most = _TICHU_PLAN if len(view.seats) < 6 else _TICHU_PLAN_OF_SIX
    return plan(view.hand.cards).effort <= most


def withdraws(outlook: Outlook) -> bool:
    """Whether to take a simultaneous call back: when a partner's stands, one of two must fail."""
    return any(partner.call is not None for partner in outlook.partners)
