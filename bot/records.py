"""Records read and written by the store: immutable and validated on creation.

Times are aware datetimes. Options, round results and details of a table are JSON text that the
store does not parse. No `repr` and no error contains an action's text, details or a result. Records
of ratings, leaderboards and careers are defined in `bot.score_records`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, Self, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from bot.ids import ChannelId, GuildId, MessageId, RoleId, TableId, UserId

Status: TypeAlias = Literal["lobby", "playing", "finished", "stopped", "expired"]
Kind: TypeAlias = Literal["person", "computer"]
MatchEnd: TypeAlias = Literal["finished", "stopped"]
"""End of a match: by its options, or earlier."""
Call: TypeAlias = Literal["tichu", "grand"]
Level: TypeAlias = Literal["novice", "regular", "expert"]
Sorting: TypeAlias = Literal["dog_first", "rank_high_first", "combination"]
"""Order in which a person's hand is sorted.

``dog_first`` is Dog, Mah Jong, 2 to A, Phoenix, Dragon; ``rank_high_first`` is the reverse;
``combination`` groups cards that can be played together.
"""
CardStyle: TypeAlias = Literal["picture", "emojis", "text"]
"""Way of showing hands to their players.

``picture`` is a picture of the hand, and of the table while something is asked; other cards are
emojis. With ``text`` all cards are text, such as 8♠.
"""
NudgeWay: TypeAlias = Literal["mention", "direct", "none"]
"""Way in which a person is nudged on their turn.

``mention`` is a mention in the channel, ``direct`` a direct message, ``none`` not at all.
"""

LARGEST_NUMBER = 2**31 - 1
"""Upper bound of all numbers of tables, rounds, actions and seats, and of all counts."""

_SNOWFLAKE = Field(ge=0, lt=2**63)
"""Range of a Discord id, for the ids of `bot.ids`."""
_SNOWFLAKE_OR_OTHER = Field(gt=-(2**63), lt=2**63)
"""Range of Discord ids and of negative numbers that are none; see `bot.ids`."""
_UserId: TypeAlias = Annotated[UserId, _SNOWFLAKE_OR_OTHER]
_GuildId: TypeAlias = Annotated[GuildId, _SNOWFLAKE_OR_OTHER]
_ChannelId: TypeAlias = Annotated[ChannelId, _SNOWFLAKE]
_MessageId: TypeAlias = Annotated[MessageId, _SNOWFLAKE]
_RoleId: TypeAlias = Annotated[RoleId, _SNOWFLAKE]
_Language: TypeAlias = Annotated[str, Field(pattern=r"^[a-z]{2,3}([_-][A-Za-z0-9]{2,4})*$")]
"""A language code of the bot or Discord: de, pt_BR, es-419."""

Seat: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A seat of a table, from 0."""
CLOCK = -1
"""Acting seat of timers."""
ActingSeat: TypeAlias = Annotated[int, Field(ge=CLOCK, le=LARGEST_NUMBER)]
"""Seat that took an action, or CLOCK."""
Column: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A score column, from 0: a team, or a person where each plays alone."""
Seq: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""Number of an action of a table, from 1."""
RoundNumber: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""Number of a round of a match, from 1."""

Count: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""A number of things."""
Ordinal: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_NUMBER)]
"""A position in an order, from 1."""
Points: TypeAlias = Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
"""Points of a round or of a match; may be negative."""
Minute: TypeAlias = Annotated[int, Field(ge=0, lt=24 * 60)]
"""A time of the day, in minutes since midnight."""
Secret: TypeAlias = Annotated[str, Field(repr=False)]
"""Text that no `repr` shows."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class SeatRecord(_Record):
    """Occupant of a seat; `user_id` is None for a computer player."""

    seat: Seat
    user_id: _UserId | None = None
    name: str
    kind: Kind


class SeatChangeRecord(SeatRecord):
    """Occupant of a seat from the action `seq` until its next change."""

    seq: Seq


class ActionRecord(_Record):
    """The `seq`-th action (1, 2, 3 ...) of a table, in text notation.

    `seat` is CLOCK (-1) for a timer; `actor_id` is the person behind the action, if any.
    """

    seq: Seq
    round: Count
    seat: ActingSeat
    actor_id: _UserId | None = None
    text: Secret
    at: AwareDatetime


class RoundScore(_Record):
    """Score of one column in a round, and its total."""

    column: Column
    card_points: Points | None = None
    score: Points
    total: Points


class RoundSeat(_Record):
    """Result of one seat in a round."""

    seat: Seat
    """The seat, from 0."""
    user_id: _UserId | None = None
    """Person on the seat at the end of the round; `None` for a computer player."""
    kind: Kind
    """Kind of the player on the seat at the end of the round."""
    column: Column
    """Score column of the seat."""
    place: Ordinal | None = None
    """Place in the order of going out, from 1; `None` if the seat did not go out."""
    call: Call | None = None
    """Call of this seat, if any."""
    call_made: bool | None = None
    """True if the call was made; `None` without one."""
    counts_for: _UserId | None = None
    """Person credited with the round (`bot.table.attribution`); `None`: nobody."""
    turns: Count | None = None
    """Number of turns of the seat; `None` if they were not counted."""
    own_turns: Count | None = None
    """Number of turns taken by the person who took most of them; `None` as for `turns`."""
    margin: Points | None = None
    """Lead of the seat's side over its opponents, in hundredths.

    With points, it is the score of the side minus the mean score of the opponents, in hundredths of
    a point. In a game of places, it is the share of the other players who went out later, in
    hundredths of a percent.
    """
    sweep: bool = False
    """True if the seat's team won a double (Tientsin: triple) victory."""
    bombs: Count = 0
    """Number of bombs that the seat threw."""
    level: Level | None = None
    """Level of the computer player on the seat; `None` for a person."""


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
    """Final total of one score column."""

    column: Column
    total: Points
    won: bool


