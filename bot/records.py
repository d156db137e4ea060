"""What goes into the store and comes out of it: frozen records, all of them checked on creation.

Times are aware datetimes. Options, round results and what a running table remembers (its details)
are JSON text that the store does not look into. No `repr` and no error shows an action's text,
details or a result. What is kept of ratings, leaderboards and careers stands in
`bot.score_records`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from bot.ids import ChannelId, GuildId, MessageId, RoleId, TableId, UserId

Status: TypeAlias = Literal["lobby", "playing", "finished", "stopped", "expired"]
Kind: TypeAlias = Literal["person", "computer"]
MatchEnd: TypeAlias = Literal["finished", "stopped"]
"""How a match ended: as its options say, or before."""
Call: TypeAlias = Literal["tichu", "grand"]
Level: TypeAlias = Literal["novice", "regular", "expert"]
Sorting: TypeAlias = Literal["dog_first", "rank_high_first", "combination"]
"""How a person has the cards of their hand sorted.

``dog_first`` is Dog, Mah Jong, 2 to A, Phoenix, Dragon; ``rank_high_first`` the other way round;
``combination`` puts together what can be played together.
"""
NudgeWay: TypeAlias = Literal["mention", "direct", "none"]
"""How a person is nudged when it is their turn.

``mention`` is a mention in the channel, ``direct`` a direct message, ``none`` not at all.
"""

LARGEST_NUMBER = 2**31 - 1
"""No table, round, action, seat or count has a larger number."""

_SNOWFLAKE = Field(ge=0, lt=2**63)
"""The range of an id of Discord. The ids below are those of `bot.ids`, checked for this range."""
_SNOWFLAKE_OR_OTHER = Field(gt=-(2**63), lt=2**63)
"""That range, and as many numbers that are no id of Discord: see `bot.ids`."""
_UserId: TypeAlias = Annotated[UserId, _SNOWFLAKE_OR_OTHER]
_GuildId: TypeAlias = Annotated[GuildId, _SNOWFLAKE_OR_OTHER]
_ChannelId: TypeAlias = Annotated[ChannelId, _SNOWFLAKE]
_MessageId: TypeAlias = Annotated[MessageId, _SNOWFLAKE]
_RoleId: TypeAlias = Annotated[RoleId, _SNOWFLAKE]
_Language: TypeAlias = Annotated[str, Field(pattern=r"^[a-z]{2,3}([_-][A-Za-z0-9]{2,4})*$")]
"""A language as the bot or Discord writes it, such as de, pt_BR or es-419."""

Seat: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A seat of a table, from 0."""
CLOCK = -1
"""The seat of an action that the clock took."""
ActingSeat: TypeAlias = Annotated[int, Field(ge=CLOCK, le=LARGEST_NUMBER)]
"""The seat that took an action, or CLOCK."""
Column: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A score column, from 0: a team, or a person where each plays alone."""
Seq: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""The number of an action of a table, from 1."""
RoundNumber: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""The number of a round of a match, from 1."""

Count: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""How many of something there are."""
Ordinal: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""The place of something in an order, from 1."""
Points: TypeAlias = Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""Points of a round or of a match; may be negative."""
Minute: TypeAlias = Annotated[int, Field(ge=0, lt=24 * 60)]
"""A time of the day, in minutes since midnight."""
Secret: TypeAlias = Annotated[str, Field(repr=False)]
"""Text that no `repr` shows."""


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
    seat: ActingSeat
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
    """The place at which the seat went out: 1 was first. `None` if it did not go out."""
    call: Call | None = None
    """What was called for this seat, if anything."""
    call_made: bool | None = None
    """Whether the call was made; `None` without one."""
    counts_for: _UserId | None = None
    """The person credited with the round (`bot.table.attribution`); `None` for nobody."""
    turns: Count | None = None
    """How many turns the seat had; `None` in rounds stored before turns were counted."""
    own_turns: Count | None = None
    """How many of these turns were taken by the person who took most; `None` as for `turns`."""
    margin: Points | None = None
    """The score of the seat's side minus the mean score of its opponents, in hundredths of a point.

    In a game of places: the share of the other players who went out later, in hundredths of a
    percent.
    """
    sweep: bool = False
    """Whether the seat's own team won a double victory (in Tientsin a triple one)."""
    bombs: Count = 0
    """How many bombs the seat laid."""
    level: Level | None = None
    """The level of the computer player on the seat; `None` for a person."""


class RoundRecord(_Record):
    """A finished round.

    `result` is JSON text. A round that is not `rated` (of a table with hints) changes neither
    ratings nor leaderboards.
    """

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

    `counts_for` is the person credited with the match: at least half of the seat's rounds count for
    them.
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
    reason: MatchEnd
    rounds: Count
    rated: bool = True
    scores: tuple[MatchScore, ...]
    seats: tuple[MatchSeat, ...]


