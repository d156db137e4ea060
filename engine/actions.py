"""Everything that can be done in a game, one class for each line of the notation.

`seat` is the seat acted for (in Trichu the dealer acts for the Table); the clock is seat -1.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.values import own_kind

CLOCK = -1


@own_kind
class AnswerGrand(NamedTuple):
    """Answer to the Grand Tichu question, sealed until all have answered (N11, C21)."""

    seat: int
    call: bool


@own_kind
class AnswerWithdraw(NamedTuple):
    """Answer of a seat asked whether to withdraw a simultaneous call (N78)."""

    seat: int
    withdraw: bool


@own_kind
class CallTichu(NamedTuple):
    """A small Tichu; `same` when it came at truly the same time as the partner's (N71, N78)."""

    seat: int
    same: bool = False


@own_kind
class PassCards(NamedTuple):
    """The exchange: pairs of receiving seat and set of cards, by receiving seat (N9)."""

    seat: int
    gifts: tuple[tuple[int, int], ...]


@own_kind
class Play(NamedTuple):
    """A lead or a play in turn.

    `phoenix` states the ranks the Phoenixes stand for, `None` leaves it to N46; `wish` a rank
    2..14 with the Mah Jong, `to` the partner that a Dog goes to where there is a choice (S6).
    """

    seat: int
    cards: int
    phoenix: tuple[int, ...] | None = None
    wish: int | None = None
    to: int | None = None


@own_kind
class Pass(NamedTuple):
    """A pass in turn (N19)."""

    seat: int


@own_kind
class Bomb(NamedTuple):
    """A bomb in a window (a sealed submission) or in somebody else's turn (N56, N61)."""

    seat: int
    cards: int


@own_kind
class Waive(NamedTuple):
    """In a window: this seat will not bomb (section 3, step 2)."""

    seat: int


@own_kind
class CloseWindow(NamedTuple):
    """The clock closes a bomb window (section 3, step 3)."""

    seat: int = CLOCK


@own_kind
class GiveTrick(NamedTuple):
    """The Dragon's trick goes to an opponent (N49)."""

    seat: int
    to: int


@own_kind
class StopMatch(NamedTuple):
    """The stop vote between two rounds succeeded, where a variant knows one (G27)."""

    seat: int = CLOCK


Action = (
    AnswerGrand
    | AnswerWithdraw
    | CallTichu
    | PassCards
    | Play
    | Pass
    | Bomb
    | Waive
    | CloseWindow
    | GiveTrick
    | StopMatch
)
