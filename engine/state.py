"""The position of a game, immutable: a match and the round being played in it.

Nothing here decides a rule. Seats are numbers from 0; sets of cards are `int`s (`engine.cards`).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from engine.combinations import Combination
from engine.hand import Hand

if TYPE_CHECKING:
    from engine.options import Options
    from engine.variants.base import Variant


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
PLAYING = (Phase.LEAD, Phase.TURN, Phase.WINDOW, Phase.CLOSING, Phase.GIFT)


class Call(Enum):
    """A bet on going out first (N71, N76). The value is its stake in points."""

    TICHU = 100
    GRAND = 200

    __hash__ = object.__hash__


class Laid(NamedTuple):
    """One step of a trick: a combination, or a pass when it is `None`."""

    seat: int
    combination: Combination | None
    wish: int | None = None


class Trick(NamedTuple):
    """A finished trick: its steps, who took it, and who was given it (Dragon), if anybody.

    A Dog is a trick of one step that nobody takes (`winner` is -1) and `given_to` leads (N39).
    """

    steps: tuple[Laid, ...]
    winner: int
    given_to: int | None = None


class Seating(NamedTuple):
    """Who sits how in one round: turn order from the dealer on, and the team of each seat."""

    order: tuple[int, ...]
    teams: tuple[int, ...]

    def after(self, seat: int) -> tuple[int, ...]:
        """The other seats in turn order from the next one on, `seat` itself last."""
        place = self.order.index(seat) + 1
        return self.order[place:] + self.order[:place]

    def partners(self, seat: int) -> tuple[int, ...]:
        """The seats of the same team in turn order, without `seat`."""
        return tuple(s for s in self.after(seat)[:-1] if self.teams[s] == self.teams[seat])

    def opponents(self, seat: int) -> tuple[int, ...]:
        """The seats of other teams in turn order."""
        return tuple(s for s in self.after(seat) if self.teams[s] != self.teams[seat])

    def next_with_cards(self, seat: int, hands: tuple[Hand, ...]) -> int:
        """The next seat in turn order after `seat` that holds cards (N22, N23)."""
        for other in self.after(seat):
            if hands[other].size:
                return other
        raise AssertionError("nobody holds cards")


class RoundResult(NamedTuple):
    """How a round ended.

    `out` is the order of going out; `calls` are (seat, call, made); `cards`, `score` and `totals`
    are points for each column (before calls, with calls, of the match so far), empty in a game
    without points; `sweep` tells a double or triple victory, `penalty` the seat that missed a wish.
    """

    number: int
    dealer: int
    out: tuple[int, ...]
    calls: tuple[tuple[int, Call, bool], ...]
    cards: tuple[int, ...]
    score: tuple[int, ...]
    totals: tuple[int, ...]
    sweep: bool = False
    penalty: int | None = None


class Opening(NamedTuple):
    """What happens before the first lead.

    `stock` holds each seat's cards that are still to come (N11), `answers` the sealed answers to
    the Grand Tichu question, `given` the committed exchange of each seat, `received` what each
    seat got and from whom, once revealed: (giver, cards). `left_over` are cards that were not
    dealt; they lie face up (G7).
    """

    stock: tuple[int, ...]
    answers: tuple[bool | None, ...]
    given: tuple[tuple[tuple[int, int], ...] | None, ...]
    received: tuple[tuple[tuple[int, int], ...], ...]
    left_over: int


class Round(NamedTuple):
    """One deal from its first card to its scoring.

    `turn` is the seat asked in LEAD, TURN and GIFT, in a window the seat that will be asked next;
    `top` and `top_seat` the play to beat and its player; `passes` the passes since; `submitted`
    the sealed bombs of a window; `waived`, `started`, `asked` and `fresh` are sets of seats as
    bits: waived this window, laid a card this round, asked to withdraw, and in each team whoever
    called last, whom a partner may have called at the same time as (C21). `piles` are the gathered
    cards of each seat, `discards` cards that belong to nobody (the Dog, tricks in a game without
    points), `out` the order of going out.
    """

    number: int
    dealer: int
    seating: Seating
    hands: tuple[Hand, ...]
    opening: Opening
    calls: tuple[Call | None, ...]
    asked: int
    fresh: int
    started: int
    trick_cards: int
    top: Combination | None
    top_seat: int
    submitted: tuple[tuple[int, Combination], ...]
    waived: int
    wish: int | None
    out: tuple[int, ...]
    piles: tuple[int, ...]
    discards: int
    past: tuple[Trick, ...]
    phase: Phase  # from here on: what `moved` changes
    turn: int
    trick: tuple[Laid, ...]
    passes: int

    def moved(self, phase: Phase, turn: int, trick: tuple[Laid, ...], passes: int) -> Round:
        """The same round but for these; done for most actions, hence without `_replace`."""
        return tuple.__new__(Round, (*self[:-4], phase, turn, trick, passes))

    def active(self, seat: int) -> bool:
        """Whether the seat still holds cards."""
        return self.hands[seat].size > 0

    def next_active(self, seat: int) -> int:
        """The next seat in turn order after `seat` that holds cards (N22, N23)."""
        return self.seating.next_with_cards(seat, self.hands)


class Match(NamedTuple):
    """A whole game: options, score columns so far, finished rounds and the current one.

    `round` is `None` before the first deal and stays the finished one between two rounds;
    `winners` are the winning columns of a match that is over. `totals` are the points of each
    column, empty in a game without points.
    """

    options: Options
    variant: Variant
    first_dealer: int
    totals: tuple[int, ...]
    results: tuple[RoundResult, ...]
    round: Round | None
    winners: tuple[int, ...]

    def with_round(self, round_: Round) -> Match:
        """The same match with this round; done for every action, hence without `_replace`."""
        return tuple.__new__(Match, (*self[:5], round_, *self[6:]))

    @property
    def phase(self) -> Phase:
        """The round's phase while one is played, else ROUND_END or MATCH_END."""
        if self.winners:
            return Phase.MATCH_END
        return self.round.phase if self.round is not None else Phase.ROUND_END
