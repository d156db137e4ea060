"""The immutable state of a round and its parts, without any rules."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

from .combinations import Combination
from .hand import Hand
from .options import Options
from .types import CardSet, Gifts, Points, Rank, Seat, SeatSet, Team


class Phase(Enum):
    """The phases of a match, named after the seats or events they wait for (rules section 0)."""

    GRAND = "GRAND"
    EXCHANGE = "EXCHANGE"
    LEAD = "LEAD"
    WINDOW = "WINDOW"
    TURN = "TURN"
    CLOSING = "CLOSING"
    GIFT = "GIFT"
    ROUND_END = "ROUND_END"
    MATCH_END = "MATCH_END"

    __hash__ = object.__hash__


WINDOW_PHASES = (Phase.WINDOW, Phase.CLOSING)
"""The phases of a bomb window: after a play, and before a trick is taken."""
PLAY_PHASES = (Phase.LEAD, Phase.TURN, Phase.WINDOW, Phase.CLOSING, Phase.GIFT)


class Call(Enum):
    """A bet on going out first (N71, N76). The value is its stake in points."""

    TICHU = 100
    GRAND = 200

    __hash__ = object.__hash__


class TrickStep(NamedTuple):
    """One step of a trick: a combination, or a pass if it is `None`."""

    seat: Seat
    combination: Combination | None
    wish: Rank | None = None


class Trick(NamedTuple):
    """A finished trick. A Dog is a trick of one step without a winner (N39)."""

    steps: tuple[TrickStep, ...]
    """The plays and passes, beginning with the lead."""
    winner: Seat
    """The seat that won the trick; -1 for a Dog."""
    given_to: Seat | None = None
    """The receiver of a trick won by the Dragon, or the leader after a Dog; else `None`."""


class Seating(NamedTuple):
    """Turn order and teams of one round."""

    order: tuple[Seat, ...]
    """All seats in turn order, beginning with the dealer."""
    teams: tuple[Team, ...]
    """The team of each seat."""

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats in turn order, beginning after `seat` and ending with it."""
        place = self.order.index(seat) + 1
        return self.order[place:] + self.order[:place]

    def partners(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats of the same team in turn order."""
        return tuple(s for s in self.after(seat)[:-1] if self.teams[s] == self.teams[seat])

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats of other teams in turn order."""
        return tuple(s for s in self.after(seat) if self.teams[s] != self.teams[seat])

    def next_with_cards(self, seat: Seat, hands: tuple[Hand, ...]) -> Seat:
        """Return the next seat after `seat` that holds cards (N22, N23).

        Raises `AssertionError` if all hands are empty.
        """
        for other in self.after(seat):
            if hands[other].size:
                return other
        raise AssertionError("nobody holds cards")


class RoundResult(NamedTuple):
    """The result of a round. The tuples of points are empty in a game without points."""

    number: int
    """The number of the round in its match, counted from 1."""
    dealer: Seat
    """The seat that dealt."""
    out: tuple[Seat, ...]
    """The order of going out, without players who still had cards (N64); see `ranking`."""
    calls: tuple[tuple[Seat, Call, bool], ...]
    """All calls that were not withdrawn: seat, call, and whether it was made (N71)."""
    cards: tuple[Points, ...]
    """The points of each column before calls."""
    score: tuple[Points, ...]
    """The points of each column with calls."""
    totals: tuple[Points, ...]
    """The total of each column after this round."""
    sweep: bool = False
    """True if a double or triple victory ended the round at once (N70, S9)."""
    penalty: Seat | None = None
    """The seat whose missed wish ended the round, if any (N37)."""


class Opening(NamedTuple):
    """The state of a round before the first lead. Its `repr` hides the cards."""

    stock: tuple[CardSet, ...]
    """The cards that each seat gets after the Grand Tichu question (N11)."""
    answers: tuple[bool | None, ...]
    """The sealed answer of each seat to that question; `None` until it answers (N11)."""
    given: tuple[Gifts | None, ...]
    """The committed gifts of each seat with their receivers; `None` before (N9)."""
    received: tuple[Gifts, ...]
    """The gifts received by each seat with their givers, once the exchange is revealed (N12)."""
    left_over: CardSet
    """The cards that were not dealt and are visible to all (G7)."""

    def __repr__(self) -> str:
        return "<opening>"


class RoundInfo(Protocol):
    """The facts of a round that `Round` and `View` share, for rules that need nothing else."""

    @property
    def number(self) -> int:
        """The number of the round, counted from 1."""

    @property
    def dealer(self) -> Seat:
        """The seat that dealt."""

    @property
    def phase(self) -> Phase:
        """The current phase."""

    @property
    def seating(self) -> Seating:
        """Turn order and teams."""


class MatchInfo(Protocol):
    """The facts of a `Match` that a variant needs between two rounds.

    A protocol, because `state` imports the variants.
    """

    @property
    def options(self) -> Options:
        """The rule options."""

    @property
    def totals(self) -> tuple[Points, ...]:
        """The total of each column so far."""

    @property
    def results(self) -> tuple[RoundResult, ...]:
        """The finished rounds, oldest first."""


class Round(NamedTuple):
    """One round from its deal to its scoring.

    It contains all hands, so its `repr` shows only public facts. Fields "by seat" have one item for
    each seat.
    """

    number: int
    """The number of the round in its match, counted from 1."""
    dealer: Seat
    """The seat that dealt (N5, G6)."""
    seating: Seating
    """Turn order and teams of this round."""
    hands: tuple[Hand, ...]
    """The hands, by seat."""
    opening: Opening
    """The state before the first lead: stock, answers, exchange."""
    calls: tuple[Call | None, ...]
    """The calls, by seat (N71, N76)."""
    asked: SeatSet
    """The seats that must still answer whether they withdraw a simultaneous call (N78)."""
    last_callers: SeatSet
    """The last callers of each team; a partner may still call simultaneously with them (N78)."""
    started: SeatSet
    """The seats that have laid a card this round and may no longer call (N71)."""
    trick_cards: CardSet
    """All cards of the open trick."""
    top: Combination | None
    """The play to beat; `None` before a lead."""
    top_seat: Seat
    """The seat that laid `top`; -1 if there is none."""
    submitted: tuple[tuple[Seat, Combination], ...]
    """The sealed bombs of the open window with their seats, in order of submission (N61)."""
    waived: SeatSet
    """The seats that have declined to bomb in the open window (section 3, step 2)."""
    wish: Rank | None
    """The open wish, until it is fulfilled (N28)."""
    out: tuple[Seat, ...]
    """The order of going out so far (N64)."""
    piles: tuple[CardSet, ...]
    """The cards of the tricks won or received, by seat (N21)."""
    discards: CardSet
    """The cards that count for nobody: the Dog, tricks in a game without points (N39, G2)."""
    past: tuple[Trick, ...]
    """The finished tricks, oldest first."""
    phase: Phase  # `with_turn` changes this field and those below
    """The current phase."""
    turn: Seat
    """The seat on turn in LEAD, TURN and GIFT; in a window the seat that will be next."""
    trick: tuple[TrickStep, ...]
    """The steps of the open trick, beginning with the lead."""
    passes: int
    """The number of passes since `top` was laid (N20)."""

    def __repr__(self) -> str:
        top = f", to beat: {self.top_seat} {self.top}" if self.top is not None else ""
        sizes = " ".join(str(hand.size) for hand in self.hands)
        return f"<round {self.number}, {self.phase.value} {self.turn}, cards {sizes}{top}>"

    def with_turn(
        self, phase: Phase, turn: Seat, trick: tuple[TrickStep, ...], passes: int
    ) -> Round:
        """Return the round with new values of its last four fields.

        Called by most actions, so it bypasses `_replace`, which is slower.
        """
        return tuple.__new__(Round, (*self[:-4], phase, turn, trick, passes))

    def has_cards(self, seat: Seat) -> bool:
        """Return whether the seat still holds cards."""
        return self.hands[seat].size > 0

    def next_with_cards(self, seat: Seat) -> Seat:
        """Return the next seat after `seat` that holds cards (N22, N23)."""
        return self.seating.next_with_cards(seat, self.hands)
