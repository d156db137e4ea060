"""Tientsin: six players, two teams of three in alternating seats (rules section 9)."""

from __future__ import annotations

from ..round import Round, RoundInfo
from ..types import Seat, Team
from .base import Variant

FIFTH = 4
"""Index of the fifth player in the order of going out."""


class Tientsin(Variant):
    """The six-player game. The first two players get ten cards, the others nine (S3)."""

    name = "tientsin"
    people = range(6, 7)
    grand_cards = 6
    sweep_size = 3
    sweep_points = 300
    dog_is_aimed = True
    last_piles_cross = True

    def receivers(self, dealt: RoundInfo, seat: Seat) -> tuple[Seat, ...]:
        """Return the two partners; opponents get no cards (S5)."""
        return dealt.seating.partners(seat)

    def dog_targets(self, round_: Round, seat: Seat) -> tuple[Seat, ...]:
        """Return the partners who still have cards (S6, S12)."""
        return tuple(sorted(s for s in round_.seating.partners(seat) if round_.has_cards(s)))

    def pile_team(self, round_: Round, seat: Seat) -> Team:
        """Return the opponents for the last player's tricks, the winner's team for the fifth's.

        S7, S8.
        """
        teams = round_.seating.teams
        if round_.has_cards(seat):
            return 1 - teams[seat]
        return teams[round_.out[0] if round_.out.index(seat) == FIFTH else seat]
