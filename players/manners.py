"""Manners: what computer players of one level like to do, so that no two at a table are alike.

A manner decides between choices that are about equally good: what a player likes counts some points
more than it brings. So a manner costs little, and never more than these points.
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
    """What a manner likes, in points of the round for the seat's team; below 0 what it dislikes."""

    calling: float = 0.0
    """A call, for each 100 points of its stake."""
    bombing: float = 0.0
    """Throwing a bomb."""
    passing: float = 0.0
    """Passing."""
    leaving: float = 0.0
    """Passing on a partner's play, and the Dog."""
    giving: float = 0.0
    """A card for a partner in the exchange, for each rank."""


STEADY = Taste()
"""No taste at all: to play as the level does."""
TASTES: Mapping[Manner, Taste] = {
    "steady": STEADY,
    "bold": Taste(calling=8.0, bombing=4.0, passing=-1.0),
    "careful": Taste(calling=-5.0, bombing=-4.0, passing=0.5),
    "helpful": Taste(leaving=1.5, giving=0.25),
}
"""The taste of each manner."""

PLACES_PER_POINT = 0.02
"""What a point counts in a game without points, as a part of a place."""


def liking(taste: Taste, view: View, action: Action, *, bomb: bool) -> float:
    """How much a taste likes an action of the seat of this view, in points of the round.

    `bomb` says whether the action lays one.
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
    """The rank of a card as a gift: a Dragon or Phoenix is an ace, a Dog or Mah Jong nothing."""
    if card & (DRAGONS | PHOENIXES):
        return 14.0
    return 0.0 if card & (DOGS | MAHJONGS) else float(rank_of(card.bit_length() - 1))
