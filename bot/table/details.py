"""Values of an open table beside the actions of its match.

They are stored together as one JSON text, with each change (see `Details`). The alias of a field is
its stored name. A method such as `with_timers` changes one of these values (see `Updater`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, ParamSpec, TypeVar, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
)

from bot.ids import ChannelId, MessageId, Revision, RoleId, UserId
from bot.records import Count, SeatRecord
from bot.table.quiet_hours import QuietHours
from engine import Action, NotationError, Seat, read_action, write_action

Deadline = Literal[
    "lobby",
    "start",
    "grace",
    "window",
    "turn",
    "nudge",
    "think",
    "auto_pass",
    "next_round",
    "newcomers",
    "idle",
    "abandoned",
]
"""Kind of a timer of a table."""

Deadlines = dict[Deadline, datetime]
"""Times at which timers fire, by kind."""

Turns = dict[Seat, dict[UserId, int]]
"""Counts of turns or rounds by chair and user (0: computer players)."""

LostThread = Literal["locked", "gone"]
"""Reason why nobody can play in the thread of a turn-based table."""

_SECRET = r"^([0-9a-f]{64})?$"


def _read_premoves(given: Any) -> dict[Seat, Action]:
    """Return premoves by seat, read from actions or their notation; raise `ValueError`."""
    if not isinstance(given, Mapping):
        raise ValueError("premoves are kept by seat")
    return {int(seat): _read_premove(int(seat), move) for seat, move in given.items()}


def _read_premove(seat: Seat, given: Any) -> Action:
    if isinstance(given, str):
        with suppress(NotationError):  # whose text contains the cards
            return read_action(seat, given)
    if not isinstance(given, Action):
        raise ValueError("a premove is an action or its notation")
    return given


def _write_premoves(premoves: Mapping[Seat, Action]) -> dict[Seat, str]:
    return {seat: write_action(action) for seat, action in premoves.items()}


Seats = Annotated[frozenset[Seat], PlainSerializer(sorted, return_type=list[Seat])]
"""A set of seats; stored as a sorted list."""

Premoves = Annotated[
    dict[Seat, Action], PlainValidator(_read_premoves), PlainSerializer(_write_premoves)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The turn of an awaited person at turn-based pace (`bot.table.turn_based`)."""

    turn: str
    """Id of the turn (`bot.table.turn_based.turn_id`)."""
    until: datetime
    """Time after which the turn is missed."""
    nudge_at: Annotated[datetime | None, Field(alias="call_at")] = None
    """Time of the nudge; `None` if it was sent."""
    remind_at: datetime | None = None
    """Time of the reminder; `None` if sent or too late."""
    reminded: bool = False
    """True if the last nudge of this turn was the reminder."""
    missed: bool = False
    """True if the turn is already counted as missed."""


