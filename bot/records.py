"""What goes into the store and comes out of it: frozen records, all of them checked on creation.

Times are aware datetimes. Options, desk and round results are JSON text that the store does not
look into. No `repr` and no error shows an action's text, a desk or a result. What is kept of
ratings, leaderboards and careers stands in `bot.score_records`.
"""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from bot.ids import ChannelId, GuildId, MessageId, TableId, UserId

Status: TypeAlias = Literal["lobby", "playing", "finished", "stopped", "expired"]
Kind: TypeAlias = Literal["person", "computer"]
Reason: TypeAlias = Literal["finished", "stopped"]
Call: TypeAlias = Literal["tichu", "grand"]
Level: TypeAlias = Literal["novice", "expert"]

LARGEST_NUMBER = 2**31 - 1
"""No table, round, action, seat or count has a larger number."""

_SNOWFLAKE = Field(ge=0, lt=2**63)
"""The range of an id of Discord; `bot.ids` says what each means."""
_UserId: TypeAlias = Annotated[UserId, _SNOWFLAKE]
_GuildId: TypeAlias = Annotated[GuildId, _SNOWFLAKE]
_ChannelId: TypeAlias = Annotated[ChannelId, _SNOWFLAKE]
_MessageId: TypeAlias = Annotated[MessageId, _SNOWFLAKE]

Seat: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A seat of a table, from 0."""
Column: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A score column, from 0: a team, or a person where each plays alone."""
Seq: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""The number of an action of a table, from 1."""
RoundNumber: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""The number of a round of a match, from 1."""

Count: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
Ordinal: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
Points: TypeAlias = Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Secret: TypeAlias = Annotated[str, Field(repr=False)]
"""Text that no `repr` shows."""

