"""What a variant decides. Every rule that differs between the games is a method here.

Defaults are the rules that most games share; the rest is abstract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar

from engine.cards import DECK_SIZE, bits
from engine.errors import IllegalAction

if TYPE_CHECKING:
    from engine.options import Options
    from engine.state import Match, Round, Seating

Gifts = tuple[tuple[int, int], ...]


class Variant(ABC):
    """One of the games. Stateless, so a copy is equal; two seats of one column share a score."""

    name: ClassVar[str]
    seats: ClassVar[int]
    """Number of seats."""
    grand_cards: ClassVar[int]
    """Cards in hand at the Grand Tichu question (N11)."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def deck(self, options: Options) -> tuple[int, ...]:
        """The cards of the game in canonical order (N1)."""
        return tuple(range(DECK_SIZE))

    @abstractmethod
    def seating(self, match: Match, dealer: int) -> Seating:
        """Turn order from the dealer on and teams of the round to come (N3, N24)."""

    @abstractmethod
    def lobby_teams(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """The seats by team as they are known before the first deal (N3)."""

    @abstractmethod
    def columns(self, options: Options) -> int:
        """Number of score columns."""

    @abstractmethod
    def column(self, round_: Round, seat: int) -> int:
        """The score column that this seat's result goes to in this round."""

    def actor(self, round_: Round, seat: int) -> int:
        """The seat of the person who decides for `seat`."""
        return seat

    def sees(self, round_: Round, seat: int | None) -> tuple[int, ...]:
        """The seats whose hands the person at `seat` may see; a spectator (`None`) none (N8)."""
        return () if seat is None else (seat,)

    def may_call_grand(self, seating: Seating, seat: int) -> bool:
        """Whether the seat is asked for a Grand Tichu (N11)."""
        return True

    def receivers(self, seating: Seating, seat: int) -> tuple[int, ...]:
        """The seats that get one card each from `seat` in the exchange, in turn order (N9)."""
        return seating.after(seat)[:-1]

    def check_gifts(self, round_: Round, seat: int, gifts: Gifts) -> None:
        """Raise `IllegalAction` unless these gifts are a right exchange of this seat (N9)."""
        if sorted(to for to, _ in gifts) != sorted(self.receivers(round_.seating, seat)):
            raise IllegalAction("exchange-receivers", "N9")
        taken = 0
        for _, cards in gifts:
            if cards.bit_count() != 1:
                raise IllegalAction("exchange-receivers", "N9")
            if cards & taken:
                raise IllegalAction("exchange-same-card", "N9")
            taken |= cards
        if taken & ~round_.hands[seat].cards:
            raise IllegalAction("not-held", "N9")

    def possible_gifts(self, round_: Round, seat: int) -> Iterator[Gifts]:
        """Every right exchange of this seat, by receiving seat."""
        receivers = sorted(self.receivers(round_.seating, seat))
        for chosen in permutations(tuple(bits(round_.hands[seat].cards)), len(receivers)):
            yield tuple(zip(receivers, chosen, strict=True))

    @abstractmethod
    def dog_targets(self, round_: Round, seat: int) -> tuple[int, ...]:
        """Seats the Dog's player may choose from; empty if the lead goes by itself (S6)."""

    @abstractmethod
    def lead_after_dog(self, round_: Round, seat: int, to: int | None) -> int:
        """Who leads after the Dog of `seat`, its cards already gone (N39, N40)."""

    def gift_receivers(self, round_: Round, seat: int) -> tuple[int, ...]:
        """Seats that a trick won by the Dragon of `seat` may go to; empty for no gift (N49)."""
        return tuple(sorted(round_.seating.opponents(seat)))

    def bound_by_wish(self, round_: Round, seat: int) -> bool:
        """Whether the seat has to fulfil wishes (N36)."""
        return True

    @abstractmethod
    def sweep(self, round_: Round) -> int | None:
        """The team whose victory ends the round at once without counting, if any (N70)."""

    @abstractmethod
    def sweep_score(self, round_: Round, team: int) -> tuple[int, ...]:
        """Points for each column, calls not included, after such a victory (N70)."""

    @abstractmethod
    def card_score(self, round_: Round) -> tuple[int, ...]:
        """Card points for each column after the tailender's settlement (N65, N66, N68)."""

    @abstractmethod
    def penalty_score(self, round_: Round, offender: int) -> tuple[int, ...]:
        """Points for each column, calls not included, after a missed wish (N37)."""

    @abstractmethod
    def next_dealer(self, match: Match) -> int:
        """Who deals the next round (N5)."""

    @abstractmethod
    def winners(self, match: Match) -> tuple[int, ...]:
        """The columns that have won after the last result; empty if play goes on (N80)."""
