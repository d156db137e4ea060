"""Positions with other hidden cards.

The view and the actions of a seat must not depend on them. Used by `bench.fuzz`, and by the tests
that nobody sees hidden cards.
"""

from __future__ import annotations

import random

from engine import CardSet, Hand, Match, Seat, card_set, indices


def redeal(match: Match, known: set[Seat], rng: random.Random) -> Match:
    """Return the match with the cards of all but the `known` seats dealt again at random.

    Gifts of the other seats are emptied; their sealed bombs and waivers are removed.
    """
    round_ = match.round
    assert round_ is not None
    hands = [hand.cards for hand in round_.hands]
    stock = list(round_.opening.stock)
    hidden = [
        card
        for seat, cards in enumerate(hands)
        for card in indices(cards if seat not in known else 0)
    ]
    hidden += [card for cards in stock for card in indices(cards)]
    rng.shuffle(hidden)

    def others(cards: CardSet) -> CardSet:
        return card_set([hidden.pop() for _ in range(cards.bit_count())])

    hands = [cards if seat in known else others(cards) for seat, cards in enumerate(hands)]
    opening = round_.opening
    given = [
        gifts if seat in known or gifts is None else tuple((receiver, 0) for receiver, _ in gifts)
        for seat, gifts in enumerate(opening.given)
    ]
    received = [
        got if seat in known else tuple((giver, 0) for giver, _ in got)
        for seat, got in enumerate(opening.received)
    ]
    opening = opening._replace(
        stock=tuple(map(others, stock)), given=tuple(given), received=tuple(received)
    )
    mine = sum(1 << seat for seat in known)
    return match._replace(
        round=round_._replace(
            hands=tuple(map(Hand, hands)),
            opening=opening,
            submitted=tuple(bomb for bomb in round_.submitted if bomb[0] in known),
            waived=round_.waived & mine,
        )
    )