CLOCK = -1
"""The seat of an action that the clock took."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SeatRecord(_Record):
    """Who sits on a seat; `user_id` is None where no person does."""

    seat: Seat
    user_id: _UserId | None = None
    name: str
    kind: Kind


class SeatChangeRecord(SeatRecord):
    """Who had a seat of a match from the action `seq` on, until the next change of that seat."""

    seq: Seq


class ActionRecord(_Record):
    """One action: the `seq`-th of its table (1, 2, 3 ...), in text notation.

    `seat` is CLOCK (-1) where time acted; `actor_id` is the person behind it, if there was one.
    """

    seq: Seq
    round: Count
    seat: Annotated[int, Field(ge=CLOCK, le=LARGEST_NUMBER)]
    actor_id: _UserId | None = None
    text: Secret
    at: AwareDatetime


class RoundScore(_Record):
    """What a round brought to one score column (a team or a person), and its total after it."""

    column: Column
    card_points: Points | None = None
    score: Points
    total: Points


class RoundSeat(_Record):
    """How one seat fared in a round."""

    seat: Seat
    """The seat, from 0."""
    user_id: _UserId | None = None
    """The person who sat there at the end; `None` for a computer player."""
    kind: Kind
    """Who sat there at the end."""
    column: Column
    """The score column to which the seat belongs."""
    place: Ordinal | None = None
    """In which order the seat went out: 1 was first. `None` if it did not."""
    call: Call | None = None
    """What was called for this seat, if anything."""
    call_made: bool | None = None
    """Whether the call was made; `None` without one."""
    counts_for: _UserId | None = None
    """The person whose result it is (`bot.table.attribution`)."""
    turns: Count | None = None
    """How many turns the seat had; unknown in rounds of older versions."""
    own_turns: Count | None = None
    """How many of the turns the person took for whom it counts; as unknown."""
    margin: Points | None = None
    """By how much it was ahead of its opponents' mean, in hundredths of a point.

    In a game of places: hundredths of a percent of the others that came in behind it.
    """
    sweep: bool = False
    """Whether its own team won a double victory (in Tientsin a triple one)."""
    bombs: Count = 0
    """How many bombs it laid."""
    level: Level | None = None
    """How well a computer player on it plays; `None` for a person."""


class RoundRecord(_Record):
    """A finished round; `result` is JSON text. Only what is `rated` counts beyond the match."""

    number: RoundNumber
    ended_at: AwareDatetime
    result: Secret = "{}"
    variant: str = "nanjing"
    rated: bool = True
    scores: tuple[RoundScore, ...]
    seats: tuple[RoundSeat, ...]


class MatchScore(_Record):
    """The final total of one score column."""

    column: Column
    total: Points
    won: bool


class MatchSeat(_Record):
    """Who sat on a seat at the end of the match, and whether the seat won.

    It `counts_for` the person for whom at least half of the seat's rounds count.
    """

    seat: Seat
    user_id: _UserId | None = None
    name: str
    kind: Kind
    column: Column
    won: bool
    counts_for: _UserId | None = None


class MatchRecord(_Record):
    """A match that ended: played to its end, or stopped; `rounds` counts the finished ones."""

    variant: str
    ended_at: AwareDatetime
    reason: Reason
    rounds: Count
    rated: bool = True
    scores: tuple[MatchScore, ...]
    seats: tuple[MatchSeat, ...]


class EndedMatch(_Record):
    """Where a match was played that has ended: a channel, or a thread.

    `parent_channel_id` is the channel of a thread that the bot opened.
    """

    table_id: TableId
    channel_id: _ChannelId
    parent_channel_id: _ChannelId | None


class OutboxEntry(_Record):
    """A message of a table that must reach Discord; it is kept until it is delivered.

    `number` orders those of one table. `data` is JSON text the store does not look into
    (`bot.table.posts`); it never names a hidden card. A message that is sent twice carries the
    same `nonce` (at most 25 characters), so that Discord posts it once.
    """

    number: Ordinal
    kind: str
    data: Secret
    nonce: Annotated[str, Field(min_length=1, max_length=25)]
    created_at: AwareDatetime


class _Table(_Record):
    guild_id: _GuildId
    """The server where the table stands."""
    channel_id: _ChannelId
    """Where it is played."""
    parent_channel_id: _ChannelId | None = None
    """The channel of a thread that the bot opened for it; `None` otherwise."""
    host_id: _UserId
    """Who opened the table, or who is the host by now."""
    options: str = "{}"
    """What was chosen for the match, as JSON."""
    desk: Secret = "{}"
    """What a running table remembers beside its actions, as JSON."""
    lobby_message_id: _MessageId | None = None
    """The public message of the lobby, while there is one."""
    table_message_id: _MessageId | None = None
    """The public message of the running table, while there is one."""
    created_at: AwareDatetime
    """When the table was opened."""
    seats: tuple[SeatRecord, ...] = ()
    """Who sits there; free seats are left out."""


class NewTable(_Table):
    """A table about to be created."""

    status: Literal["lobby", "playing"] = "lobby"
    """Whether it waits for people or is played."""
    outbox: tuple[OutboxEntry, ...] = ()
    """Messages about it that must reach Discord."""


class TableRecord(_Table):
    """A stored table with its seats, as it is now."""

    id: TableId
    """Its number."""
    seq: int
    """How many actions it has."""
    status: Status
    """Whether it is open, and how it ended."""
    ended_at: AwareDatetime | None
    """When it was over; `None` while it is open."""


_NEVER_NULL = ("status", "options", "desk", "host_id", "channel_id")
_MAY_BE_NULL = ("parent_channel_id", "lobby_message_id", "table_message_id", "ended_at")


class Change(_Record):
    """Everything that one commit writes to a table, at once or not at all. All of it is optional.

    What is not given stays as it is; message ids, `parent_channel_id` and `ended_at` given as None
    become empty.
    """

    expected_seq: Count | None = None
    """How many actions are stored already; implied by `actions`, if there are any."""
    actions: tuple[ActionRecord, ...] = ()
    """New actions, which follow on the stored ones without a gap."""
    status: Status | None = None
    """Whether the table is open, and how it ended."""
    options: str | None = None
    """What was chosen for the match, as JSON."""
    desk: Annotated[str | None, Field(repr=False)] = None
    """What a running table remembers beside its actions, as JSON."""
    seats: tuple[SeatRecord, ...] | None = None
    """All seats, in place of those before."""
    host_id: _UserId | None = None
    """Who is the host from now on."""
    channel_id: _ChannelId | None = None
    """Where the table is played from now on."""
    parent_channel_id: _ChannelId | None = None
    """The channel of a thread that the bot opened for the table."""
    lobby_message_id: _MessageId | None = None
    """The public message of the lobby."""
    table_message_id: _MessageId | None = None
    """The public message of the running table."""
    ended_at: AwareDatetime | None = None
    """When the table was over."""
    round: RoundRecord | None = None
    """A round that these actions ended."""
    match: MatchRecord | None = None
    """The match, if it is over now."""
    outbox: tuple[OutboxEntry, ...] = ()
    """Messages that the change causes and that must reach Discord."""
    delivered: tuple[Ordinal, ...] = ()
    """The numbers of messages that are no longer to be kept."""

    @model_validator(mode="after")
    def _actions_follow_each_other(self) -> Self:
        if self.actions:
            first = self.actions[0].seq
            if self.expected_seq not in (None, first - 1):
                raise ValueError("the first action does not follow expected_seq")
            if any(action.seq != first + index for index, action in enumerate(self.actions)):
                raise ValueError("the actions are not numbered without gaps")
        return self

    @property
    def base_seq(self) -> int | None:
        """How many actions the table must have before this change; None if that is all the same."""
        return self.actions[0].seq - 1 if self.actions else self.expected_seq

    def table_columns(self) -> dict[str, Any]:
        """The columns of `tables` this change writes, by name."""
        given = {name: getattr(self, name) for name in _NEVER_NULL}
        columns = {name: value for name, value in given.items() if value is not None}
        for name in _MAY_BE_NULL:
            if name in self.model_fields_set:
                columns[name] = getattr(self, name)
        return columns
