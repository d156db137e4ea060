"""Actions of events, as stored: an event is the result of all its actions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from bot.club.competition import EntrantNumber, Pairing, Result
from bot.club_records import PersonNumber
from bot.ids import TableId

Answer = Literal["yes", "maybe", "substitute", "no"]
"""Answer of a person to an invitation; who is in plays."""


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Answered(_Action):
    """A person answered for one of the dates, or changed their answer."""

    kind: Literal["answered"] = "answered"
    person: PersonNumber
    date: int = 0
    """Position of the date in the settings."""
    answer: Answer


class PartnerNamed(_Action):
    """A person named the partner with whom they want to play a tournament.

    They are a pair once both are in and have named each other.
    """

    kind: Literal["partner-named"] = "partner-named"
    person: PersonNumber
    partner: PersonNumber | None
    """The partner; `None`: anybody."""


class DateChosen(_Action):
    """The organiser chose one of the dates."""

    kind: Literal["date-chosen"] = "date-chosen"
    date: int


class Seeded(_Action):
    """The entrants were made from the answers, and numbered; before the draw."""

    kind: Literal["seeded"] = "seeded"
    entrants: tuple[tuple[PersonNumber, ...], ...]
    """People of each entrant, the first seat first; the highest seed of a tournament first."""
    lots: str = ""
    """Random bytes for draws by lot, in hexadecimal (tournaments)."""


class Drawn(_Action):
    """The pairings of a round were drawn; they replace an earlier draw of the same round."""

    kind: Literal["drawn"] = "drawn"
    round: int
    """Number of the round, from 1."""
    pairings: tuple[Pairing, ...]
    """Sides by table; one side has a bye."""
    corrects: tuple[Pairing, ...] = ()
    """Pairings that the organiser has corrected to these; empty without corrections."""
    begins_at: AwareDatetime | None = None
    """Time at which its tables open; `None`: at once."""
    deadline: AwareDatetime | None = None
    """Time until which it must be played; `None` without one."""


class WeekBegun(_Action):
    """A later week of a league began."""

    kind: Literal["week-begun"] = "week-begun"
    week: int
    """The week, from 1."""


class Opened(_Action):
    """The table of a match was opened, or can be opened again; the match has no result."""

    kind: Literal["opened"] = "opened"
    round: int
    match: int
    """Position of the match in its round, from 0."""
    table_id: TableId | None
    """Its table; `None` if its lobby closed without a match, and can be opened again.

    That is so in a league, during a pause, and after its thread was deleted.
    """


class Ended(_Action):
    """A match ended; a later end replaces an earlier one."""

    kind: Literal["ended"] = "ended"
    round: int
    match: int
    result: Result
    absent: tuple[PersonNumber, ...] = ()
    """People for whom a computer played (game night)."""


class Paused(_Action):
    """The organiser paused the event, or let it go on."""

    kind: Literal["paused"] = "paused"
    paused: bool


class DeadlineMoved(_Action):
    """The organiser moved the deadline of the last round."""

    kind: Literal["deadline-moved"] = "deadline-moved"
    deadline: AwareDatetime


class Postponed(_Action):
    """A pair agreed to play a fixture of a league until a later week."""

    kind: Literal["postponed"] = "postponed"
    round: int
    match: int
    side: int
    """Position of the pair's side in the match."""
    week: int
    """The later week, from 1."""


class Withdrew(_Action):
    """An entrant plays no further rounds, or plays again."""

    kind: Literal["withdrew"] = "withdrew"
    entrant: EntrantNumber
    withdrawn: bool = True


class Substituted(_Action):
    """Another person took the place of one of an entrant's people."""

    kind: Literal["substituted"] = "substituted"
    entrant: EntrantNumber
    old: PersonNumber
    """The other person, or `COMPUTER`."""
    new: PersonNumber
    reopened: bool
    """True if the table of the entrant's match is opened again, because it had not begun."""


class Finished(_Action):
    """The event is over, or was cancelled."""

    kind: Literal["finished"] = "finished"
    cancelled: bool = False
    too_few: bool = False
    """True if it was cancelled because too few people were in."""


Action = Annotated[
    Answered
    | PartnerNamed
    | DateChosen
    | Seeded
    | Drawn
    | WeekBegun
    | Opened
    | Ended
    | Paused
    | DeadlineMoved
    | Postponed
    | Withdrew
    | Substituted
    | Finished,
    Field(discriminator="kind"),
]
"""Any action of an event."""

_ADAPTER: TypeAdapter[Action] = TypeAdapter(Action)


def read_action(body: str) -> Action:
    """Return the action of its JSON text. Raises `ValueError` if it is none."""
    return _ADAPTER.validate_json(body)
