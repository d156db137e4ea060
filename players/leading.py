"""What a computer player leads: long and low first, winners when they carry it out of the hand."""

from __future__ import annotations

from engine.cards import MAHJONGS
from engine.combinations import Combination, Kind
from players.moves import Move
from players.outlook import Outlook
from players.partition import effort, plan

SURE = 0.9
"""A play that holds this likely counts as a winner."""
_ONLY_LED = 6.0
"""Dog and Mah Jong can only be led: what that urges, shared out over the cards in hand."""


def choose_lead(outlook: Outlook, options: list[Move]) -> Move:
    """The lead out of all legal ones; the hand's plan is only broken up when it has to be."""
    move = _best(outlook, options)
    if move.action.to is None:
        return move
    dogs = [dog for dog in options if dog.play.cards == move.play.cards]
    return min(dogs, key=lambda dog: _called_or_nearly_out(outlook, dog.action.to or 0))


def _best(outlook: Outlook, options: list[Move]) -> Move:
    hand = outlook.view.hand.cards
    by_cards = {move.play.cards: move for move in sorted(options, key=lambda m: m.play.key)}
    plays = plan(hand).plays
    planned = [by_cards[play.cards] for play in plays if play.cards in by_cards]
    if outlook.partner_may_make_it and len(plays) == 1 and plays[0].size > 1:
        planned = [move for move in options if move.play.size == 1]  # the partner goes out first
    if not planned:
        return min(options, key=lambda move: plan(hand & ~move.play.cards).effort)
    losers = [play for play in plays if outlook.holds(play) < SURE]
    if len(losers) <= 1 and not outlook.partner_may_make_it:
        return max(planned, key=lambda move: _carries(move.play, losers))
    return max(planned, key=lambda move: _worth(outlook, move.play))


def _called_or_nearly_out(outlook: Outlook, seat: int) -> tuple[bool, bool, int]:
    partner = outlook.view.seats[seat]
    return (not outlook.call_open(partner), not partner.cards, partner.cards)


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
    if play.size == rivals <= 2:
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
