"""The obligation to fulfil a wish (rules section 6; N28-N36)."""

from __future__ import annotations

from engine.cards import CARDS_OF_RANK
from engine.combinations import Combination
from engine.round import Round
from engine.state import Match
from engine.types import Seat


def possible_plays(round_: Round, seat: Seat) -> list[Combination]:
    """Return all plays that the seat could lay on the trick, ignoring turn and wish."""
    hand = round_.hands[seat]
    return hand.all() if round_.top is None else hand.beating(round_.top)


def fulfilling_plays(match: Match, round_: Round, seat: Seat) -> list[Combination]:
    """Return the plays that fulfil the open wish, of which the seat must make one (section 6).

    The list is empty if the wish does not bind the seat. A play fulfils the wish with a natural
    card of the rank, not with a Phoenix that stands for it (N29). Only leads and plays in turn are
    considered, because bombs out of turn are exempt (N33).
    """
    wish = round_.wish
    if wish is None:
        return []
    wished = CARDS_OF_RANK[wish]
    if not round_.hands[seat].cards & wished or not match.variant.bound_by_wish(round_, seat):
        return []
    return [play for play in possible_plays(round_, seat) if play.cards & wished]