class MatchSeat(_Record):
    """Occupant and result of a seat at the end of a match.

    `counts_for` is the person credited with the match. They are credited with at least half of the
    seat's rounds.
    """

    seat: Seat
    user_id: _UserId | None = None
    name: str
    kind: Kind
    column: Column
    won: bool
    counts_for: _UserId | None = None


class MatchRecord(_Record):
    """A match that has ended or was stopped; `rounds` is the number of finished rounds."""

    variant: str
    ended_at: AwareDatetime
    reason: MatchEnd
    rounds: Count
    rated: bool = True
    scores: tuple[MatchScore, ...]
    seats: tuple[MatchSeat, ...]


class PersonalSettings(_Record):
    """Settings of a person for their own game, from `/tichu settings`."""

    cards: CardStyle | None = None
    """Way of showing their hand and cards; `None`: as in the server."""
    sorting: Sorting = "dog_first"
    """Order of the cards in their hand."""
    auto_pass: bool = True
    """True to pass automatically if they cannot beat the play and hold no bomb."""
    more_time: bool = False
    """True for longer turn limits."""
    nudge_way: NudgeWay = "mention"
    """Way of nudging them on their turn."""
    invitations: bool = True
    """True if others may invite them to a table."""
    zone: str = "UTC"
    """Name of their time zone, such as Europe/Berlin, in which `quiet` is given."""
    language: _Language | None = None
    """Language of private messages; `None`: that of their Discord client."""
    seen_language: _Language | None = None
    """Language of their Discord client when last seen, used for direct messages.

    It is stored only for people who want direct messages or the reminder.
    """
    quiet: tuple[Minute, Minute] | None = None
    """Begin and end of the hours without nudges; `None`: none.

    Both are times of the day in their zone, and differ: (1320, 420) is from 22:00 to 7:00.
    """
    accuracy: bool = False
    """True if their profile shows how much their decisions cost, from their reviews."""
    accuracy_compared: bool = False
    """True if others on their servers may see their accuracy, in comparisons."""
    daily_reminder: Minute | None = None
    """Time of the day in their zone for the reminder of the deal of the day; `None`: none."""
    reminder_refused: bool = False
    """True if the reminder was turned off because Discord refused a direct message."""

    @property
    def direct_messages(self) -> bool:
        """True if they want messages that need `seen_language`."""
        return self.nudge_way == "direct" or self.daily_reminder is not None

    @model_validator(mode="after")
    def _quiet_hours_have_a_length(self) -> Self:
        if self.quiet is not None and self.quiet[0] == self.quiet[1]:
            raise ValueError("quiet hours begin and end at the same time")
        return self


