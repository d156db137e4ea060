"""Knowledge of a seat about hidden hands: cards they certainly hold or cannot hold."""

from __future__ import annotations

import numpy as np

from engine import CARDS_OF_RANK, MAHJONGS, CardSet, Kind, Phase, Rank, Seat, View, card_set
from players.expert import layout
from players.expert.deals import Hidden
from players.expert.evidence import evidence


class Knowledge:
    """Knowledge about the hidden cards of a view.

    With `infers` it includes the actions of others as evidence about their cards.
    """

    def __init__(self, view: View, *, infers: bool = True) -> None:
        seats, variant = len(view.seats), view.variant
        self.held: list[CardSet] = [0] * layout.SEATS
        """Cards that each seat holds for certain, by seat."""
        self.barred = np.zeros(layout.SEATS, np.int64)
        """Cards that each seat cannot have, by seat."""
        self.sizes = np.zeros(layout.SEATS, np.int64)
        """Number of cards in each hand, by seat; before the exchange that after the full deal."""

        # Cards that were laid or are visible are no longer free.
        laid = view.left_over
        for steps in (*(trick.steps for trick in view.past), view.trick):
            for step in steps:
                laid |= step.combination.cards if step.combination is not None else 0
        free = card_set(variant.deck(view.options)) & ~laid
        for seat, hand in view.hands:
            self.held[seat] = hand.cards
            free &= ~hand.cards

        if view.phase in (Phase.GRAND, Phase.EXCHANGE):
            order = variant.deal_order(view.seating)
            total = len(variant.deck(view.options)) - variant.undealt_count(view.options)
            for place, seat in enumerate(order):  # the first ones may get one card more
                self.sizes[seat] = (total - place + seats - 1) // seats
        else:
            self.sizes[:seats] = [seat.cards for seat in view.seats]
            for _, receiver, cards in view.known_gifts:
                self.held[receiver] |= cards & free
            self.held[first_leader(view)] |= MAHJONGS & free
            for seat, ranks in enumerate(barred_ranks(view)):
                self.barred[seat] = sum(CARDS_OF_RANK[rank] for rank in ranks) & layout.DECK

        for cards in self.held:
            free &= ~cards
        incomplete = [seat for seat in range(seats) if self._unknown_count(seat)]
        # If only one hand has unknown cards, they are known after all.
        if len(incomplete) == 1 and self._unknown_count(incomplete[0]) == free.bit_count():
            self.held[incomplete[0]] |= free
            free = 0
        self.free = free
        """Unseen cards that no seat holds for certain."""
        hidden = [seat for seat in range(seats) if seat not in dict(view.hands)]
        self.evidence = evidence(view, hidden if infers else [])
        """Actions of the others, as rows for `players.expert.likelihood`."""

    def _unknown_count(self, seat: Seat) -> int:
        """Return the number of unknown cards in a hand."""
        return int(self.sizes[seat]) - self.held[seat].bit_count()

    @property
    def hidden(self) -> Hidden:
        """The same knowledge as the compiled code needs it."""
        return Hidden(self.free, self.sizes, self.barred, self.evidence)


def barred_ranks(view: View) -> list[set[Rank]]:
    """Return the ranks that each seat cannot have, by seat.

    A seat that did not fulfil a wish has no card of that rank, if one card would have been enough
    to fulfil it. That is certain on a lead, and on a single below the rank.
    """
    barred: list[set[Rank]] = [set() for _ in view.seats]
    wish: Rank | None = None
    if view.options.wish_penalty:
        return barred
    for steps in [*(trick.steps for trick in view.past), view.trick]:
        top: int | None = -1  # key of the single to beat; -1 on a lead, None for other plays
        for seat, play, new_wish in steps:
            cards = play.cards if play is not None else 0
            is_bomb = play is not None and play.is_bomb  # perhaps out of turn
            is_exempt = view.variant.exempt_from_wishes >> seat & 1
            if wish is not None and not (is_bomb or is_exempt):
                one_card_is_enough = top is not None and top < 2 * wish
                if one_card_is_enough and not cards & CARDS_OF_RANK[wish]:
                    barred[seat].add(wish)
            if play is not None:
                top = play.key if play.kind is Kind.SINGLE else None
                if wish is not None and cards & CARDS_OF_RANK[wish]:
                    wish = None
                wish = new_wish if new_wish is not None else wish
    return barred


def first_leader(view: View) -> Seat:
    """Return the seat that made the first lead of this round, because it had the Mah Jong."""
    if view.past:
        return view.past[0].steps[0].seat
    return view.trick[0].seat if view.trick else view.turn
