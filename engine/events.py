"""What an action caused, in order: for channel, log and records. Never a hidden card."""

from __future__ import annotations

from typing import NamedTuple

from engine.combinations import Combination
from engine.round import Call, RoundResult
from engine.types import Column, Points, Rank, Seat
from engine.values import own_kind


@own_kind
class RoundDealt(NamedTuple):
    """A new round: the first cards are in the hands."""

    number: int
    dealer: Seat


@own_kind
class CallsOpened(NamedTuple):
    """All have answered the Grand Tichu question; the rest of the cards is dealt (N11)."""

    callers: tuple[Seat, ...]


@own_kind
class Called(NamedTuple):
    """A seat called; `reopened` if committed exchanges became void by it (C20)."""

    seat: Seat
    call: Call
    reopened: bool = False


@own_kind
class Withdrawn(NamedTuple):
    """A seat took its simultaneous call back (N78)."""

    seat: Seat
    call: Call


@own_kind
class CardsPassed(NamedTuple):
    """All have committed: the exchange is revealed, `leader` leads (N10, N12)."""

    leader: Seat


@own_kind
class Played(NamedTuple):
    """A combination was laid; `wish` was made or `fulfilled` with it (N26, N32)."""

    seat: Seat
    combination: Combination
    wish: Rank | None = None
    fulfilled: Rank | None = None


@own_kind
class Passed(NamedTuple):
    """A seat passed in its turn."""

    seat: Seat


@own_kind
class BombsReturned(NamedTuple):
    """Sealed bombs that came too late in turn order went back to these hands (N61)."""

    seats: tuple[Seat, ...]


@own_kind
class LeadGiven(NamedTuple):
    """The Dog of `seat` handed the lead to `leader` (N39)."""

    seat: Seat
    leader: Seat


@own_kind
class TrickTaken(NamedTuple):
    """A trick was gathered; `points` are its card points (N21)."""

    seat: Seat
    points: Points


@own_kind
class DragonGiven(NamedTuple):
    """A trick that `seat` won with the Dragon went to an opponent; `points` are in it (N49)."""

    seat: Seat
    receiver: Seat
    points: Points


@own_kind
class WentOut(NamedTuple):
    """A hand is empty; `place` is 1 for the first (section 3, step 6)."""

    seat: Seat
    place: int


@own_kind
class RoundEnded(NamedTuple):
    """The round was scored."""

    result: RoundResult


@own_kind
class MatchEnded(NamedTuple):
    """The match is over; `winners` are the score columns that won."""

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