class ServerSettings(_Record):
    """Settings of a server, set by managers in `/tichu settings`.

    The channel of the monthly ranking is stored separately (`bot.storage.rankings`).
    """

    channels: tuple[_ChannelId, ...] = ()
    """Channels where tables may be opened, including their threads; empty: all."""
    defaults: Mapping[str, str] = Field(default_factory=dict)
    """Defaults of `/tichu new` by option.

    Options and values are those that `TableOptions.changed` takes.
    """
    computers: Annotated[int, Field(ge=0, le=11)] = 0
    """Default number of computer players at a new table."""
    threads: bool = False
    """True if a new table gets a thread of its own by default."""
    pictures: bool = True
    """True if pictures of tables, hands and scores are shown, not only text."""
    cards: CardStyle = "picture"
    """Way of showing hands to people who have not chosen any."""
    hints: bool = True
    """True if a table may have hints."""
    opener_role_id: _RoleId | None = None
    """Role that may open tables; `None`: everybody."""
    tables_each: Annotated[int, Field(ge=1, le=100)] | None = None
    """Largest number of open tables of a person; `None`: the bot's limit.

    Turn-based tables are counted separately. The bot's own limit always applies.
    """
    turn_based_each: Annotated[int, Field(ge=0, le=100)] = 10
    """Largest number of open turn-based tables of a person."""
    invitation_role_id: _RoleId | None = None
    """Role that may be invited with one mention, if any."""
    invitation_cooldown_s: Annotated[int, Field(ge=0, le=7 * 86400)] = 3600
    """Smallest number of seconds between two mentions of that role."""
    nudge_s: Annotated[int, Field(ge=10, le=600)] | None = None
    """Seconds before awaited people are nudged; `None`: derived from the turn limit."""
    language: _Language | None = None
    """Language of public messages; `None`: that of the server in Discord."""


class LessonProgress(_Record):
    """Progress of a person in one lesson of Learn Tichu."""

    step: Count = 0
    """Current step, from 0; 0 after the end of the lesson."""
    done: bool = False
    """True if they have reached its end."""


class ReviewRecord(_Record):
    """A review of a round for a person; `body` is JSON text (`bot.coach.stored_review`).

    It names no person, but cards and actions.
    """

    table_id: TableId
    number: RoundNumber
    seat: Seat
    user_id: _UserId
    version: Count
    made_at: AwareDatetime
    body: Secret


class JudgedRound(_Record):
    """A reviewed round of a person; `body` is that of its `ReviewRecord`."""

    user_id: _UserId
    ended_at: AwareDatetime
    body: Secret


class OutboxEntry(_Record):
    """A message of a table to be delivered to Discord, stored until then.

    `number` is its position among the messages of its table. `data` is JSON text that the store
    does not parse (`bot.table.posts`); it never names a hidden card. Every attempt to send the
    message uses the same `nonce` (at most 25 characters), so that Discord posts it only once.
    """

    number: Ordinal
    kind: str
    data: Secret
    nonce: Annotated[str, Field(min_length=1, max_length=25)]
    created_at: AwareDatetime


class Fence(NamedTuple):
    """Fencing token of the lease under which a row was read; see `bot.storage.leases`.

    Writes are allowed only under the same lease.
    """

    name: str
    """Name of the lease."""
    token: int
    """Token, which increases with each owner of the lease."""


class _Table(_Record):
    guild_id: _GuildId
    """Server of the table."""
    channel_id: _ChannelId
    """Channel or thread of the table."""
    parent_channel_id: _ChannelId | None = None
    """Channel of a thread that the bot opened for the table; `None` otherwise."""
    host_id: _UserId
    """The host, who opened the table or succeeded its opener."""
    options: str = "{}"
    """Options of the table, as JSON."""
    details: Secret = "{}"
    """Details of the table beside its actions, as JSON."""
    lobby_message_id: _MessageId | None = None
    """Id of the lobby message, while there is one."""
    table_message_id: _MessageId | None = None
    """Id of the table message, while there is one."""
    created_at: AwareDatetime
    """Time when the table was opened."""
    holds_channel: bool = True
    """True if its channel is closed to other tables."""
    seats: tuple[SeatRecord, ...] = ()
    """Occupied seats."""


