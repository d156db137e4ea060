"""What a computer player leads: long and low first, winners when they carry it out of the hand."""

from __future__ import annotations

from bench.frozen.expert_2026_11.from_engine import Play
from bench.frozen.expert_2026_11.from_engine import MAHJONGS
from bench.frozen.expert_2026_11.from_engine import Combination, Kind
from bench.frozen.expert_2026_11.novice.moves import distinct
from bench.frozen.expert_2026_11.novice.outlook import Outlook
from bench.frozen.expert_2026_11.novice.partition import effort, plan, saved

SURE = 0.9
"""A play that holds this likely counts as a winner."""
_ONLY_LED = 6.0
"""Dog and Mah Jong can only be led: what that urges, shared out over the cards in hand."""
_ALONE = 0.5
"""What it costs, where everybody plays for himself, to help an opponent out of the round."""


def choose_lead(outlook: Outlook, options: list[Combination]) -> Combination:
    """The lead out of all legal ones; the hand's plan is only broken up when it has to be."""
    hand = outlook.view.hand
    plays = plan(hand.cards).plays
    legal = {play.cards for play in options}
    planned = [play for play in plays if play.cards in legal]
    if outlook.partner_may_make_it and len(plays) == 1 and plays[0].size > 1:
        planned = [play for play in options if play.size == 1]  # the partner goes out first
    if not planned:
        return max(distinct(hand, options), key=lambda play: saved(hand.cards, play.cards))
    losers = [play for play in plays if outlook.holds(play) < SURE]
    if len(losers) <= 1 and not outlook.partner_may_make_it:
        return max(planned, key=lambda play: _carries(play, losers))
    return max(planned, key=lambda play: _worth(outlook, play))


def choose_partner(outlook: Outlook) -> int | None:
    """The partner whom a Dog goes to where there is a choice: a caller, or who is nearly out."""
    view = outlook.view
    targets = [action.partner for action in view.actions if isinstance(action, Play)]
    seats = [view.seats[seat] for seat in targets if seat is not None]
    if not seats:
        return None
    return min(seats, key=lambda partner: (not outlook.call_open(partner), partner.cards)).seat


def _carries(play: Combination, losers: list[Combination]) -> tuple[bool, bool, int]:
    """Order of a hand that nobody can stop: winners, then bombs, its one loser last."""
    return (play not in losers, not play.is_bomb, play.size)


def _worth(outlook: Outlook, play: Combination) -> float:
    only_led = _ONLY_LED / outlook.view.hand.size
    if play.kind is Kind.DOG:
        return _dog(outlook) + only_led
    worth = 2.0 * effort(play) + 0.25 * play.size - 0.04 * play.rank
    if play.cards & MAHJONGS:
        worth += only_led
    rivals = min((rival.cards for rival in outlook.rivals), default=0)
    if play.size == rivals <= 2 and outlook.alone:
        worth += _ALONE * (outlook.holds(play) - 1.0)
    elif play.size == rivals <= 2:
        worth += 4.0 * outlook.holds(play) - 5.0
    elif any(partner.cards == play.size == 1 for partner in outlook.partners):
        worth += 2.0 - 0.1 * play.rank
    return worth


def _dog(outlook: Outlook) -> float:
    if outlook.partner_may_make_it:
        return 10.0
    cards = [partner.cards for partner in outlook.partners if partner.cards]
    if outlook.own_call_open or not cards:
        return 0.0
    return 1.6 if min(cards) > 3 else 4.0
