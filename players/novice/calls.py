"""When the Novice calls a Grand Tichu or a Tichu, and when it withdraws a call."""

from __future__ import annotations

from engine import DOGS, DRAGONS, OF_RANK, PHOENIXES, View
from players.manners import Taste
from players.novice.outlook import Outlook
from players.novice.partition import EFFORT_PER_POINT, plan_effort

_GRAND = {8: 4.5, 6: 5.0}
"""The strength that a Grand Tichu needs, by the number of cards dealt before the question."""
_TICHU = 2.1
"""A Tichu is called with a plan of at most this effort."""
_TICHU_OF_A_SHORT_HAND = 2.3
"""The same with a short hand, which is laid sooner."""
_LONG_HAND = 12
"""A hand is short when fewer cards than this are dealt to a seat."""
_AGAINST = 1.0
"""When an opponent has called, a Tichu needs a plan of this much less effort."""
_LAID = 6
"""The most cards that any seat may have laid when a Tichu is called."""


def calls_grand(view: View, taste: Taste) -> bool:
    """Whether the first cards are strong enough for a Grand Tichu, to a player of this taste."""
    cards = view.hand.cards
    strength = (
        3.0 * (cards & DRAGONS).bit_count()
        + 3.0 * (cards & PHOENIXES).bit_count()
        + 2.0 * (cards & OF_RANK[14]).bit_count()
        + 0.5 * (cards & OF_RANK[13]).bit_count()
        - 1.0 * (cards & DOGS).bit_count()
        + (2.0 if view.hand.bombs() else 0.0)
        - plan_effort(cards)
        + 2 * taste.calling * EFFORT_PER_POINT
    )
    return strength >= _GRAND.get(view.hand.size, max(_GRAND.values()))


def calls_tichu(outlook: Outlook, taste: Taste) -> bool:
    """Whether to call a Tichu before laying the first card.

    It takes a strong hand, and nobody who is far ahead; never when a partner has called.
    """
    view = outlook.view
    if view.out or any(partner.call is not None for partner in outlook.partners):
        return False
    dealt = len(view.variant.deck(view.options)) // len(view.seats)
    if min(seat.cards for seat in view.seats) < dealt - _LAID:
        return False
    most = _TICHU if dealt >= _LONG_HAND else _TICHU_OF_A_SHORT_HAND
    if any(opponent.call is not None for opponent in outlook.opponents):
        most -= _AGAINST
    return plan_effort(view.hand.cards) <= most + taste.calling * EFFORT_PER_POINT


def withdraws(outlook: Outlook) -> bool:
    """Whether to withdraw a simultaneous call: yes if a partner's stands, for one must fail."""
    return any(partner.call is not None for partner in outlook.partners)
