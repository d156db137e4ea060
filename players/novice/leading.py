"""The Novice's leads: long and low plays first, but winners if the rest can follow at once."""

from __future__ import annotations

from engine import MAHJONGS, Combination, Kind, Play, Seat
from players.novice.moves import distinct
from players.novice.outlook import Outlook
from players.novice.partition import effort, effort_saved, plan

SURE = 0.9
"""Chance to win the trick from which a play counts as a winner."""
_ONLY_LED = 6.0
"""Worth of leading the Dog or Mah Jong, divided by the number of cards in hand.

Neither can be laid in any other way.
"""
_ALONE = 0.5
"""Cost of letting an opponent go out, in games without partners."""
_EFFORT, _SIZE, _RANK = 2.0, 0.25, 0.04
"""Worth of a lead per unit of effort and per card, and its loss per rank."""
_RIVAL_HOLDS, _RIVAL_SHORT = 4.0, 5.0
"""Worth of a sure winner and cost of any play, if an opponent has as many cards as the play."""
_PARTNER_LAST, _PARTNER_LAST_RANK = 2.0, 0.1
"""Worth of a single for a partner with one card left, and its loss per rank."""
_DOG_TO_CALLER, _DOG_EARLY, _DOG_LATE = 10.0, 1.6, 4.0
"""Worth of the Dog for a partner's open call, and for partners with many and with few cards."""


def choose_lead(outlook: Outlook, options: list[Combination]) -> Combination:
    """Return the best of all legal leads; it is a play of the hand's plan, if one is legal."""
    hand = outlook.view.hand
    plays = plan(hand.cards).plays
    legal = {play.cards for play in options}
    planned = [play for play in plays if play.cards in legal]

    if outlook.partner_has_open_call and len(plays) == 1 and plays[0].size > 1:
        planned = [play for play in options if play.size == 1]  # the partner goes out first
    if not planned:
        return max(distinct(hand, options), key=lambda play: effort_saved(hand.cards, play.cards))
    losers = [play for play in plays if outlook.win_chance(play) < SURE]
    if len(losers) <= 1 and not outlook.partner_has_open_call:
        return max(planned, key=lambda play: _sure_lead_order(play, losers))
    return max(planned, key=lambda play: _worth(outlook, play))


def choose_partner(outlook: Outlook) -> Seat | None:
    """Return the partner to aim the Dog at, or `None` if the rules leave no choice.

    It is one that has called, or else the one with the fewest cards.
    """
    view = outlook.view
    targets = [action.partner for action in view.actions if isinstance(action, Play)]
    seats = [view.seats[seat] for seat in targets if seat is not None]
    if not seats:
        return None
    return min(seats, key=lambda partner: (not outlook.has_open_call(partner), partner.cards)).seat


def _sure_lead_order(play: Combination, losers: list[Combination]) -> tuple[bool, bool, int]:
    """Return the sort key of a lead of a plan that nobody can stop.

    Plays that win their trick come first, then bombs. The only play that may lose comes last.
    """
    return (play not in losers, not play.is_bomb, play.size)


def _worth(outlook: Outlook, play: Combination) -> float:
    """Return the worth of a lead.

    Long and low plays have a higher worth, and plays on which an opponent can go out a lower one.
    """
    only_led = _ONLY_LED / outlook.view.hand.size
    if play.kind is Kind.DOG:
        return _worth_of_dog(outlook) + only_led
    worth = _EFFORT * effort(play) + _SIZE * play.size - _RANK * play.rank
    if play.cards & MAHJONGS:
        worth += only_led
    fewest_rival_cards = min((rival.cards for rival in outlook.rivals), default=0)
    if play.size == fewest_rival_cards <= 2 and outlook.alone:
        worth += _ALONE * (outlook.win_chance(play) - 1.0)
    elif play.size == fewest_rival_cards <= 2:
        worth += _RIVAL_HOLDS * outlook.win_chance(play) - _RIVAL_SHORT
    elif any(partner.cards == play.size == 1 for partner in outlook.partners):
        worth += _PARTNER_LAST - _PARTNER_LAST_RANK * play.rank
    return worth


def _worth_of_dog(outlook: Outlook) -> float:
    """Return the worth of leading the Dog, which is higher if a partner has few cards."""
    if outlook.partner_has_open_call:
        return _DOG_TO_CALLER
    cards = [partner.cards for partner in outlook.partners if partner.cards]
    if outlook.own_call_is_open or not cards:
        return 0.0
    return _DOG_EARLY if min(cards) > 3 else _DOG_LATE