class PersonalSettings(_Record):
    """What a person has chosen in `/tichu settings` about their own game."""

    cards_as_text: bool = False
    """Whether they read cards as text, such as 8♠, and not as pictures."""
    sorting: Sorting = "dog_first"
    """How the cards of their hand are sorted."""
    auto_pass: bool = False
    """Whether they pass by themselves when nothing beats and they hold no bomb."""
    more_time: bool = False
    """Whether they have longer limits for their turns."""
    nudge_way: NudgeWay = "mention"
    """How they are nudged when it is their turn."""
    invitations: bool = True
    """Whether others may invite them to a table."""
    zone: str = "UTC"
    """The name of their time zone, such as Europe/Berlin; `quiet` is meant in it."""
    language: _Language | None = None
    """The language in which they read what is for them alone; `None`: that of their Discord."""
    seen_language: _Language | None = None
    """That of their Discord when they were last seen: direct messages are in it.

    It is known only of those who want direct messages.
    """
    quiet: tuple[Minute, Minute] | None = None
    """Begin and end of the hours in which nobody nudges them; `None`: there are none.

    Both are times of the day in their zone, and differ: (1320, 420) is from 22:00 to 7:00.
    """

    @model_validator(mode="after")
    def _quiet_hours_have_a_length(self) -> Self:
        if self.quiet is not None and self.quiet[0] == self.quiet[1]:
            raise ValueError("quiet hours begin and end at the same time")
        return self


class ServerSettings(_Record):
    """What managers have chosen in `/tichu settings` for their server.

    The channel of the table of honour is kept apart (`bot.storage.honours`).
    """

    channels: tuple[_ChannelId, ...] = ()
    """The channels where tables may be opened, threads in them included; empty: all."""
    defaults: Mapping[str, str] = Field(default_factory=dict)
    """What `/tichu new` chooses where nothing is said: option -> value.

    Options and values are those that `TableOptions.changed` takes.
    """
    computers: Annotated[int, Field(ge=0, le=11)] = 0
    """How many computers sit down at once, where `/tichu new` does not say."""
    threads: bool = False
    """Whether a table gets a thread of its own, where `/tichu new` does not say."""
    pictures: bool = True
    """Whether pictures of tables and scores are posted, and not only words."""
    hints: bool = True
    """Whether a table may have hints."""
    opener_role_id: _RoleId | None = None
    """The role that may open tables; `None`: everyone may."""
    tables_each: Annotated[int, Field(ge=1, le=100)] | None = None
    """How many tables a person may have open at a time; `None`: as many as the bot allows.

    Tables of the turn-based pace are counted apart. The bot's own limit holds in any case.
    """
    turn_based_each: Annotated[int, Field(ge=0, le=100)] = 10
    """How many tables of the turn-based pace a person may have open at a time."""
    invitation_role_id: _RoleId | None = None
    """The role that may be invited to a table with one mention; `None`: no role may."""
    invitation_cooldown_s: Annotated[int, Field(ge=0, le=7 * 86400)] = 3600
    """Seconds that pass at least between two mentions of that role."""
    nudge_s: Annotated[int, Field(ge=10, le=600)] | None = None
    """Seconds after which whoever is waited for is nudged; `None`: it follows the turn limit."""
    language: _Language | None = None
    """The language of what everybody reads; `None`: that of the server in Discord."""


class LessonProgress(_Record):
    """How far a person is in one lesson of Learn Tichu."""

    step: Count = 0
    """The step that they see, from 0 on; 0 after the end of the lesson."""
    done: bool = False
    """Whether they have been at its end."""


class OutboxEntry(_Record):
    """A message of a table that must reach Discord; it is kept until it is delivered.

    `number` is its place among the messages of its table. `data` is JSON text that the store does
    not look into (`bot.table.posts`); it never names a hidden card. If the message is sent a second
    time, the same `nonce` (at most 25 characters) goes with it, so that Discord posts it only once.
    """

    number: Ordinal
    kind: str
    data: Secret
    nonce: Annotated[str, Field(min_length=1, max_length=25)]
    created_at: AwareDatetime


class Fence(NamedTuple):
    """Under which lease something was read, and so may be written; see `bot.storage.leases`."""

    name: str
    """The name of the lease."""
    token: int
    """Its token: each owner of the lease has a larger one."""


