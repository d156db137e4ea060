"""The duty to fulfil a wish (rules section 6; N28-N36)."""

from __future__ import annotations

from engine.cards import OF_RANK
from engine.combinations import Combination
from engine.state import Match, Round
from engine.types import Seat


def possible_plays(round_: Round, seat: Seat) -> list[Combination]:
    """Everything the seat could lay if it were its lead or turn now, wishes aside."""
    hand = round_.hands[seat]
    return hand.all() if round_.top is None else hand.above(round_.top)


def fulfilling_plays(match: Match, round_: Round, seat: Seat) -> list[Combination]:
    """The plays that fulfil the open wish, if this seat has to make one of them now (section 6).

    Empty when the seat is free to do as it likes.

    Only for a regular lead or turn: bombs out of turn are exempt (N33). With a Phoenix only real
    cards of the rank count (N29).
    """
    wish = round_.wish
    if wish is None:
        return []
    wished = OF_RANK[wish]
    if not round_.hands[seat].cards & wished or not match.variant.bound_by_wish(round_, seat):
        return []
    return [play for play in possible_plays(round_, seat) if play.cards & wished]
