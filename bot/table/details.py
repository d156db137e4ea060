"""What an open table remembers beside the actions of its match, as small values.

They are stored together as one JSON text, with each change (see `Details`). A field that had
another name before is stored under that one, its alias. A table changes one of these values by a
method such as `with_timers` (see `With`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, ParamSpec, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    model_validator,
)

from bot.ids import ChannelId, MessageId, Revision, RoleId, UserId
from bot.records import Count, SeatRecord
from bot.table.quiet_hours import QuietHours
from engine import Action, NotationError, Seat, read_action, write_action

Deadline = Literal[
    "lobby",
    "start",
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
"""What the clock has to do on a table."""

Deadlines = dict[Deadline, datetime]
"""When it has to do it."""

Turns = dict[Seat, dict[UserId, int]]
"""Numbers of turns, or of rounds, by chair and by the user who took them; user 0: computers."""

LostThread = Literal["locked", "gone"]
"""Why nobody can play in the thread of a turn-based table."""

_SECRET = r"^([0-9a-f]{64})?$"


def _without_bare_names(given: Any) -> Any:
    """Who has played; an older version kept their name alone, which is not enough any more."""
    if isinstance(given, dict):
        return {seat: person for seat, person in given.items() if not isinstance(person, str)}
    return given


def _read_premoves(given: Any) -> dict[Seat, Action]:
    """Premoves from actions or from their notation, by seat. Raises `ValueError`."""
    if not isinstance(given, Mapping):
        raise ValueError("premoves are kept by seat")
    return {int(seat): _read_premove(int(seat), move) for seat, move in given.items()}


def _read_premove(seat: Seat, given: Any) -> Action:
    if isinstance(given, str):
        with suppress(NotationError):  # whose text would tell the cards
            return read_action(seat, given)
    if not isinstance(given, Action):
        raise ValueError("a premove is an action or its notation")
    return given


def _write_premoves(premoves: Mapping[Seat, Action]) -> dict[Seat, str]:
    return {seat: write_action(action) for seat, action in premoves.items()}


Seats = Annotated[frozenset[Seat], PlainSerializer(sorted, return_type=list[Seat])]
"""A set of seats; stored as a list in their order."""

Premoves = Annotated[
    dict[Seat, Action], PlainValidator(_read_premoves), PlainSerializer(_write_premoves)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The turn of somebody who is waited for at turn-based pace (`bot.table.turn_based`)."""

    turn: str
    """Which turn it is (`bot.table.turn_based.turn_on_table`)."""
    until: datetime
    """When it is missed."""
    nudge_at: Annotated[datetime | None, Field(alias="call_at")] = None
    """When they are nudged; `None` if they have been."""
    remind_at: datetime | None = None
    """When they are reminded; `None` if they have been, or it is too late for that."""
    reminded: bool = False
    """Whether the last nudge in it was the reminder."""
    missed: bool = False
    """Whether it is noted already that they have missed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timers:
    """When the clock acts next on a table."""

    deadlines: Deadlines = field(default_factory=dict)
    """Absolute times of what is due."""
    paused: bool = False
    """Whether the table waits until somebody resumes it: no turn limit, no countdown to a round."""
    nudged: tuple[UserId, ...] = ()
    """Users who have been nudged since what lies on the table last changed; at live pace."""
    turns: dict[Seat, OpenTurn] = field(default_factory=dict)
    """By chair the turns of those who are waited for, at turn-based pace.

    While the table is paused, of those who are to hear of it.
    """
    turns_aside: dict[Seat, OpenTurn] = field(default_factory=dict)
    """By chair the turns that wait while somebody is asked whether they withdraw a call.

    They go on as they were when nobody is asked any more.
    """
    moves_before: int = 0
    """What is added to the number of people's moves where a turn is named by it.

    When a computer player's seat gets a person, or the other way round, the number of people's
    moves in this round changes. This evens it out: the turns of all others keep their names
    (`bot.table.turn_based.same_turn`). It may be negative.
    """
    lost_thread: LostThread | None = None
    """What has become of its thread, if the table is paused for that and its people hear of it."""
    open_window: str = ""
    """At turn-based pace the bomb window that has been open for its usual time.

    It is named as by `bot.table.state.window_on_table`, and stays open until the next player goes
    on.
    """

    @property
    def next(self) -> datetime | None:
        """The earliest of the deadlines."""
        return min(self.deadlines.values(), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptChoices:
    """What players have chosen for later. Sealed: nobody else may learn of it."""

    premoves: Premoves = field(default_factory=dict, repr=False)
    """By seat the move chosen while a bomb window was still open."""
    auto_pass: tuple[Seat, ...] = field(default=(), repr=False)
    """Seats that pass until the trick is gathered."""
    dropped: tuple[Seat, ...] = ()
    """Seats whose pre-move was dropped because a bomb came first."""
    gone_on: str = field(default="", repr=False)
    """The bomb window that the next player, at turn-based pace, does not keep open any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """Somebody who takes a computer player's seat when the round is over."""

    user_id: UserId
    name: str
    auto_pass: bool = False
    more_time: bool = False
    quiet: QuietHours | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Who keeps a bomb window open a moment longer."""

    chair: Seat
    window: str
    """Which window it is (`bot.table.state.window_on_table`): it counts for no other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who was asked to take a seat, and when; `notified` is whether Discord has told them of it."""

    seat: Seat
    user_id: UserId
    at: datetime
    notified: Annotated[bool, Field(alias="pinged")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNotes:
    """What is noted about seats and the people on them."""

    away: tuple[Seat, ...] = ()
    """Chairs whose person is away: a computer player moves for them."""
    offers: dict[Seat, UserId] = field(default_factory=dict)
    """Chairs whose person would hand the seat over, and the user it is offered to."""
    asked: tuple[Asked, ...] = ()
    """Who was asked lately to take a seat, the last one at the end."""
    coming: dict[Seat, Newcomer] = field(default_factory=dict)
    """Chairs of computer players, and who takes them when the round is over."""
    left: tuple[UserId, ...] = ()
    """Users who gave a seat away in this round."""
    played: Annotated[dict[Seat, SeatRecord], BeforeValidator(_without_bare_names)] = field(
        default_factory=dict
    )
    """By chair who has played the last finished round, if somebody else came after."""
    votes: tuple[UserId, ...] = ()
    """Users who want to stop the match, whoever asked first at the beginning."""
    against: tuple[UserId, ...] = ()
    """Users who would play on, while others want to stop."""
    ready: tuple[UserId, ...] = ()
    """Between two rounds: users who need not wait for the next one."""
    waits: dict[Seat, int] = field(default_factory=dict)
    """By seat how many bomb windows it has held open in this round."""
    hold: Hold | None = None
    """The last bomb window that was held open; it may be over."""
    called_at: dict[Seat, datetime] = field(default_factory=dict)
    """By seat when it called Tichu in this round."""
    auto_pass_always: Seats = field(default=frozenset(), repr=False)
    """Chairs whose person passes whenever nothing in their hand beats and no bomb is held."""
    more_time: Seats = frozenset()
    """Chairs whose person has chosen longer limits for their turns."""
    quiet: dict[Seat, QuietHours] = field(default_factory=dict)
    """By chair the quiet hours of its person."""
    missed: dict[Seat, int] = field(default_factory=dict)
    """By chair how many turns in a row its person has missed, at turn-based pace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitations:
    """Who was invited to a lobby: nobody is twice."""

    members: tuple[UserId, ...] = ()
    """Members of the server, in the order in which they were."""
    role_id: RoleId | None = None
    """The role that was invited, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageIds:
    """The public messages of a table."""

    lobby: MessageId | None = None
    """The lobby."""
    table: MessageId | None = None
    """The newest table message."""
    table_round: Count = 0
    """The number of the round that the table message shows."""
    result: MessageId | None = None
    """The result that counts down to the next round."""
    vote: MessageId | None = None
    """The open vote to stop."""
    invitations: tuple[MessageId, ...] = ()
    """The invitations to the lobby."""
    nudge: MessageId | None = None
    """What nudges whoever is waited for, if that is not the table message itself."""
    away: dict[Seat, MessageId] = field(default_factory=dict)
    """By chair the line that says that its person is away; several chairs may share one."""
    free: dict[Seat, MessageId] = field(default_factory=dict)
    """By chair of a computer player the line that offers it to everybody, as a person has left."""
    direct: dict[UserId, tuple[ChannelId, MessageId]] = field(default_factory=dict)
    """By user the direct message that nudges them: its channel, and its id there."""
    added: tuple[UserId, ...] = ()
    """Users whom the bot has added to the thread of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Credits:
    """For whom rounds and the match count (`bot.table.attribution`)."""

    turns: Turns = field(default_factory=dict)
    """The turns of this round by chair and by who took them."""
    rounds: Turns = field(default_factory=dict)
    """The finished rounds of this match by chair and by whom they count for."""
    ratings: dict[UserId, int] = field(default_factory=dict)
    """By user the rating, as it is shown, when this match began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSecrets:
    """What decks are made from (`bot.table.dealing`)."""

    sealed: Annotated[str, Field(pattern=_SECRET)] = field(default="", repr=False)
    """The secret of the next deal, in hexadecimal."""
    dealt: Annotated[str, Field(pattern=_SECRET)] = field(default="", repr=False)
    """The secret of the deal on the table, in hexadecimal."""
    words: dict[UserId, str] = field(default_factory=dict)
    """By user the word they said for the next deal."""


_Fields = ParamSpec("_Fields")
_Table = TypeVar("_Table")


class With(Generic[_Fields]):
    """A method of a table that changes fields of one of its small values.

    ``with_timers = With("timers", Timers)`` makes ``table.with_timers(paused=True)`` the same as
    ``replace(table, timers=replace(table.timers, paused=True))``. Fields that are not named stay.
    """

    def __init__(self, name: str, kind: Callable[_Fields, object]) -> None:
        self._name = name
        self.__doc__ = f"The same table with these fields of its {name} changed."

    def __get__(self, table: _Table, owner: type[_Table]) -> Callable[_Fields, _Table]:
        def changed(*_: _Fields.args, **changes: _Fields.kwargs) -> _Table:
            value = replace(getattr(table, self._name), **changes)
            return replace(table, **{self._name: value})  # type: ignore[type-var]

        return changed


_OLDER_NAMES = {
    "deadlines": ("timers", "deadlines"),
    "paused": ("timers", "paused"),
    "premoves": ("kept", "premoves"),
    "auto_pass": ("kept", "auto_pass"),
    "dropped": ("kept", "dropped"),
    "away": ("notes", "away"),
    "offers": ("notes", "offers"),
    "left": ("notes", "left"),
    "votes": ("notes", "votes"),
    "waits": ("notes", "waits"),
    "called_at": ("notes", "called_at"),
    "message_round": ("messages", "table_round"),
    "result_message_id": ("messages", "result"),
    "nudge_message_id": ("messages", "nudge"),
    "turns": ("credits", "turns"),
    "rounds": ("credits", "rounds"),
    "ratings": ("credits", "ratings"),
    "sealed": ("deal", "sealed"),
    "dealt": ("deal", "dealt"),
    "words": ("deal", "words"),
}
"""Where the fields went that versions before 0.2 stored side by side."""


class Details(BaseModel):
    """The stored form of all that a table remembers beside its actions."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True, serialize_by_alias=True)

    revision: Revision = 0
    """The number of the action that last changed what lies on the table; buttons carry it."""
    last_round: bool = False
    """Whether the match ends, with a result, after this round (G27)."""
    timers: Timers = Timers()
    """When the clock acts next, and whether the table is paused."""
    kept: KeptChoices = KeptChoices()
    """Moves and passes that players have chosen for later."""
    notes: SeatNotes = SeatNotes()
    """What is noted by seat or by user: who is away, offers of seats, votes."""
    messages: MessageIds = MessageIds()
    """The ids of the table's messages on Discord."""
    invitations: Invitations = Invitations()
    """Who was invited to the lobby."""
    credits: Credits = Credits()
    """For whom rounds and the match count, by numbers of turns and of rounds."""
    deal: DealSecrets = DealSecrets()
    """The secrets of the deal on the table and of the next one."""

    @model_validator(mode="before")
    @classmethod
    def _older_form(cls, given: Any) -> Any:
        """Sort the fields of an older version into the small values."""
        if not isinstance(given, dict) or not given.keys() & {"stamp", *_OLDER_NAMES}:
            return given
        sorted_: dict[str, Any] = {
            name: value
            for name, value in given.items()
            if name != "stamp" and name not in _OLDER_NAMES
        }
        if "stamp" in given:
            sorted_["revision"] = given["stamp"]
        for old, (part, name) in _OLDER_NAMES.items():
            if old in given:
                sorted_.setdefault(part, {})[name] = given[old]
        return sorted_
