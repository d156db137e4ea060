"""Trichu: three players and the Table, a fourth hand that is visible to all (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..options import Choice, Options
from ..round import MatchInfo, Phase, Round, RoundInfo, Seating
from ..types import Column, Seat, Team
from .base import Variant

TABLE = 3
"""The Table's seat; the people have seats 0 to 2."""


class Trichu(Variant):
    """The three-player game. Team 0 is the dealer and the Table, team 1 the others (T2).

    Columns are the four seats; each gets the points of its team in the round (T11).
    """

    name = "trichu"
    people = range(3, 4)
    fixed_partners = False
    dealer_opposes_all = True
    exempt_from_wishes = 1 << TABLE  # T9, T16
    choices: ClassVar[Mapping[str, Choice]] = {"rounds": Choice("O5", range(3, 31, 3), 9)}

    def seat_count(self, options: Options) -> int:
        """Return four: the Table has a hand, too (T1)."""
        return self.chair_count(options) + 1

    def seating(self, match: MatchInfo, dealer: Seat) -> Seating:
        """Return the turn order: dealer, next person, Table, other person (T2)."""
        step = -1 if match.options.clockwise else 1
        order = (dealer, (dealer + step) % TABLE, TABLE, (dealer - step) % TABLE)
        return Seating(order, tuple(int(seat not in (dealer, TABLE)) for seat in range(4)))

    def lobby_teams(self, options: Options) -> tuple[tuple[Seat, ...], ...]:
        """Return one team for each person, because teams change with the dealer (T11)."""
        return tuple((seat,) for seat in range(TABLE))

    def actor(self, dealt: RoundInfo, seat: Seat) -> Seat:
        """Return the dealer for the Table (T8), else the seat itself."""
        return dealt.dealer if seat == TABLE else seat

    def visible_hands(self, dealt: RoundInfo, seat: Seat | None) -> tuple[Seat, ...]:
        """Return the own seat, and the Table's once this person may see its hand.

        That is after the full deal for the dealer (T5), and after the exchange for everybody (T7).
        The Table's seat also sees the hand of the dealer, who decides for it (T8).
        """
        own = () if seat is None else (seat,)
        if dealt.phase is Phase.GRAND:
            return own
        if seat == TABLE:
            return (TABLE, dealt.dealer)
        public = dealt.phase is not Phase.EXCHANGE
        return (*own, TABLE) if public or seat == dealt.dealer else own

    def may_call_grand(self, seating: Seating, seat: Seat) -> bool:
        """Return whether the seat is an opponent of the dealer (T3, T4)."""
        return seating.teams[seat] == 1

    def receivers(self, dealt: RoundInfo, seat: Seat) -> tuple[Seat, ...]:
        """Return the opponents; the partner gets no card (T6)."""
        return dealt.seating.opponents(seat)

    def column_count(self, options: Options) -> int:
        """Return four: three people and the Table (T11)."""
        return 4

    def column(self, round_: Round, seat: Seat) -> Column:
        """Return the seat, which has its own column (T11)."""
        return seat

    def columns_of(self, round_: Round, team: Team) -> tuple[Column, ...]:
        """Return both seats of the team (T11)."""
        return tuple(seat for seat in range(4) if round_.seating.teams[seat] == team)

    def next_dealer(self, match: MatchInfo) -> Seat:
        """Return the person before the dealer in turn order (T12)."""
        step = 1 if match.options.clockwise else -1
        return (match.results[-1].dealer + step) % TABLE

    def is_over(self, match: MatchInfo) -> bool:
        """Return whether the agreed number of rounds is played (T13, T14)."""
        assert match.options.rounds is not None
        return len(match.results) >= match.options.rounds
