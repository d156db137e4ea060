"""What goes into the store and comes out of it: frozen records, all of them checked on creation.

Used by the application. Times are aware datetimes; options, desk and round results are JSON text
the store does not look into. No `repr` and no error shows an action's text, a desk or a result.
"""

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

Status: TypeAlias = Literal["lobby", "playing", "finished", "stopped", "expired"]
Kind: TypeAlias = Literal["person", "computer"]
Reason: TypeAlias = Literal["finished", "stopped"]
Call: TypeAlias = Literal["tichu", "grand"]
Level: TypeAlias = Literal["novice", "expert"]

DiscordId: TypeAlias = Annotated[int, Field(ge=0, lt=2**63)]
Count: TypeAlias = Annotated[int, Field(ge=0, lt=2**31)]
Ordinal: TypeAlias = Annotated[int, Field(ge=1, lt=2**31)]
Points: TypeAlias = Annotated[int, Field(gt=-(2**31), lt=2**31)]
Secret: TypeAlias = Annotated[str, Field(repr=False)]

CLOCK = -1
"""The seat of an action that the clock took."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SeatRecord(_Record):
    """Who sits on a seat; `user_id` is None where no person does."""

    seat: Count
    user_id: DiscordId | None = None
    name: str
    kind: Kind


class SittingRecord(SeatRecord):
    """Who had a seat of a match from the action `seq` on."""

    seq: Ordinal


class ActionRecord(_Record):
    """One action: the `seq`-th of its table (1, 2, 3 ...), in text notation.

    `seat` is CLOCK (-1) where time acted; `actor_id` is the person behind it, if there was one.
    """

    seq: Ordinal
    round: Count
    seat: Annotated[int, Field(ge=CLOCK, lt=2**31)]
    actor_id: DiscordId | None = None
    text: Secret
    at: AwareDatetime


class RoundScore(_Record):
    """What a round brought to one score column (a team or a person), and its total after it."""

    column: Count
    card_points: Points | None = None
    score: Points
    total: Points


class RoundSeat(_Record):
    """How one seat fared in a round: `place` 1 went out first; `call` and whether it was made.

    `user_id` sat there at the end, `counts_for` is the person whose result it is
    (`bot.table.attribution`). Of the seat's `turns` one person took `own_turns`; both are unknown
    in rounds of older versions.
    `margin` are hundredths of a point by which it was ahead of its opponents' mean; in a game of
    places hundredths of a percent of the others that came in behind it. `sweep` tells a double
    victory of its own team, `level` how well a computer player on it plays.
    """

    seat: Count
    user_id: DiscordId | None = None
    kind: Kind
    column: Count
    place: Ordinal | None = None
    call: Call | None = None
    call_made: bool | None = None
    counts_for: DiscordId | None = None
    turns: Count | None = None
    own_turns: Count | None = None
    margin: Points | None = None
    sweep: bool = False
    bombs: Count = 0
    level: Level | None = None


class RoundRecord(_Record):
    """A finished round; `result` is JSON text. Only what is `rated` counts beyond the match."""

    number: Ordinal
    ended_at: AwareDatetime
    result: Secret = "{}"
    variant: str = "nanjing"
    rated: bool = True
    scores: tuple[RoundScore, ...]
    seats: tuple[RoundSeat, ...]


class MatchScore(_Record):
    """The final total of one score column."""

    column: Count
    total: Points
    won: bool


class MatchSeat(_Record):
    """Who sat on a seat at the end of the match, and whether the seat won.

    It `counts_for` the person whose are at least half of the seat's rounds.
    """

    seat: Count
    user_id: DiscordId | None = None
    name: str
    kind: Kind
    column: Count
    won: bool
    counts_for: DiscordId | None = None


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

    table_id: int
    channel_id: DiscordId
    parent_channel_id: DiscordId | None


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
    guild_id: DiscordId
    channel_id: DiscordId
    parent_channel_id: DiscordId | None = None
    host_id: DiscordId
    options: str = "{}"
    desk: Secret = "{}"
    lobby_message_id: DiscordId | None = None
    table_message_id: DiscordId | None = None
    created_at: AwareDatetime
    seats: tuple[SeatRecord, ...] = ()


class NewTable(_Table):
    """A table about to be created. `channel_id` is where it is played (a channel or thread).

    `outbox` are messages about it that must reach Discord.
    """

    status: Literal["lobby", "playing"] = "lobby"
    outbox: tuple[OutboxEntry, ...] = ()


class TableRecord(_Table):
    """A stored table with its seats, as it is now; `seq` is how many actions it has."""

    id: int
    seq: int
    status: Status
    ended_at: AwareDatetime | None


_NEVER_NULL = ("status", "options", "desk", "host_id", "channel_id")
_MAY_BE_NULL = ("parent_channel_id", "lobby_message_id", "table_message_id", "ended_at")


class Change(_Record):
    """Everything that one commit writes to a table, at once or not at all. All of it is optional.

    What is not given stays as it is; message ids, `parent_channel_id` and `ended_at` given as None
    become empty. `expected_seq` is the number of actions already stored; `actions` follow on it
    without a gap, and imply it. `seats` replaces all seats. `outbox` are messages that the change
    causes, `delivered` the numbers of messages that are no longer to be kept.
    """

    expected_seq: Count | None = None
    actions: tuple[ActionRecord, ...] = ()
    status: Status | None = None
    options: str | None = None
    desk: Annotated[str | None, Field(repr=False)] = None
    seats: tuple[SeatRecord, ...] | None = None
    host_id: DiscordId | None = None
    channel_id: DiscordId | None = None
    parent_channel_id: DiscordId | None = None
    lobby_message_id: DiscordId | None = None
    table_message_id: DiscordId | None = None
    ended_at: AwareDatetime | None = None
    round: RoundRecord | None = None
    match: MatchRecord | None = None
    outbox: tuple[OutboxEntry, ...] = ()
    delivered: tuple[Ordinal, ...] = ()

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
