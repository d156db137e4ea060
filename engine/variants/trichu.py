"""Trichu: three players and the Table, an imaginary fourth whose cards lie open (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.options import Choice, Options
from engine.round import Dealt, Phase, Round, Seating, Standing
from engine.types import Column, Seat, Team
from engine.variants.base import Variant

TABLE = 3
"""The Table's seat; the people have seats 0 to 2."""


class Trichu(Variant):
    """The three-player game. Team 0 is the dealer and the Table, team 1 the others (T2).

    Columns are the four seats; each gets what its team of the round has won (T11).
    """

    name = "trichu"
    people = range(3, 4)
    fixed_partners = False
    dealer_opposes_all = True
    free_of_wishes = 1 << TABLE  # T9, T16
    choices: ClassVar[Mapping[str, Choice]] = {"rounds": Choice("O5", range(3, 31, 3), 9)}

    def seats(self, options: Options) -> int:
        """The Table has a hand, too (T1)."""
        return self.chairs(options) + 1

    def seating(self, match: Standing, dealer: Seat) -> Seating:
        """In turn order: dealer, next person, Table, other person (T2)."""
        step = -1 if match.options.clockwise else 1
        order = (dealer, (dealer + step) % TABLE, TABLE, (dealer - step) % TABLE)
        return Seating(order, tuple(int(seat not in (dealer, TABLE)) for seat in range(4)))

    def lobby_teams(self, options: Options) -> tuple[tuple[Seat, ...], ...]:
        """Teams change with the dealer: all have a column of their own (T11)."""
        return tuple((seat,) for seat in range(TABLE))

    def actor(self, dealt: Dealt, seat: Seat) -> Seat:
        """The dealer decides for the Table (T8)."""
        return dealt.dealer if seat == TABLE else seat

    def sees(self, dealt: Dealt, seat: Seat | None) -> tuple[Seat, ...]:
        """The own hand, and the Table's: for the dealer from the full deal on (T5).

        Everybody sees it once the exchange is over (T7). Whoever decides for the Table sees the
        dealer's hand, too: it is their own (T8).
        """
        own = () if seat is None else (seat,)
        if dealt.phase is Phase.GRAND:
            return own
        if seat == TABLE:
            return (TABLE, dealt.dealer)
        public = dealt.phase is not Phase.EXCHANGE
        return (*own, TABLE) if public or seat == dealt.dealer else own

    def may_call_grand(self, seating: Seating, seat: Seat) -> bool:
        """Whether the seat is an opponent of the dealer; nobody else is asked (T3, T4)."""
        return seating.teams[seat] == 1

    def receivers(self, dealt: Dealt, seat: Seat) -> tuple[Seat, ...]:
        """The opponents, not the partner (T6)."""
        return dealt.seating.opponents(seat)

    def columns(self, options: Options) -> int:
        """Four: three people and the Table (T11)."""
        return 4

    def column(self, round_: Round, seat: Seat) -> Column:
        """Each seat has its own (T11)."""
        return seat

    def columns_of(self, round_: Round, team: Team) -> tuple[Column, ...]:
        """Both seats of a team get its points (T11)."""
        return tuple(seat for seat in range(4) if round_.seating.teams[seat] == team)

    def next_dealer(self, match: Standing) -> Seat:
        """The person before the dealer in turn order (T12)."""
        step = 1 if match.options.clockwise else -1
        return (match.results[-1].dealer + step) % TABLE

    def over(self, match: Standing) -> bool:
        """Whether the agreed number of rounds is played (T13, T14)."""
        assert match.options.rounds is not None
        return len(match.results) >= match.options.rounds
