"""When a computer player bets on going out first, and when it takes a bet back."""

from __future__ import annotations

from bench.frozen.expert_2026_11.from_engine import DOGS, DRAGONS, OF_RANK, PHOENIXES
from bench.frozen.expert_2026_11.from_engine import VARIANTS
from bench.frozen.expert_2026_11.from_engine import View
from bench.frozen.expert_2026_11.novice.outlook import Outlook
from bench.frozen.expert_2026_11.novice.partition import plan_effort

_GRAND = {8: 4.5, 6: 5.0}
"""How strong the first cards must be, by how many they are."""
_TICHU = 2.1
_TICHU_OF_SIX = 2.3
"""A small Tichu is called with a plan of at most this effort; nine cards of six players are gone
sooner than fourteen of four."""
_AGAINST = 1.0
"""With so much less effort it is called against a call of an opponent."""
_LAID = 6
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
        - plan_effort(cards)
    )
    return strength >= _GRAND.get(view.hand.size, max(_GRAND.values()))


def calls_tichu(outlook: Outlook) -> bool:
    """Whether to call before laying the first card: a strong hand, nobody in the way."""
    view = outlook.view
    if view.out or any(partner.call is not None for partner in outlook.partners):
        return False
    dealt = len(VARIANTS[view.options.variant].deck(view.options)) // len(view.seats)
    if min(seat.cards for seat in view.seats) < dealt - _LAID:
        return False
    most = _TICHU if len(view.seats) < 6 else _TICHU_OF_SIX
    if any(opponent.call is not None for opponent in outlook.opponents):
        most -= _AGAINST
    return plan_effort(view.hand.cards) <= most


def withdraws(outlook: Outlook) -> bool:
    """Whether to take a simultaneous call back: when a partner's stands, one of two must fail."""
    return any(partner.call is not None for partner in outlook.partners)
