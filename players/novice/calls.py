"""When a computer player bets on going out first, and when it takes a bet back."""

from __future__ import annotations

from engine import DOGS, DRAGONS, OF_RANK, PHOENIXES, View
from players.novice.outlook import Outlook
from players.novice.partition import plan_effort

_GRAND = {8: 4.5, 6: 5.0}
"""The strength that a Grand Tichu takes, by the number of cards that are dealt before it."""
_TICHU = 2.1
_TICHU_OF_A_SHORT_HAND = 2.3
"""A small Tichu is called with a plan of at most this effort; nine cards are gone sooner than
fourteen."""
_LONG_HAND = 12
"""A hand is short when fewer cards than this are dealt to a seat."""
_AGAINST = 1.0
"""Against an opponent's call a Tichu takes a plan of this much less effort."""
_LAID = 6
"""A Tichu is only called while nobody has laid more cards than this."""


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
    dealt = len(view.variant.deck(view.options)) // len(view.seats)
    if min(seat.cards for seat in view.seats) < dealt - _LAID:
        return False
    most = _TICHU if dealt >= _LONG_HAND else _TICHU_OF_A_SHORT_HAND
    if any(opponent.call is not None for opponent in outlook.opponents):
        most -= _AGAINST
    return plan_effort(view.hand.cards) <= most


def withdraws(outlook: Outlook) -> bool:
    """Whether to take a simultaneous call back: when a partner's stands, one of two must fail."""
    return any(partner.call is not None for partner in outlook.partners)
