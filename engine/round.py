"""A round of a game, immutable, and its parts. Nothing here decides a rule."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

from engine.combinations import Combination
from engine.hand import Hand
from engine.options import Options
from engine.types import CardSet, Gifts, Points, Rank, Seat, SeatSet, Team


class Phase(Enum):
    """Who is waited for (rules section 0)."""

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


WINDOWS = (Phase.WINDOW, Phase.CLOSING)
"""The phases in which sealed bombs are handed in: after a play, and before a trick is taken."""
PLAYING = (Phase.LEAD, Phase.TURN, Phase.WINDOW, Phase.CLOSING, Phase.GIFT)


class Call(Enum):
    """A bet on going out first (N71, N76). The value is its stake in points."""

    TICHU = 100
    GRAND = 200

    __hash__ = object.__hash__


class Laid(NamedTuple):
    """One step of a trick: a combination, or a pass when it is `None`."""

    seat: Seat
    combination: Combination | None
    wish: Rank | None = None


class Trick(NamedTuple):
    """A finished trick. A Dog is a trick of one step that nobody takes (N39)."""

    steps: tuple[Laid, ...]
    """Plays and passes, the lead first."""
    winner: Seat
    """Who took it; -1 for a Dog."""
    given_to: Seat | None = None
    """Who was given a trick that the Dragon won, or who leads after a Dog; else `None`."""


class Seating(NamedTuple):
    """Who sits how in one round."""

    order: tuple[Seat, ...]
    """All seats in turn order, the dealer first."""
    teams: tuple[Team, ...]
    """The team of each seat, by seat."""

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats in turn order from the next one on, `seat` itself last."""
        place = self.order.index(seat) + 1
        return self.order[place:] + self.order[:place]

    def partners(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats of the same team in turn order, without `seat`."""
        return tuple(s for s in self.after(seat)[:-1] if self.teams[s] == self.teams[seat])

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats of other teams in turn order."""
        return tuple(s for s in self.after(seat) if self.teams[s] != self.teams[seat])

    def next_with_cards(self, seat: Seat, hands: tuple[Hand, ...]) -> Seat:
        """The next seat in turn order after `seat` that holds cards (N22, N23)."""
        for other in self.after(seat):
            if hands[other].size:
                return other
        raise AssertionError("nobody holds cards")


class RoundResult(NamedTuple):
    """How a round ended. Tuples of points are empty in a game without points."""

    number: int
    """The number of the round in its match, from 1 on."""
    dealer: Seat
    """Who dealt."""
    out: tuple[Seat, ...]
    """The order of going out; who never did is missing (N64)."""
    calls: tuple[tuple[Seat, Call, bool], ...]
    """Every call that stood: who, which, and whether it was made (N71)."""
    cards: tuple[Points, ...]
    """Points of each column before calls."""
    score: tuple[Points, ...]
    """Points of each column with calls."""
    totals: tuple[Points, ...]
    """Points of each column in the match up to this round."""
    sweep: bool = False
    """Whether a double or triple victory ended the round at once (N70, S9)."""
    penalty: Seat | None = None
    """Who missed a wish, where that ended the round (N37)."""


class Opening(NamedTuple):
    """What happens before the first lead. Hidden cards are in it, so its `repr` tells nothing."""

    stock: tuple[CardSet, ...]
    """The cards that each seat gets after the Grand Tichu question, by seat (N11)."""
    answers: tuple[bool | None, ...]
    """The sealed answers to that question, by seat; `None` while it is open (N11)."""
    given: tuple[Gifts | None, ...]
    """The committed exchange of each seat: receivers and cards; `None` before it (N9)."""
    received: tuple[Gifts, ...]
    """What each seat got, once the exchange is revealed: givers and cards (N12)."""
    left_over: CardSet
    """The cards that were not dealt and lie face up (G7)."""

    def __repr__(self) -> str:
        return "<opening>"


class Dealt(Protocol):
    """What the exchange and open hands depend on: a `Round`, or the `View` of one."""

    @property
    def number(self) -> int:
        """The number of the round, from 1 on."""

    @property
    def dealer(self) -> Seat:
        """Who dealt."""

    @property
    def phase(self) -> Phase:
        """Who is waited for."""

    @property
    def seating(self) -> Seating:
        """Who sits how."""


class Standing(Protocol):
    """What a variant's decisions between two rounds depend on: a `Match`."""

    @property
    def options(self) -> Options:
        """The rule options."""

    @property
    def totals(self) -> tuple[Points, ...]:
        """Points of each column so far."""

    @property
    def results(self) -> tuple[RoundResult, ...]:
        """The finished rounds, the first one first."""


class Round(NamedTuple):
    """One round from its deal to its scoring.

    All hands are in it, so its `repr` shows only what everybody sees.
    """

    number: int
    """The number of the round in its match, from 1 on."""
    dealer: Seat
    """Who dealt (N5, G6)."""
    seating: Seating
    """Turn order and teams of this round."""
    hands: tuple[Hand, ...]
    """The cards that each seat holds, by seat."""
    opening: Opening
    """What came before the first lead."""
    calls: tuple[Call | None, ...]
    """The call of each seat, by seat (N71, N76)."""
    asked: SeatSet
    """Who still has to say whether a simultaneous call is withdrawn (N78)."""
    fresh: SeatSet
    """Who called last in each team. A partner's next call may have come at the same time (N78)."""
    started: SeatSet
    """Who has laid a card this round and may no longer call (N71)."""
    trick_cards: CardSet
    """All cards of the open trick."""
    top: Combination | None
    """The play to beat; `None` when a lead is waited for."""
    top_seat: Seat
    """Who laid `top`; -1 without one."""
    submitted: tuple[tuple[Seat, Combination], ...]
    """The sealed bombs of the open window, in the order they came in (N61)."""
    waived: SeatSet
    """Who has said not to bomb in the open window (section 3, step 2)."""
    wish: Rank | None
    """The rank wished for, until somebody plays it (N28)."""
    out: tuple[Seat, ...]
    """The order of going out so far (N64)."""
    piles: tuple[CardSet, ...]
    """The cards in the tricks that each seat has, by seat (N21)."""
    discards: CardSet
    """Cards that belong to nobody: the Dog, tricks in a game without points (N39, G2)."""
    past: tuple[Trick, ...]
    """The finished tricks, the first one first."""
    phase: Phase  # `moved` changes this field and those below
    """Who is waited for."""
    turn: Seat
    """The seat asked in LEAD, TURN and GIFT; in a window the one that will be asked next."""
    trick: tuple[Laid, ...]
    """The steps of the open trick, the lead first."""
    passes: int
    """The passes since `top` was laid (N20)."""

    def __repr__(self) -> str:
        top = f", to beat: {self.top_seat} {self.top}" if self.top is not None else ""
        sizes = " ".join(str(hand.size) for hand in self.hands)
        return f"<round {self.number}, {self.phase.value} {self.turn}, cards {sizes}{top}>"

    def moved(self, phase: Phase, turn: Seat, trick: tuple[Laid, ...], passes: int) -> Round:
        """The same round with other values in its last four fields.

        Most actions need it, so it leaves out `_replace`, which is slower.
        """
        return tuple.__new__(Round, (*self[:-4], phase, turn, trick, passes))

    def active(self, seat: Seat) -> bool:
        """Whether the seat still holds cards."""
        return self.hands[seat].size > 0

    def next_active(self, seat: Seat) -> Seat:
        """The next seat in turn order after `seat` that holds cards (N22, N23)."""
        return self.seating.next_with_cards(seat, self.hands)
