"""The Novice's exchange: low singles to opponents, a good card to a partner.

Among the gifts that the rules permit, the best one helps its receiver and costs the hand least.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from engine import (
    DOGS,
    DRAGONS,
    MAHJONGS,
    PHOENIXES,
    CardSet,
    PassCards,
    Seat,
    View,
    bits,
    points_of,
    rank_of,
    readings,
)
from players.manners import Taste, rank_as_gift
from players.novice.outlook import Outlook
from players.novice.partition import EFFORT_PER_POINT, effort, effort_saved, plan_effort

_STRONG_PLAN = 3.3
"""Effort of a hand below which it is strong, so that it gives away fewer good cards."""
_FOR_PARTNER = {11: 0.3, 12: 0.5, 13: 0.8, 14: 1.2}
"""Worth of a card to a partner by rank; all worths here are in units of effort."""
_DRAGON_FOR_PARTNER, _PHOENIX_FOR_PARTNER = 0.9, 0.5
"""Worth of these cards to a partner."""
_DOG_FOR_RIVAL = 1.0
"""Worth of giving the Dog to an opponent who has called."""
_FOR_CALLER = 5.0
"""Worth of a card to a partner who has called, in multiples of the effort that it saves."""


def choose_gifts(view: View, seat: Seat, rng: random.Random, taste: Taste) -> PassCards:
    """Return the exchange of `seat`; bombs stay whole if there are other cards."""
    outlook = Outlook(view, seat)
    partners = {partner.seat for partner in outlook.partners}
    forced = sum(gift.forced for gift in view.gifts)
    hand = view.hand.cards & ~forced
    bombs = 0
    for bomb in view.hand.bombs():
        bombs |= bomb.cards
    gifts: list[tuple[Seat, CardSet]] = []
    for gift in sorted(view.gifts, key=lambda gift: gift.receiver not in partners):
        if gift.receiver in partners:
            worth = _worths_for_partner(outlook, gift.receiver, taste)
        else:
            worth = _worths_for_opponent(outlook, gift.receiver)
        cards = gift.forced
        while cards.bit_count() < gift.number:
            permitted = gift.free & hand
            card = _best_gift(hand, permitted & ~bombs or permitted, worth, rng)
            cards |= card
            hand &= ~card
        gifts.append((gift.receiver, cards))
    return PassCards(seat, tuple(sorted(gifts)))


def _best_gift(
    hand: CardSet, candidates: CardSet, worth: Callable[[CardSet], float], rng: random.Random
) -> CardSet:
    """Return the best of the `candidates` to give away from a hand.

    It has the highest sum of its worth to the receiver and the effort that the hand saves.
    """
    shuffled = list(bits(candidates))
    rng.shuffle(shuffled)  # ties are broken at random
    return max(shuffled, key=lambda card: worth(card) + effort_saved(hand, card))


def _worths_for_partner(
    outlook: Outlook, receiver: Seat, taste: Taste
) -> Callable[[CardSet], float]:
    """Return a function that returns what one card is worth to a partner."""
    partner = outlook.view.seats[receiver]
    called = outlook.has_open_call(partner)
    strong = outlook.own_call_is_open or plan_effort(outlook.view.hand.cards) < _STRONG_PLAN
    factor = 0.6 if strong else 1.0

    def worth(card: CardSet) -> float:
        if called:
            return -_FOR_CALLER * effort(readings(card)[0])
        if card & DRAGONS:
            basic_worth = _DRAGON_FOR_PARTNER
        elif card & PHOENIXES:
            basic_worth = _PHOENIX_FOR_PARTNER
        elif card & DOGS:
            basic_worth = -1.0
        else:
            basic_worth = _FOR_PARTNER.get(rank_of(card.bit_length() - 1), 0.0)
        return factor * basic_worth + taste.giving * rank_as_gift(card) * EFFORT_PER_POINT

    return worth


def _worths_for_opponent(outlook: Outlook, receiver: Seat) -> Callable[[CardSet], float]:
    """Return a function that returns what it is worth to this seat if an opponent has a card."""
    called = outlook.has_open_call(outlook.view.seats[receiver])
    per_point = 0.03 if outlook.scored else 0.0

    def worth(card: CardSet) -> float:
        if card & (DRAGONS | PHOENIXES):
            return -4.0
        if card & DOGS:
            return _DOG_FOR_RIVAL if called else 0.0
        if card & MAHJONGS:
            return -1.5
        rank = rank_of(card.bit_length() - 1)
        return -0.5 * max(0, rank - 9) - per_point * points_of(card)

    return worth
