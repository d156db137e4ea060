"""Manners: preferences that make computer players of one level differ.

A manner decides between choices that are about equally good: an action that the player likes gets a
bonus of some points. So a manner never costs more than this bonus.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from engine import (
    DOGS,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    Action,
    AnswerGrand,
    CallTichu,
    CardSet,
    Pass,
    PassCards,
    Play,
    View,
    rank_of,
)

Manner = Literal["steady", "bold", "careful", "helpful"]


class Taste(NamedTuple):
    """Bonus of each kind of action, in points of the round; negative for dislikes."""

    calling: float = 0.0
    """Making a call, for each 100 points of its stake."""
    bombing: float = 0.0
    """Laying a bomb."""
    passing: float = 0.0
    """Passing on a trick."""
    leaving: float = 0.0
    """Passing on a partner's trick, and leading the Dog."""
    giving: float = 0.0
    """Giving a card to a partner in the exchange, for each rank."""


STEADY = Taste()
"""Neutral taste: no preferences."""
TASTES: Mapping[Manner, Taste] = {
    "steady": STEADY,
    "bold": Taste(calling=8.0, bombing=4.0, passing=-1.0),
    "careful": Taste(calling=-5.0, bombing=-4.0, passing=0.5),
    "helpful": Taste(leaving=1.5, giving=0.25),
}
"""Taste of each manner."""

PLACES_PER_POINT = 0.02
"""Number of places that a bonus of one point is worth, in games without points."""


def liking(taste: Taste, view: View, action: Action, *, bomb: bool) -> float:
    """Return the bonus of an action of the view's seat, in points.

    `bomb` is true if the action lays a bomb.
    """
    seat = view.seat
    partners = view.seating.partners(seat) if seat is not None else ()
    match action:
        case CallTichu():
            return taste.calling
        case AnswerGrand():
            return 2 * taste.calling if action.call else 0.0
        case Pass():
            return taste.passing + (taste.leaving if view.top_seat in partners else 0.0)
        case PassCards():
            ranks = (rank_as_gift(card) for receiver, card in action.gifts if receiver in partners)
            return taste.giving * sum(ranks)
        case Play() if action.cards & DOGS:
            return taste.leaving
    return taste.bombing if bomb else 0.0


def rank_as_gift(card: CardSet) -> float:
    """Return the rank of a card as a gift.

    A Dragon or Phoenix counts as an ace, a Dog or Mah Jong as 0.
    """
    if card & (DRAGONS | PHOENIXES):
        return 14.0
    return 0.0 if card & (DOGS | MAHJONGS) else float(rank_of(card.bit_length() - 1))
