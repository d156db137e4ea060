"""Stored values of boards: deals that several people play, each alone.

A board is the deal of a day or one of the deals of a challenge. Storage reads and writes these
values, and `bot.boards` plays them. No `repr` contains a secret or an action.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Final, Literal, NamedTuple, get_args

from bot.ids import BoardId, GuildId, UserId
from bot.records import Call

BoardKind = Literal["daily", "challenge"]
KINDS: tuple[BoardKind, ...] = get_args(BoardKind)


class SoloResult(NamedTuple):
    """Result of a seat in a round that is over."""

    points: int
    """Score of its team less that of the others in this round."""
    call: Call | None
    """Its call, if any."""
    call_made: bool | None
    """True if the call was made; `None` without one."""
    place: int | None
    """Place in the order of going out, from 1; `None` if it did not go out."""


class BoardRecord(NamedTuple):
    """A stored board."""

    id: BoardId
    """Number of the board."""
    day: date | None
    """Day on which it is the deal of the day (UTC); `None` for a deal of a challenge."""
    challenge_id: int | None
    """Number of the challenge; `None` for a deal of the day."""
    number: int
    """Number of the deal: days since the first one, from 1, or in the challenge from 1 to 4."""
    secret: str
    """Secret of the deal, in hexadecimal."""
    version: int | None = None
    """Version of the computers; `None` before the first round."""
    expert: SoloResult | None = None
    """Result of the Expert, once it is known."""
    challenge_over: bool = False
    """True for a deal of a challenge that is over."""

    def __repr__(self) -> str:
        return f"<board {self.id}>"


class SoloRound(NamedTuple):
    """A round of one person on a board."""

    id: int
    """Number of the round."""
    board_id: BoardId
    """Board that is played."""
    user_id: UserId
    """The person."""
    name: str
    """Their name where the round began."""
    guild_id: GuildId
    """Server in which it began; 0 in direct messages."""
    practice: bool
    """True if it counts for nobody."""
    version: int
    """Version of the computers."""
    begun_at: datetime
    """Time of its begin."""
    ended_at: datetime | None = None
    """Time of its end; `None` while it is played."""
    points: int | None = None
    """As in `SoloResult`; `None` while the round is played."""
    call: Call | None = None
    """As in `SoloResult`."""
    call_made: bool | None = None
    """As in `SoloResult`."""
    place: int | None = None
    """As in `SoloResult`."""
    match_points: float | None = None
    """Match points in percent, once they are final."""
    shared: bool = False
    """True if the person has shared the result in public."""
    actions: tuple[str, ...] = ()
    """Actions after the deal in text notation: ``seat:text``."""

    def __repr__(self) -> str:
        return f"<solo round {self.id}>"


class NewSoloRound(NamedTuple):
    """A round that begins; `actions` are the first ones of the computers."""

    board_id: BoardId
    user_id: UserId
    name: str
    guild_id: GuildId
    practice: bool
    version: int
    begun_at: datetime
    actions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<new solo round on board {self.board_id}>"


class SoloProgress(NamedTuple):
    """Actions that continue a stored round, and its result if they end it."""

    round_id: int
    """Number of the round."""
    expected: int
    """Number of actions that must be stored already."""
    actions: tuple[str, ...]
    """New actions."""
    practice: bool
    """True if the round counts for nobody from now on."""
    ended_at: datetime | None = None
    """Time of the end, if the round is over."""
    result: SoloResult | None = None
    """Result of the person, if the round is over."""

    def __repr__(self) -> str:
        return f"<progress of solo round {self.round_id}>"


_FEWEST_FOR_SHARE: Final = 5
"""Number of other results from which a share in percent is shown."""


class Comparison(NamedTuple):
    """Numbers of other results on a board that are worse, equal and better."""

    worse: int
    equal: int
    better: int

    @property
    def others(self) -> int:
        """Number of other results."""
        return sum(self)

    @property
    def share(self) -> float | None:
        """Match points from 0 to 1, with ties as half; `None` if there are too few results."""
        if self.others < _FEWEST_FOR_SHARE:
            return None
        return (self.worse + self.equal / 2) / self.others


class MemberResult(NamedTuple):
    """Result of a person on the list of a server."""

    user_id: UserId
    """User id of the person."""
    name: str
    """Their name on the server; empty if the round began elsewhere."""
    points: int
    """As in `SoloResult`."""
    call: Call | None
    """As in `SoloResult`."""
    call_made: bool | None
    """As in `SoloResult`."""


class Streak(NamedTuple):
    """Days in a row of a person."""

    days: int = 0
    """Number of days on which they played in the current streak."""
    longest: int = 0
    """Number in their longest streak."""
