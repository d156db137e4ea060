"""Grand Seigneur: five to twelve players, each for themselves, ranked (rules section 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..cards import DECK_SIZE, DOG, DRAGON, MAHJONG, PHOENIX, indices, rank_of
from ..options import Choice, Options
from ..round import MatchInfo, Round, RoundInfo, Seating
from ..types import Card, Column, Seat
from .base import Gift, Variant, ranking

TWO_DECKS_FROM = 7
LARGEST_HAND = 12
_WORTH = {MAHJONG: 15, PHOENIX: 16, DRAGON: 17}
"""The worth of the special cards in the exchange; ordinary cards have their rank (G16)."""


class GrandSeigneur(Variant):
    """The game without points. Every seat is a team and column of its own (G1)."""

    name = "grandseigneur"
    people = range(5, 13)
    choices: ClassVar[Mapping[str, Choice]] = {
        "players": Choice("G1", people, 6),
        "decks": Choice("O7", range(0, 3, 2), 0),
        "rounds": Choice("O7", range(100), 0),
        "wish_policy": Choice("O6", ("enforced",), "enforced"),
    }
    grand_cards = 0
    scored = False
    ranked = True
    fixed_partners = False
    sweep_size = 0

    def deck(self, options: Options) -> tuple[Card, ...]:
        """Return a deck without the Dog, or two with one Mah Jong from seven players on (G3)."""
        one = tuple(card for card in range(DECK_SIZE) if card != DOG)
        if not options.decks and self.chair_count(options) < TWO_DECKS_FROM:
            return one
        return one + tuple(card + DECK_SIZE for card in one if card != MAHJONG)

    def seating(self, match: MatchInfo, dealer: Seat) -> Seating:
        """Return the usual seating in round 1, later by rank from the Wretch upwards (G14)."""
        teams = tuple(range(self.seat_count(match.options)))
        ranks = self.hierarchy(match)
        order = ranks[::-1] if ranks else super().seating(match, dealer).order
        return Seating(order, teams)

    def lobby_teams(self, options: Options) -> tuple[tuple[Seat, ...], ...]:
        """Return one team for each chair (G1)."""
        return tuple((seat,) for seat in range(self.chair_count(options)))

    def deal_order(self, seating: Seating) -> tuple[Seat, ...]:
        """Return the seats from the one after the dealer on, the dealer last (G7)."""
        return (*seating.order[1:], seating.order[0])

    def undealt_count(self, options: Options) -> int:
        """Return the number of cards that are not dealt (G7-G9).

        Nobody gets more than twelve cards. One card is left over from one deck with six players, so
        that hands are equal, and with ten players. Hands of nine to twelve players may differ by
        one card.
        """
        players, cards = self.chair_count(options), len(self.deck(options))
        if cards >= players * LARGEST_HAND:
            return cards - players * LARGEST_HAND
        return {6: 1, 10: 1}.get(players, 0)

    def hierarchy(self, match: MatchInfo) -> tuple[Seat, ...]:
        """Return the seats in the order of going out, the Wretch last (G12)."""
        return ranking(match.results[-1], self.seat_count(match.options)) if match.results else ()

    def receivers(self, dealt: RoundInfo, seat: Seat) -> tuple[Seat, ...]:
        """Return the seat of the opposite rank; nobody in the middle or the first round.

        G11, G15, G17.
        """
        ranks = dealt.seating.order[::-1]
        place = ranks.index(seat)
        if dealt.number == 1 or not _cards_given(ranks, place):
            return ()
        return (ranks[-1 - place],)

    def gift(self, round_: Round, seat: Seat, receiver: Seat) -> Gift:
        """Return the best cards for a higher rank, any cards for a lower one (G16, G19, G20).

        Among cards of equal worth the giver chooses.
        """
        ranks = round_.seating.order[::-1]
        place, hand = ranks.index(seat), round_.hands[seat].cards
        count = _cards_given(ranks, place)
        if place < ranks.index(receiver):
            return Gift(receiver, count, 0, hand)
        lowest_given = sorted((_worth(card) for card in indices(hand)), reverse=True)[count - 1]
        forced = sum(1 << card for card in indices(hand) if _worth(card) > lowest_given)
        tied = sum(1 << card for card in indices(hand) if _worth(card) == lowest_given)
        if (forced | tied).bit_count() == count:
            return Gift(receiver, count, forced | tied, 0)
        return Gift(receiver, count, forced, tied)

    def gift_receivers(self, round_: Round, seat: Seat) -> tuple[Seat, ...]:
        """Return nobody: a trick won by the Dragon is discarded like any other (G24)."""
        return ()

    def column_count(self, options: Options) -> int:
        """Return the number of players (G1)."""
        return self.chair_count(options)

    def next_dealer(self, match: MatchInfo) -> Seat:
        """Return the Wretch (G6)."""
        return self.hierarchy(match)[-1]

    def is_over(self, match: MatchInfo) -> bool:
        """Return whether the agreed number of rounds is played; False if open-ended (G27)."""
        return bool(match.options.rounds) and len(match.results) >= (match.options.rounds or 0)

    def leaders(self, match: MatchInfo) -> tuple[Column, ...]:
        """Return the Great Lord (G12)."""
        return self.hierarchy(match)[:1]

    def open_ended(self, options: Options) -> bool:
        """Return whether the match has no agreed number of rounds (G27, C30)."""
        return not options.rounds


def _worth(card: Card) -> int:
    """Return the worth of a card if the best have to be given away (G16)."""
    return _WORTH.get(card % DECK_SIZE) or rank_of(card)


def _cards_given(ranks: Sequence[Seat], place: int) -> int:
    """Return the number of cards given by the seat at this index of the hierarchy (G15, G17).

    3, 2 and 1 from both ends inwards; with five players 2 and 1.
    """
    most = 2 if len(ranks) == 5 else 3
    return max(0, most - min(place, len(ranks) - 1 - place))
