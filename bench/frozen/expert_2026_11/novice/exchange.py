"""Which cards a computer player passes: low singles to opponents, a good card to a partner.

What is forced is given; between equal ranks, and downwards, what hurts least.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from bench.frozen.expert_2026_11.from_engine import PassCards
from bench.frozen.expert_2026_11.from_engine import DOGS, DRAGONS, MAHJONGS, PHOENIXES, bits, points_of, rank_of
from bench.frozen.expert_2026_11.from_engine import readings
from bench.frozen.expert_2026_11.from_engine import View
from bench.frozen.expert_2026_11.novice.outlook import Outlook
from bench.frozen.expert_2026_11.novice.partition import effort, plan_effort, saved

_STRONG_PLAN = 3.3
"""With a plan of less effort than this the seat keeps its best cards for itself."""
_FOR_PARTNER = {11: 0.3, 12: 0.5, 13: 0.8, 14: 1.2}
"""What a card of this rank is worth to a partner, to be weighed with the plan left here."""
_DRAGON_FOR_PARTNER, _PHOENIX_FOR_PARTNER = 0.9, 0.5
_DOG_FOR_RIVAL = 1.0
"""What it is worth to burden an opponent who has called with the Dog."""
_CALLER = 5.0
"""How much more a good card matters in the hand of a partner who has called than here."""


def choose_gifts(view: View, seat: int, rng: random.Random) -> PassCards:
    """What each receiver is owed; bombs stay whole as long as there are other cards."""
    outlook = Outlook(view, seat)
    partners = {partner.seat for partner in outlook.partners}
    forced = sum(gift.forced for gift in view.gifts)
    hand = view.hand.cards & ~forced
    bombs = 0
    for bomb in view.hand.bombs():
        bombs |= bomb.cards
    gifts: list[tuple[int, int]] = []
    for gift in sorted(view.gifts, key=lambda gift: gift.receiver not in partners):
        helps = gift.receiver in partners
        worth = _for_partner(outlook, gift.receiver) if helps else _for_opponent(outlook, gift.receiver)
        cards = gift.forced
        while cards.bit_count() < gift.number:
            free = gift.free & hand
            bit = _best(hand, free & ~bombs or free, worth, rng)
            cards |= bit
            hand &= ~bit
        gifts.append((gift.receiver, cards))
    return PassCards(seat, tuple(sorted(gifts)))


def _best(hand: int, spare: int, worth: Callable[[int], float], rng: random.Random) -> int:
    """The card that is best given away: by its worth there and the effort that it saves here."""
    choices = list(bits(spare))
    rng.shuffle(choices)  # of equally good ones any
    return max(choices, key=lambda bit: worth(bit) + saved(hand, bit))


def _for_partner(outlook: Outlook, to: int) -> Callable[[int], float]:
    partner = outlook.view.seats[to]
    called = outlook.call_open(partner)
    strong = outlook.own_call_open or plan_effort(outlook.view.hand.cards) < _STRONG_PLAN
    factor = 0.6 if strong else 1.0

    def worth(bit: int) -> float:
        if called:
            return -_CALLER * effort(readings(bit)[0])
        if bit & DRAGONS:
            return factor * _DRAGON_FOR_PARTNER
        if bit & PHOENIXES:
            return factor * _PHOENIX_FOR_PARTNER
        if bit & DOGS:
            return -factor
        return factor * _FOR_PARTNER.get(rank_of(bit.bit_length() - 1), 0.0)

    return worth


def _for_opponent(outlook: Outlook, to: int) -> Callable[[int], float]:
    called = outlook.call_open(outlook.view.seats[to])
    per_point = 0.03 if outlook.scored else 0.0

    def worth(bit: int) -> float:
        if bit & (DRAGONS | PHOENIXES):
            return -4.0
        if bit & DOGS:
            return _DOG_FOR_RIVAL if called else 0.0
        if bit & MAHJONGS:
            return -1.5
        rank = rank_of(bit.bit_length() - 1)
        return -0.5 * max(0, rank - 9) - per_point * points_of(bit)

    return worth
