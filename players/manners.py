"""Manners: preferences that make computer players of one level differ.

A manner decides between choices that are about equally good: an action that the player likes counts
some points more than it brings. So a manner never costs more than these points.
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
    """Preferences in points of the round for the seat's team; dislikes are negative."""

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
"""Value of a point as a part of a place, in games without points."""


def liking(taste: Taste, view: View, action: Action, *, bomb: bool) -> float:
    """Return how much a taste likes an action of the view's seat, in points.

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
