"""What a table is: a lobby, in which people sit down, or a game, which has a match.

All of it is immutable; `bot.live` replaces one state by the next after the commit. What a table
remembers beside the match stands in the small values of `bot.table.details`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

from bot.ids import ChannelId, GuildId, Revision, TableId, UserId
from bot.records import Count, SeatRecord, Status
from bot.table.details import (
    Credits,
    DealSecrets,
    Details,
    Invitations,
    KeptChoices,
    MessageIds,
    SeatNotes,
    Timers,
    With,
)
from bot.table.options import TableOptions
from bot.table.views import Situation, Views
from engine import WINDOWS, Match, Phase, Round, Seat, SeatSet, View
from players.levels import Level

WAITS_PER_ROUND = 2
"""How often a player may hold a bomb window open in one round."""
WAIT_SECONDS = 10
"""For how long they hold it open each time; nobody can hold the same window once more."""


ON_TURN = (Phase.LEAD, Phase.TURN, Phase.GIFT)
"""The phases in which one seat alone is waited for: it leads, plays or passes, or gives a trick."""
MISSED_BEFORE_GONE = 2
"""After this many missed turns in a row, a turn-based player no longer holds up votes or pauses.

Their next turn lasts as long as any.
"""


class Chair(BaseModel):
    """Who sits on a seat: a person, a computer player, or nobody (lobby only).

    A seat whose hand is played by somebody else, as Trichu's Table, has no chair.
    """

    model_config = ConfigDict(frozen=True)

    seat: Seat
    kind: Literal["person", "computer", "empty"] = "empty"
    user_id: UserId | None = None
    name: str = ""

    def record(self) -> SeatRecord:
        """The chair, on which somebody sits, as the store keeps it."""
        return SeatRecord.model_validate(self.model_dump())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableState:
    """What is known of every table, open or over, whatever is played there."""

    id: TableId
    """The number of the table; 0 before it is stored."""
    guild_id: GuildId
    """The server."""
    channel_id: ChannelId
    """The channel or thread in which the table stands."""
    parent_channel_id: ChannelId | None
    """The channel of that thread, if the thread was opened for tables."""
    host_id: UserId
    """The user who starts the match and may close the lobby."""
    status: Status
    """Whether it is a lobby, a match in play, or how it ended."""
    options: TableOptions
    """What was chosen when it was opened."""
    chairs: tuple[Chair, ...]
    """Who sits where, by seat."""
    created_at: datetime
    """When it was opened."""

    @property
    def running(self) -> bool:
        """Whether a match is being played."""
        return self.status == "playing"

    @property
    def open(self) -> bool:
        """Whether something can still be done at this table."""
        return self.status in ("lobby", "playing")

    def seat_of(self, user_id: UserId) -> Seat | None:
        """The seat of a person, `None` if they do not sit here."""
        for chair in self.chairs:
            if chair.user_id == user_id:
                return chair.seat
        return None

    def people(self) -> Iterator[Chair]:
        """The chairs that people sit on."""
        return (chair for chair in self.chairs if chair.kind == "person")

    def user_ids(self) -> list[UserId]:
        """The users who sit here, by seat."""
        return [chair.user_id for chair in self.chairs if chair.user_id is not None]

    def with_chair(self, chair: Chair) -> Self:
        """The same table with this chair in place of the one at that seat."""
        chairs = (*self.chairs[: chair.seat], chair, *self.chairs[chair.seat + 1 :])
        return replace(self, chairs=chairs)

    def seat_records(self) -> tuple[SeatRecord, ...]:
        """The chairs as the store keeps them; empty ones are left out."""
        return tuple(chair.record() for chair in self.chairs if chair.kind != "empty")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableWithDetails(TableState):
    """What a lobby and a game both remember."""

    revision: Revision = Revision(0)
    """What a button carries, so that one of an earlier state is known to be stale.

    A lobby counts its changes. In a game it is the number of the action that last changed what lies
    on the table.
    """
    timers: Timers = field(default_factory=Timers)
    """When the clock acts next."""
    messages: MessageIds = field(default_factory=MessageIds)
    """The public messages of the table."""
    deal: DealSecrets = field(default_factory=DealSecrets)
    """What the decks of this round and the next are made from; secret."""

    with_timers = With("timers", Timers)
    with_messages = With("messages", MessageIds)
    with_deal = With("deal", DealSecrets)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Lobby(TableWithDetails):
    """A table before its match: people come, go and change seats."""

    invitations: Invitations = field(default_factory=Invitations)
    """Who was invited."""

    with_invitations = With("invitations", Invitations)

    @property
    def yields(self) -> bool:
        """Whether another table may be opened in its channel: never."""
        return False

    @property
    def full(self) -> bool:
        """Whether somebody sits on every chair, be it a computer player."""
        return all(chair.kind != "empty" for chair in self.chairs)

    @property
    def room(self) -> int:
        """How many more people can sit down: computer players give way to them."""
        return sum(chair.kind != "person" for chair in self.chairs)

    def details(self) -> Details:
        """What is stored of it beside seats and options."""
        return Details(
            revision=self.revision,
            timers=self.timers,
            messages=self.messages,
            invitations=self.invitations if self.open else Invitations(),
            deal=self.deal,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game(TableWithDetails):
    """A table with a match on it, which is being played or has ended."""

    match: Match
    """The match; a round of it is always on the table."""
    seq: Count
    """The number of its stored actions."""
    last_round: bool = False
    """Whether the match ends, with a result, after this round (G27)."""
    kept: KeptChoices = field(default_factory=KeptChoices)
    """What players have chosen for later; secret."""
    notes: SeatNotes = field(default_factory=SeatNotes)
    """Who is away, has left or wants to stop; what seats did in this round."""
    credits: Credits = field(default_factory=Credits)
    """For whom the rounds and the match count."""
    _views: Views | None = field(default=None, compare=False)
    """What seats see of the match; `replace` hands it on, so that states of one match share it."""

    with_kept = With("kept", KeptChoices)
    with_notes = With("notes", SeatNotes)
    with_credits = With("credits", Credits)

    def __post_init__(self) -> None:
        if self._views is None or self._views.match is not self.match:
            object.__setattr__(self, "_views", Views(self.match))

    @property
    def views(self) -> Views:
        """What seats and spectators see of the match."""
        assert self._views is not None, "made with the game"
        return self._views

    def details(self) -> Details:
        """What is stored of it beside seats, options and actions."""
        return Details(
            revision=self.revision,
            last_round=self.last_round,
            timers=self.timers,
            kept=self.kept,
            notes=self.notes,
            messages=self.messages,
            credits=self.credits,
            deal=self.deal,
        )

    @property
    def round(self) -> Round:
        """The round on the table."""
        round_ = self.match.round
        assert round_ is not None, "a game begins with its first deal"
        return round_

    @property
    def phase(self) -> Phase:
        """The phase of the match."""
        return self.match.phase

    @property
    def between_rounds(self) -> bool:
        """Whether a round is over and the next one has not been dealt."""
        return self.running and self.phase is Phase.ROUND_END

    @property
    def gift_due(self) -> bool:
        """Whether the trick must be given away if nobody beats it: the Dragon is on top."""
        round_ = self.round
        if round_.top is None or not round_.top.is_dragon:
            return False
        return bool(self.match.variant.gift_receivers(round_, round_.top_seat))

    @property
    def window_open(self) -> bool:
        """Whether a bomb window is open, in which nobody is asked to withdraw a call first."""
        return self.round.phase in WINDOWS and not self.round.asked

    @property
    def next_on_turn(self) -> Seat | None:
        """The seat that is on turn when the open bomb window has closed quietly, if any is then.

        Not always the one that leads next: whoever goes out with a Dragon gives the trick away
        first.
        """
        quiet = self.views.after_window.match
        return quiet.round.turn if quiet.round is not None and quiet.phase in ON_TURN else None

    @property
    def window_keeper(self) -> Seat | None:
        """The seat of whoever may keep the bomb window open at turn-based pace, if anybody may.

        That is the next one on turn, or the next person after a computer player that is. Everybody
        may know: whether they have gone on already is not asked.
        """
        if not (self.options.turn_based and self.running and self.window_open):
            return None
        seat = self.next_on_turn
        return self._next_person() if seat is not None and self.computer(seat) else seat

    def _next_person(self) -> Seat | None:
        """The seat of the next person who can play on what lies there, unless it is their own.

        When all have passed there is none: each has had a turn in which they could bomb it. Nor is
        there if one person plays alone: nobody waits for the others.
        """
        round_ = self.round
        if round_.phase is not Phase.WINDOW or self.alone:
            return None
        for seat in round_.seating.after(round_.top_seat)[:-1]:
            if round_.active(seat) and not self.computer(seat):
                return seat
        return None

    @property
    def going_on(self) -> Seat | None:
        """The seat whose person keeps the bomb window open at turn-based pace, if any does.

        They do until they go on: with a move, a bomb of their own, by passing until the next trick,
        or in so many words.
        """
        seat, round_, kept = self.window_keeper, self.round, self.kept
        if seat is None or kept.gone_on == window_on_table(round_):
            return None
        bombs = seat in dict(round_.submitted)
        return None if bombs or seat in kept.premoves or seat in kept.auto_pass else seat

    @property
    def holder(self) -> Seat | None:
        """The chair whose person holds the bomb window that is open, if anybody does."""
        hold = self.notes.hold
        if hold is None or not self.window_open or hold.window != window_on_table(self.round):
            return None
        return hold.chair

    def situation(self, seat: Seat) -> Situation:
        """What this seat sees and may do."""
        return self.views.situation(seat)

    def as_played(self) -> Game:
        """The table with the seats as they were in the finished round; unchanged during play."""
        if self.phase not in (Phase.ROUND_END, Phase.MATCH_END):
            return self
        at = self
        for record in self.notes.played.values():
            at = at.with_chair(chair_of(record))
        return at

    # --- who decides for which seat ------------------------------------------------------------

    def decider(self, seat: Seat) -> Seat:
        """The chair of whoever decides for this seat: its own but for Trichu's Table (T8)."""
        return self.views.deciders[seat]

    def seats_of_chair(self, chair: Seat) -> tuple[Seat, ...]:
        """The seats that whoever sits on this chair decides for, their own first."""
        return self.views.seats_of_chairs[chair]

    def computer(self, seat: Seat) -> bool:
        """Whether a computer player decides for this seat: its own, or one for who is away."""
        return self.chairs[self.decider(seat)].kind == "computer" or self.away(seat)

    def away(self, seat: Seat) -> bool:
        """Whether whoever decides for this seat is away."""
        return self.decider(seat) in self.notes.away

    def gone(self, chair: Seat) -> bool:
        """Whether the person on this chair is away, or misses every turn at turn-based pace."""
        notes = self.notes
        return chair in notes.away or notes.missed.get(chair, 0) >= MISSED_BEFORE_GONE

    @property
    def deserted(self) -> bool:
        """Whether nobody who sits at this table is there."""
        return all(self.gone(chair.seat) for chair in self.people())

    @property
    def alone(self) -> bool:
        """Whether one person plays with computer players only: nobody waits for them."""
        return sum(1 for _ in self.people()) == 1

    @property
    def yields(self) -> bool:
        """Whether another table may be opened in its channel: it is paused and nobody is there.

        Who plays alone and pauses is taken to be gone.
        """
        return self.running and self.timers.paused and (self.alone or self.deserted)

    @property
    def resumes(self) -> bool:
        """Whether it was paused automatically, so that any action of its people lifts the pause.

        A turn-based table pauses when all its people are gone, or when its thread is lost.
        """
        nobody_asked = self.options.turn_based or (self.alone and not self.between_rounds)
        return self.running and self.timers.paused and nobody_asked

    @property
    def awaited_seats(self) -> tuple[Seat, ...]:
        """The seats that have to do something before play can go on.

        While a bomb window is open these are none; at turn-based pace, whoever has to go on.
        """
        going_on = self.going_on
        return seats_waited_for(self.match) if going_on is None else (going_on,)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The chairs of people who have to do something before play can go on."""
        seats = (seat for seat in self.awaited_seats if not self.computer(seat))
        return tuple(sorted(set(map(self.decider, seats))))

    @property
    def readiness(self) -> tuple[Count, Count]:
        """How many people are ready for the next round, and how many are there."""
        there = [chair.user_id for chair in self.people() if chair.seat not in self.notes.away]
        return sum(user in self.notes.ready for user in there), len(there)

    @property
    def all_ready(self) -> bool:
        """Whether nobody who is there needs the break between two rounds."""
        count, there = self.readiness
        return 0 < there == count

    def stands_in(self, seat: Seat) -> bool:
        """Whether a computer player that decides for this seat does so in a person's place."""
        return self.chairs[self.decider(seat)].kind == "person"

    def level(self, seat: Seat) -> Level:
        """How well a computer player plays for this seat; in a person's place as a Novice."""
        return "novice" if self.stands_in(seat) else self.options.computers


