"""The Novice's exchange: low singles to opponents, a good card to a partner.

Gifts that the rules force are given. Among free choices it gives the card that it misses least.
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
from players.novice.partition import EFFORT_PER_POINT, effort, plan_effort, saved

_STRONG_PLAN = 3.3
"""Effort of a plan below which a hand is strong and keeps more of its best cards."""
_FOR_PARTNER = {11: 0.3, 12: 0.5, 13: 0.8, 14: 1.2}
"""Worth of a card to a partner by rank, in units of effort like all worths here."""
_DRAGON_FOR_PARTNER, _PHOENIX_FOR_PARTNER = 0.9, 0.5
"""Worth of these cards to a partner."""
_DOG_FOR_RIVAL = 1.0
"""Worth of giving the Dog to an opponent who has called."""
_CALLER = 5.0
"""Factor by which a good card is worth more to a partner who has called."""


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
            free = gift.free & hand
            bit = _best(hand, free & ~bombs or free, worth, rng)
            cards |= bit
            hand &= ~bit
        gifts.append((gift.receiver, cards))
    return PassCards(seat, tuple(sorted(gifts)))


def _best(
    hand: CardSet, spare: CardSet, worth: Callable[[CardSet], float], rng: random.Random
) -> CardSet:
    """Return the one of the `spare` cards that is best given away from a hand.

    The best card has the highest sum of its worth for the receiver and the effort saved here.
    """
    choices = list(bits(spare))
    rng.shuffle(choices)  # ties are broken at random
    return max(choices, key=lambda bit: worth(bit) + saved(hand, bit))


def _worths_for_partner(
    outlook: Outlook, receiver: Seat, taste: Taste
) -> Callable[[CardSet], float]:
    """Return a function for the worth of one card to a partner."""
    partner = outlook.view.seats[receiver]
    called = outlook.call_open(partner)
    strong = outlook.own_call_open or plan_effort(outlook.view.hand.cards) < _STRONG_PLAN
    factor = 0.6 if strong else 1.0

    def worth(bit: CardSet) -> float:
        if called:
            return -_CALLER * effort(readings(bit)[0])
        if bit & DRAGONS:
            known = _DRAGON_FOR_PARTNER
        elif bit & PHOENIXES:
            known = _PHOENIX_FOR_PARTNER
        elif bit & DOGS:
            known = -1.0
        else:
            known = _FOR_PARTNER.get(rank_of(bit.bit_length() - 1), 0.0)
        return factor * known + taste.giving * rank_as_gift(bit) * EFFORT_PER_POINT

    return worth


def _worths_for_opponent(outlook: Outlook, receiver: Seat) -> Callable[[CardSet], float]:
    """Return a function for the worth to this seat of an opponent's having one card."""
    called = outlook.call_open(outlook.view.seats[receiver])
    per_point = 0.03 if outlook.scored else 0.0

    def worth(bit: CardSet) -> float:
        if bit & (DRAGONS | PHOENIXES):
            return -4.0
        if bit & DOGS:
            return _DOG_FOR_RIVAL if called else 0.0
        if bit & MAHJONGS:
            return -1.5
        rank = rank_of(bit.bit_length() - 1)
        return -0.5 * max(0, rank - 9) - per_point * points_of(bit)

    return worth
