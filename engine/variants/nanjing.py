"""Nanjing: four players, two teams, partners opposite (rules section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import points_of
from engine.state import Seating
from engine.variants.base import Variant

if TYPE_CHECKING:
    from engine.options import Options
    from engine.state import Match, Round

SWEEP_POINTS = 200
PENALTY_POINTS = 200


class Nanjing(Variant):
    """The four-player game. Score columns are the teams: seats 0 and 2, seats 1 and 3 (N3)."""

    name = "nanjing"
    seats = 4
    grand_cards = 8

    def seating(self, match: Match, dealer: int) -> Seating:
        """Turn order to the right, or to the left when clockwise (N24)."""
        step = -1 if match.options.clockwise else 1
        order = tuple((dealer + step * place) % self.seats for place in range(self.seats))
        return Seating(order, tuple(seat % 2 for seat in range(self.seats)))

    def lobby_teams(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Partners sit opposite each other (N3)."""
        return ((0, 2), (1, 3))

    def columns(self, options: Options) -> int:
        """Two teams (N3)."""
        return 2

    def column(self, round_: Round, seat: int) -> int:
        """The seat's team (N3)."""
        return round_.seating.teams[seat]

    def dog_targets(self, round_: Round, seat: int) -> tuple[int, ...]:
        """The lead goes to the one partner by itself (N39)."""
        return ()

    def lead_after_dog(self, round_: Round, seat: int, to: int | None) -> int:
        """The partner, or the next active seat after him (N39, N40)."""
        (partner,) = round_.seating.partners(seat)
        return partner if round_.active(partner) else round_.next_active(partner)

    def sweep(self, round_: Round) -> int | None:
        """Double victory: both partners first and second out (N70)."""
        teams = round_.seating.teams
        if len(round_.out) == 2 and teams[round_.out[0]] == teams[round_.out[1]]:
            return teams[round_.out[0]]
        return None

    def sweep_score(self, round_: Round, team: int) -> tuple[int, ...]:
        """200 for the double victory, 0 for the others (N70)."""
        return tuple(SWEEP_POINTS * (column == team) for column in range(2))

    def card_score(self, round_: Round) -> tuple[int, ...]:
        """Tricks by team; the tailender's go to the round winner, his hand across (N65, N66)."""
        teams = round_.seating.teams
        points = [0, 0]
        for seat, pile in enumerate(round_.piles):
            owner = round_.out[0] if round_.active(seat) else seat
            points[teams[owner]] += points_of(pile)
            points[1 - teams[seat]] += points_of(round_.hands[seat].cards)
        return tuple(points)

    def penalty_score(self, round_: Round, offender: int) -> tuple[int, ...]:
        """200 for the opponents of the offender (N37)."""
        teams = round_.seating.teams
        return tuple(PENALTY_POINTS * (column != teams[offender]) for column in range(2))

    def next_dealer(self, match: Match) -> int:
        """The winner of the last round; with nobody out the dealer stays (N5)."""
        last = match.results[-1]
        return last.out[0] if last.out else last.dealer

    def winners(self, match: Match) -> tuple[int, ...]:
        """At or above the target and ahead of the other team (N80-N82)."""
        first, second = match.totals
        if max(first, second) < match.options.target or first == second:
            return ()
        return (0,) if first > second else (1,)