class NewTable(_Table):
    """A table to be created."""

    status: Literal["lobby", "playing"] = "lobby"
    """`lobby`: waits for people. `playing`: a match is running."""
    outbox: tuple[OutboxEntry, ...] = ()
    """Messages about it to be delivered to Discord."""
    fence: Fence | None = None
    """Lease that the writer must hold; `None`: none."""


class TableRecord(_Table):
    """A stored table with its current seats."""

    id: TableId
    """Id of the table."""
    seq: Count
    """Number of its actions, which is also the number of the last action."""
    version: Count
    """Number of its changes; see `Change.expected_version`."""
    status: Status
    """Status: lobby, playing, or how it ended."""
    ended_at: AwareDatetime | None
    """Time of its end; `None` while it is open."""


_NEVER_NULL = ("status", "options", "details", "host_id", "channel_id", "holds_channel")
"""Fields of a `Change` whose column is never null; `None` leaves it unchanged."""
_MAY_BE_NULL = ("parent_channel_id", "lobby_message_id", "table_message_id", "ended_at")
"""Fields whose column may be null.

`None` clears it, and a missing field leaves it unchanged.
"""


class Change(_Record):
    """All writes of one commit to a table; every part is optional.

    Missing fields stay unchanged. Message ids, `parent_channel_id` and `ended_at` are cleared if
    they are given as `None`.
    """

    expected_seq: Count | None = None
    """Number of actions stored already; follows from `actions`, if there are any."""
    expected_version: Count | None = None
    """Version that the table must have, to detect concurrent writes; `None`: any.

    Each change increments the version, unless it only deletes or rewrites outbox messages and has
    no expected version. So the first change by a process that has taken over a table shuts out the
    previous process.
    """
    fence: Fence | None = None
    """Lease that the writer must hold; `None`: none."""
    actions: tuple[ActionRecord, ...] = ()
    """New actions, numbered without a gap after the stored ones."""
    status: Status | None = None
    """Status: lobby, playing, or how it ended."""
    options: str | None = None
    """Options of the table, as JSON."""
    details: Annotated[str | None, Field(repr=False)] = None
    """Details of the table beside its actions, as JSON."""
    seats: tuple[SeatRecord, ...] | None = None
    """All seats; they replace the stored ones."""
    host_id: _UserId | None = None
    """New host."""
    channel_id: _ChannelId | None = None
    """New channel or thread of the table."""
    parent_channel_id: _ChannelId | None = None
    """Channel of a thread that the bot opened for the table."""
    holds_channel: bool | None = None
    """True if its channel is closed to other tables."""
    lobby_message_id: _MessageId | None = None
    """Id of the lobby message."""
    table_message_id: _MessageId | None = None
    """Id of the table message."""
    ended_at: AwareDatetime | None = None
    """Time of the end of the table."""
    round: RoundRecord | None = None
    """Round that the last of these actions ended, if any."""
    match: MatchRecord | None = None
    """The match, if it ends with this change."""
    outbox: tuple[OutboxEntry, ...] = ()
    """Messages caused by this change, to be added to the outbox."""
    rewritten: Annotated[dict[Ordinal, str], Field(repr=False)] = {}
    """New data of messages in the outbox, by number."""
    delivered: tuple[Ordinal, ...] = ()
    """Numbers of messages to be removed from the outbox."""

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
        """Number of actions that the table must have before this change; `None`: any."""
        return self.actions[0].seq - 1 if self.actions else self.expected_seq

    def table_columns(self) -> dict[str, Any]:
        """Return the columns of the stored table to write, by name."""
        values = {name: getattr(self, name) for name in _NEVER_NULL}
        columns = {name: value for name, value in values.items() if value is not None}
        for name in _MAY_BE_NULL:
            if name in self.model_fields_set:
                columns[name] = getattr(self, name)
        return columns