Speed = Literal["slow", "human", "quick"]
SPEEDS: tuple[Speed, ...] = get_args(Speed)
"""Speeds of computers, the slowest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timers:
    """Timers of a table."""

    deadlines: Deadlines = field(default_factory=dict)
    """Absolute times of the timers."""
    paused: bool = False
    """True if the table is paused, without turn limits or countdowns."""
    nudged: tuple[UserId, ...] = ()
    """Users nudged since the cards on the table last changed; at live pace."""
    turns: dict[Seat, OpenTurn] = field(default_factory=dict)
    """Turns of awaited people by chair, at turn-based pace.

    While the table is paused: turns of the people to notify of the pause.
    """
    turns_aside: dict[Seat, OpenTurn] = field(default_factory=dict)
    """Turns by chair that are suspended while a seat is asked to withdraw a call.

    They continue unchanged after the answer.
    """
    moves_before: int = 0
    """Number added to the number of people's moves in turn ids; may be negative.

    When a person replaces a computer player, or the other way round, the number of moves by
    people's seats in this round changes. This correction keeps the turn ids unchanged
    (`bot.table.turn_based.keep_turn_ids`).
    """
    lost_thread: LostThread | None = None
    """Reason why nobody can play in the table's thread, if it is paused because of that."""
    computers: Speed | None = None
    """Speed of the computers, if a person who plays alone with them has chosen one."""
    open_window: str = ""
    """Id of a bomb window that stays open after its usual time (turn-based).

    It is open until the next player goes on. See `bot.table.state.window_id` for the id.
    """

    @property
    def next(self) -> datetime | None:
        """The earliest of the deadlines."""
        return min(self.deadlines.values(), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptChoices:
    """Choices that players have made in advance; never shown to others."""

    premoves: Premoves = field(default_factory=dict, repr=False)
    """Moves by seat that were chosen while a bomb window was still open."""
    auto_pass: tuple[Seat, ...] = field(default=(), repr=False)
    """Seats that pass in every turn until the trick is gathered."""
    stays_in: tuple[Seat, ...] = field(default=(), repr=False)
    """Seats that do not pass automatically until the trick is gathered."""
    dropped: tuple[Seat, ...] = ()
    """Seats whose pre-move was dropped because a bomb came first."""
    gone_on: str = field(default="", repr=False)
    """Id of the bomb window that its keeper has released (turn-based)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A person who takes a computer player's seat when the round is over."""

    user_id: UserId
    name: str
    auto_pass: bool = False
    more_time: bool = False
    quiet: QuietHours | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """A player's extension of a bomb window."""

    chair: Seat
    window: str
    """Id of the window that is extended (`bot.table.state.window_id`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An offer of a seat to a user.

    `notified` is true if the message of the offer notified the user.
    """

    seat: Seat
    user_id: UserId
    at: datetime
    notified: Annotated[bool, Field(alias="pinged")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNotes:
    """Notes about seats and the people on them."""

    away: tuple[Seat, ...] = ()
    """Chairs whose person is away; a computer player moves for them."""
    offers: dict[Seat, UserId] = field(default_factory=dict)
    """Chairs that are offered to another member, by the user who is asked."""
    asked: tuple[Asked, ...] = ()
    """Recent offers of seats, the latest at the end."""
    coming: dict[Seat, Newcomer] = field(default_factory=dict)
    """People who take a computer player's chair after the round, by chair."""
    left: tuple[UserId, ...] = ()
    """Users who gave a seat away in this round."""
    played: dict[Seat, SeatRecord] = field(default_factory=dict)
    """Players of the last finished round who have been replaced since, by chair."""
    votes: tuple[UserId, ...] = ()
    """Users who want to stop the match, in order of their votes."""
    against: tuple[UserId, ...] = ()
    """Users who vote against stopping."""
    ready: tuple[UserId, ...] = ()
    """Users who are ready for the next round."""
    waits: dict[Seat, int] = field(default_factory=dict)
    """Number of bomb windows held open in this round, by seat."""
    hold: Hold | None = None
    """The last bomb window that was held open; it may have closed."""
    called_at: dict[Seat, datetime] = field(default_factory=dict)
    """Time of the small Tichu call in this round, by seat."""
    auto_pass_always: Seats = field(default=frozenset(), repr=False)
    """Chairs whose person always passes automatically with nothing to play."""
    more_time: Seats = frozenset()
    """Chairs whose person has chosen longer turn limits."""
    quiet: dict[Seat, QuietHours] = field(default_factory=dict)
    """Quiet hours by chair."""
    missed: dict[Seat, int] = field(default_factory=dict)
    """Number of turns missed in a row by chair (turn-based)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitations:
    """Members and role invited to a lobby, each once, and the people of an event."""

    members: tuple[UserId, ...] = ()
    """Invited members of the server, in the order of their invitations."""
    role_id: RoleId | None = None
    """Invited role, if any."""
    here: tuple[UserId, ...] = ()
    """People of an event who have come to its table, in this order."""
    entrants: tuple[UserId, ...] = ()
    """People who may sit at the table of an event (`EventLink.entrants_only`)."""
    sides: tuple[tuple[UserId, ...], ...] = ()
    """Those among them who play for a team, by team; they sit nowhere else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageIds:
    """Ids of the public messages of a table."""

    lobby: MessageId | None = None
    """The lobby."""
    table: MessageId | None = None
    """The newest table message."""
    table_round: Count = 0
    """Number of the round that the table message shows."""
    result: MessageId | None = None
    """The result with the countdown to the next round."""
    vote: MessageId | None = None
    """The open vote to stop."""
    invitations: tuple[MessageId, ...] = ()
    """The invitations to the lobby."""
    nudge: MessageId | None = None
    """The message that nudges awaited people, if not the table message."""
    away: dict[Seat, MessageId] = field(default_factory=dict)
    """Line about an absent person, by chair; several chairs may share one."""
    free: dict[Seat, MessageId] = field(default_factory=dict)
    """Line that offers a computer player's seat to everybody, by chair.

    It is posted when a person has left the seat.
    """
    direct: dict[UserId, tuple[ChannelId, MessageId]] = field(default_factory=dict)
    """Direct messages that nudge users, by user: channel and message id."""
    added: tuple[UserId, ...] = ()
    """Users whom the bot has added to the thread of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credits:
    """Credits of users for rounds and the match (`bot.table.attribution`)."""

    turns: Turns = field(default_factory=dict)
    """Turns of this round by chair and by the user who took them."""
    rounds: Turns = field(default_factory=dict)
    """Finished rounds of this match by chair and credited user."""
    ratings: dict[UserId, int] = field(default_factory=dict)
    """Displayed ratings at the start of this match, by user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSecrets:
    """Secrets from which decks are made (`bot.table.dealing`)."""

    sealed: Annotated[str, Field(pattern=_SECRET)] = field(default="", repr=False)
    """Secret of the next deal, in hexadecimal."""
    later: tuple[Annotated[str, Field(pattern=_SECRET)], ...] = field(default=(), repr=False)
    """Secrets of the deals after it, if other tables play the same deals."""
    dealt: Annotated[str, Field(pattern=_SECRET)] = field(default="", repr=False)
    """Secret of the current deal, in hexadecimal."""
    words: dict[UserId, str] = field(default_factory=dict)
    """Words that users have contributed to the next deal, by user."""


_Fields = ParamSpec("_Fields")
_Table = TypeVar("_Table")


class Updater(Generic[_Fields]):
    """Descriptor for a table method that changes fields of one of its details.

    ``with_timers = Updater("timers", Timers)`` makes ``table.with_timers(paused=True)`` the same as
    ``replace(table, timers=replace(table.timers, paused=True))``.
    """

    def __init__(self, name: str, kind: Callable[_Fields, object]) -> None:
        self._name = name
        self.__doc__ = f"The same table with these fields of its {name} changed."

    def __get__(self, table: _Table, owner: type[_Table]) -> Callable[_Fields, _Table]:
        def changed(*_: _Fields.args, **changes: _Fields.kwargs) -> _Table:
            value = replace(getattr(table, self._name), **changes)
            return replace(table, **{self._name: value})  # type: ignore[type-var]

        return changed


class Details(BaseModel):
    """Stored form of the data of a table beside its actions."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True, serialize_by_alias=True)

    revision: Revision = Revision(0)
    """Number of the action that last changed the cards; carried by buttons."""
    last_round: bool = False
    """True if the match ends, with a result, after this round (G27)."""
    timers: Timers = Timers()
    """Timers, and whether the table is paused."""
    kept: KeptChoices = KeptChoices()
    """Moves and passes that players have chosen in advance."""
    notes: SeatNotes = SeatNotes()
    """Notes by seat or by user: absences, offers of seats, votes."""
    messages: MessageIds = MessageIds()
    """Ids of the table's messages on Discord."""
    invitations: Invitations = Invitations()
    """Invitations to the lobby."""
    credits: Credits = Credits()
    """Credits for rounds and the match, as numbers of turns and of rounds."""
    deal: DealSecrets = DealSecrets()
    """Secrets of the current deal and of the next one."""
