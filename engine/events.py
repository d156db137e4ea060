"""Events: the results of an action, in order, without hidden cards."""

from __future__ import annotations

from typing import NamedTuple

from .combinations import Combination
from .round import Call, RoundResult
from .types import Column, Points, Rank, Seat, typed_equality


@typed_equality
class RoundDealt(NamedTuple):
    """A new round was dealt; the first cards are in the hands."""

    number: int
    dealer: Seat


@typed_equality
class CallsOpened(NamedTuple):
    """All seats have answered the Grand Tichu question and got their other cards (N11)."""

    callers: tuple[Seat, ...]


@typed_equality
class Called(NamedTuple):
    """A seat called.

    `reopened` is true if the call made committed exchanges void (C20).
    """

    seat: Seat
    call: Call
    reopened: bool = False


@typed_equality
class Withdrawn(NamedTuple):
    """A seat withdrew its simultaneous call (N78)."""

    seat: Seat
    call: Call


@typed_equality
class CardsPassed(NamedTuple):
    """All exchanges are committed and revealed, and `leader` leads (N10, N12)."""

    leader: Seat


@typed_equality
class Played(NamedTuple):
    """A combination was laid.

    `wish` is the rank wished for with it, `fulfilled` the open wish that it fulfilled (N26, N32).
    """

    seat: Seat
    combination: Combination
    wish: Rank | None = None
    fulfilled: Rank | None = None


@typed_equality
class Passed(NamedTuple):
    """A seat passed in its turn."""

    seat: Seat


@typed_equality
class BombsReturned(NamedTuple):
    """Sealed bombs later in turn order than the first returned to their hands (N61)."""

    seats: tuple[Seat, ...]


@typed_equality
class LeadGiven(NamedTuple):
    """The Dog of `seat` passed the lead to `leader` (N39)."""

    seat: Seat
    leader: Seat


@typed_equality
class TrickTaken(NamedTuple):
    """A trick with these card points was won (N21)."""

    seat: Seat
    points: Points


@typed_equality
class DragonGiven(NamedTuple):
    """A trick that `seat` won with the Dragon was given to `receiver` (N49).

    `points` are its card points.
    """

    seat: Seat
    receiver: Seat
    points: Points


@typed_equality
class WentOut(NamedTuple):
    """A hand became empty; `place` is 1 for the first seat out (section 3, step 6)."""

    seat: Seat
    place: int


@typed_equality
class RoundEnded(NamedTuple):
    """The round was scored."""

    result: RoundResult


@typed_equality
class MatchEnded(NamedTuple):
    """The match is over; `winners` are the winning columns."""

    winners: tuple[Column, ...]


Event = (
    RoundDealt
    | CallsOpened
    | Called
    | Withdrawn
    | CardsPassed
    | Played
    | Passed
    | BombsReturned
    | LeadGiven
    | TrickTaken
    | DragonGiven
    | WentOut
    | RoundEnded
    | MatchEnded
)
