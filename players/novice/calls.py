"""The Novice's calls: Grand Tichu, Tichu, and the withdrawal of one of two calls of a team."""

from __future__ import annotations

from engine import CARDS_OF_RANK, DOGS, DRAGONS, PHOENIXES, View
from players.manners import Taste
from players.novice.outlook import Outlook
from players.novice.partition import EFFORT_PER_POINT, plan_effort

_GRAND_STRENGTH = {8: 4.5, 6: 5.0}
"""Minimum strength for a Grand Tichu, by the number of cards dealt so far."""
_TICHU_EFFORT = 2.1
"""Maximum effort of a hand for a Tichu."""
_TICHU_OF_A_SHORT_HAND = 2.3
"""Maximum effort of a short hand for a Tichu, as short hands are a little easier to lay."""
_LONG_HAND = 12
"""Minimum number of dealt cards of a long hand."""
_OPPOSED = 1.0
"""Reduction of the maximum effort when an opponent has called."""
_MOST_LAID = 6
"""Maximum number of cards that any seat may have laid before a Tichu."""


def calls_grand(view: View, taste: Taste) -> bool:
    """Return whether the first cards are strong enough for a Grand Tichu.

    A player whose `taste` likes calls needs less.
    """
    cards = view.hand.cards
    strength = (
        3.0 * (cards & DRAGONS).bit_count()
        + 3.0 * (cards & PHOENIXES).bit_count()
        + 2.0 * (cards & CARDS_OF_RANK[14]).bit_count()
        + 0.5 * (cards & CARDS_OF_RANK[13]).bit_count()
        - 1.0 * (cards & DOGS).bit_count()
        + (2.0 if view.hand.bombs() else 0.0)
        - plan_effort(cards)
        + 2 * taste.calling * EFFORT_PER_POINT
    )
    return strength >= _GRAND_STRENGTH.get(view.hand.size, max(_GRAND_STRENGTH.values()))


def calls_tichu(outlook: Outlook, taste: Taste) -> bool:
    """Return whether to call a Tichu before laying the first card.

    The hand must be strong, no seat may have laid many cards, and no partner may have called.
    """
    view = outlook.view
    if view.out or any(partner.call is not None for partner in outlook.partners):
        return False
    dealt = len(view.variant.deck(view.options)) // len(view.seats)
    if min(seat.cards for seat in view.seats) < dealt - _MOST_LAID:
        return False
    most_effort = _TICHU_EFFORT if dealt >= _LONG_HAND else _TICHU_OF_A_SHORT_HAND
    if any(opponent.call is not None for opponent in outlook.opponents):
        most_effort -= _OPPOSED
    return plan_effort(view.hand.cards) <= most_effort + taste.calling * EFFORT_PER_POINT


def withdraws(outlook: Outlook) -> bool:
    """Return whether to withdraw a call made at the same time as a partner's.

    The Novice always does, because only one of the two calls can succeed.
    """
    return any(partner.call is not None for partner in outlook.partners)