def begun(lobby: Lobby, match: Match, ratings: Mapping[UserId, int], notes: SeatNotes) -> Game:
    """The game that a lobby becomes with its first deal; `ratings` are those of now, by user."""
    known = _known(lobby) | {"status": "playing"}
    credits_ = Credits(ratings=dict(ratings))
    return Game(
        **known,
        match=match,
        seq=0,
        messages=lobby.messages,
        deal=lobby.deal,
        notes=notes,
        credits=credits_,
    )


def past_game(table: TableState, match: Match) -> Game:
    """A position of a match that is looked back at: its details are not known any more."""
    return Game(**_known(table), match=match, seq=0)


def _known(table: TableState) -> dict[str, Any]:
    """What is known of every table, by name of the field."""
    return {field_.name: getattr(table, field_.name) for field_ in fields(TableState)}


def chair_of(record: SeatRecord) -> Chair:
    """The chair that the store has kept in this form."""
    return Chair.model_validate(record.model_dump())


OpenTable = Lobby | Game
"""A table as `bot.live` holds it."""


def play_to_beat(shown: View | Round) -> str:
    """Which play lies on the table, as text for a button: round, trick, number in the trick."""
    laid = sum(step.combination is not None for step in shown.trick)
    return f"{trick_on_table(shown)}.{laid}"


def window_on_table(round_: Round) -> str:
    """Which bomb window is open: the one after a play, or the last one before a trick is taken."""
    return f"{play_to_beat(round_)}.{round_.phase.value}"


def trick_on_table(shown: View | Round) -> str:
    """Which trick is being played, as text for a button: round, number of tricks before it."""
    return f"{shown.number}.{len(shown.past)}"


def seats_waited_for(match: Match) -> tuple[Seat, ...]:
    """The seats that have to do something before play can go on (not: bomb windows)."""
    round_ = match.round
    if round_ is None:
        return ()
    if round_.asked:
        return _seats(round_.asked)
    if round_.phase in (Phase.ROUND_END, Phase.WINDOW, Phase.CLOSING):
        return ()
    seats = range(len(round_.hands))
    if round_.phase is Phase.GRAND:
        return tuple(seat for seat in seats if round_.opening.answers[seat] is None)
    if round_.phase is Phase.EXCHANGE:
        return tuple(seat for seat in seats if round_.opening.given[seat] is None)
    return (round_.turn,)


def _seats(bits: SeatSet) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)