class _Table(_Record):
    guild_id: _GuildId
    """The server where the table stands."""
    channel_id: _ChannelId
    """The channel or thread in which it is played."""
    parent_channel_id: _ChannelId | None = None
    """The channel of a thread that the bot opened for it; `None` otherwise."""
    host_id: _UserId
    """The host: whoever opened the table, or took over from them."""
    options: str = "{}"
    """The options of the table, as JSON."""
    details: Secret = "{}"
    """What a running table remembers beside its actions, as JSON."""
    lobby_message_id: _MessageId | None = None
    """The public message of the lobby, while there is one."""
    table_message_id: _MessageId | None = None
    """The public message of the running table, while there is one."""
    created_at: AwareDatetime
    """When the table was opened."""
    holds_channel: bool = True
    """Whether no other table may be opened in its channel while it is open."""
    seats: tuple[SeatRecord, ...] = ()
    """Who sits there; free seats are left out."""


class NewTable(_Table):
    """A table about to be created."""

    status: Literal["lobby", "playing"] = "lobby"
    """`lobby`: waits for people. `playing`: a match is running."""
    outbox: tuple[OutboxEntry, ...] = ()
    """Messages about it that must reach Discord."""
    fence: Fence | None = None
    """The lease that whoever stores it must have; `None`: none."""


class TableRecord(_Table):
    """A stored table with its seats, as it is now."""

    id: TableId
    """The number of the table."""
    seq: Count
    """How many actions it has: the number of the last one."""
    version: Count
    """How many changes it has had; see `Change.expected_version`."""
    status: Status
    """Whether it is open, and if not, how it ended."""
    ended_at: AwareDatetime | None
    """When it ended; `None` while it is open."""


_NEVER_NULL = ("status", "options", "details", "host_id", "channel_id", "holds_channel")
"""Fields of a `Change` whose column always has a value: here `None` leaves it as it is."""
_MAY_BE_NULL = ("parent_channel_id", "lobby_message_id", "table_message_id", "ended_at")
"""Fields whose column may be empty: here `None` empties it, and only a missing field leaves it."""


class Change(_Record):
    """Everything that one commit writes to a table, in one transaction. All of it is optional.

    What is not given stays as it is. Message ids, `parent_channel_id` and `ended_at` become empty
    if they are given as `None`.
    """

    expected_seq: Count | None = None
    """How many actions must be stored already; follows from `actions`, if there are any."""
    expected_version: Count | None = None
    """The version that the table must have, as a sign that nobody else has written it; `None`: any.

    Each change of the table gives it the next version; what only concerns messages does not. A
    change with an expected version does so even if it changes nothing else: whoever takes a table
    over from another process shuts that one out in this way.
    """
    fence: Fence | None = None
    """The lease that whoever stores it must have; `None`: none."""
    actions: tuple[ActionRecord, ...] = ()
    """New actions; their numbers follow those of the stored ones without a gap."""
    status: Status | None = None
    """Whether the table is open, and if not, how it ended."""
    options: str | None = None
    """The options of the table, as JSON."""
    details: Annotated[str | None, Field(repr=False)] = None
    """What a running table remembers beside its actions, as JSON."""
    seats: tuple[SeatRecord, ...] | None = None
    """All seats; they replace those stored before."""
    host_id: _UserId | None = None
    """The host from now on."""
    channel_id: _ChannelId | None = None
    """The channel or thread in which the table is played from now on."""
    parent_channel_id: _ChannelId | None = None
    """The channel of a thread that the bot opened for the table."""
    holds_channel: bool | None = None
    """Whether no other table may be opened in its channel from now on."""
    lobby_message_id: _MessageId | None = None
    """The public message of the lobby."""
    table_message_id: _MessageId | None = None
    """The public message of the running table."""
    ended_at: AwareDatetime | None = None
    """When the table ended."""
    round: RoundRecord | None = None
    """The round that the last of these actions ended, if one did."""
    match: MatchRecord | None = None
    """The match, if it ends with this change."""
    outbox: tuple[OutboxEntry, ...] = ()
    """Messages caused by this change that must reach Discord: they are added to the outbox."""
    rewritten: Annotated[dict[Ordinal, str], Field(repr=False)] = {}
    """The data that messages in the outbox have from now on, by number."""
    delivered: tuple[Ordinal, ...] = ()
    """The numbers of messages that are removed from the outbox."""

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
    def base_seq(self) -> Count | None:
        """How many actions the table must have before this change; `None` for any number."""
        return self.actions[0].seq - 1 if self.actions else self.expected_seq

    def table_columns(self) -> dict[str, Any]:
        """The columns of the stored table that this change writes: name -> value."""
        values = {name: getattr(self, name) for name in _NEVER_NULL}
        columns = {name: value for name, value in values.items() if value is not None}
        for name in _MAY_BE_NULL:
            if name in self.model_fields_set:
                columns[name] = getattr(self, name)
        return columns
