"""The duty to fulfil a wish (rules section 6; N28-N36)."""

from __future__ import annotations

from engine.cards import OF_RANK
from engine.combinations import Combination
from engine.round import Round
from engine.state import Match
from engine.types import Seat


def possible_plays(round_: Round, seat: Seat) -> list[Combination]:
    """Everything the seat could lay if it were its lead or turn now, wishes aside."""
    hand = round_.hands[seat]
    return hand.all() if round_.top is None else hand.above(round_.top)


def fulfilling_plays(match: Match, round_: Round, seat: Seat) -> list[Combination]:
    """The plays that fulfil the open wish, one of which this seat has to make now (section 6).

    Empty when the wish does not bind the seat. A play fulfils the wish with a natural card of the
    rank, not with a Phoenix that stands for it (N29). This is about a lead or a play in turn: bombs
    out of turn are exempt (N33).
    """
    wish = round_.wish
    if wish is None:
        return []
    wished = OF_RANK[wish]
    if not round_.hands[seat].cards & wished or not match.variant.bound_by_wish(round_, seat):
        return []
    return [play for play in possible_plays(round_, seat) if play.cards & wished]
