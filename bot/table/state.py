"""Immutable states of a table: lobby, and game with a match.

`bot.live` replaces one state by the next after the commit. The values that a table stores beside
its match are defined in `bot.table.details`.
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
    Speed,
    Timers,
    Updater,
)
from bot.table.options import TableOptions
from bot.table.views import Situation, Views
from engine import WINDOW_PHASES, Match, Phase, Round, Seat, SeatSet, View
from players.levels import Level

WAITS_PER_ROUND = 2
"""Number of bomb windows that a player may hold open in one round."""
WAIT_SECONDS = 10
"""Seconds for which a player can hold a bomb window open, each window once."""

ON_TURN = (Phase.LEAD, Phase.TURN, Phase.GIFT)
"""Phases in which one seat must lead, must play or pass, or must give a trick away."""
MISSED_BEFORE_GONE = 2
"""Number of missed turns in a row after which a turn-based player counts as gone.

Votes and pauses do not wait for a player who is gone. Their next turn is not shortened.
"""


class Chair(BaseModel):
    """Occupant of a seat: a person, a computer player, or nobody (lobby only).

    A seat whose hand is played by another player, as at Trichu's Table, has no chair.
    """

    model_config = ConfigDict(frozen=True)

    seat: Seat
    kind: Literal["person", "computer", "empty"] = "empty"
    user_id: UserId | None = None
    name: str = ""

    def record(self) -> SeatRecord:
        """Return the stored form of this chair, which must not be empty."""
        return SeatRecord.model_validate(self.model_dump())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableState:
    """Data of every table, whether open or over."""

    id: TableId
    """Id of the table; 0 before it is stored."""
    guild_id: GuildId
    """Server of the table."""
    channel_id: ChannelId
    """Channel or thread of the table."""
    parent_channel_id: ChannelId | None
    """Channel of the table's thread, if the bot opened that thread for tables."""
    host_id: UserId
    """User who starts the match and may close the lobby."""
    status: Status
    """Status of the table: lobby, match in play, or how it ended."""
    options: TableOptions
    """Options chosen when the table was opened."""
    chairs: tuple[Chair, ...]
    """Chairs by seat."""
    created_at: datetime
    """Time when the table was opened."""

    @property
    def running(self) -> bool:
        """Return whether a match is being played."""
        return self.status == "playing"

    @property
    def open(self) -> bool:
        """Return whether players can still act at this table."""
        return self.status in ("lobby", "playing")

    def seat_of(self, user_id: UserId) -> Seat | None:
        """Return the seat of a person, or `None` if they do not sit here."""
        for chair in self.chairs:
            if chair.user_id == user_id:
                return chair.seat
        return None

    def people(self) -> Iterator[Chair]:
        """Return the chairs of people."""
        return (chair for chair in self.chairs if chair.kind == "person")

    def user_ids(self) -> list[UserId]:
        """Return the users who sit here, by seat."""
        return [chair.user_id for chair in self.chairs if chair.user_id is not None]

    def with_chair(self, chair: Chair) -> Self:
        """Return a copy with this chair at its seat."""
        chairs = (*self.chairs[: chair.seat], chair, *self.chairs[chair.seat + 1 :])
        return replace(self, chairs=chairs)

    def seat_records(self) -> tuple[SeatRecord, ...]:
        """Return the stored form of the chairs, without empty ones."""
        return tuple(chair.record() for chair in self.chairs if chair.kind != "empty")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableWithDetails(TableState):
    """Data that lobbies and games have in common."""

    revision: Revision = Revision(0)
    """Revision carried by buttons, to detect stale ones.

    A lobby counts its changes. In a game it is the number of the action that last changed the cards
    on the table.
    """
    timers: Timers = field(default_factory=Timers)
    """Deadlines of the table."""
    messages: MessageIds = field(default_factory=MessageIds)
    """Public messages of the table."""
    deal: DealSecrets = field(default_factory=DealSecrets)
    """Secrets from which the decks of this round and the next are made."""

    invitations: Invitations = field(default_factory=Invitations)
    """Invitations to the lobby, and the people of an event."""

    with_timers = Updater("timers", Timers)
    with_messages = Updater("messages", MessageIds)
    with_deal = Updater("deal", DealSecrets)
    with_invitations = Updater("invitations", Invitations)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Lobby(TableWithDetails):
    """A table before its match, where people come, go and change seats."""

    @property
    def yields(self) -> bool:
        """Return False, because a lobby never yields its channel."""
        return False

    @property
    def full(self) -> bool:
        """Return whether every chair has a person or a computer player."""
        return all(chair.kind != "empty" for chair in self.chairs)

    @property
    def room(self) -> int:
        """Number of people who can still sit down, on empty chairs or instead of computers."""
        return sum(chair.kind != "person" for chair in self.chairs)

    def details(self) -> Details:
        """Return the details to be stored beside seats and options."""
        return Details(
            revision=self.revision,
            timers=self.timers,
            messages=self.messages,
            invitations=self.invitations,
            deal=self.deal,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Game(TableWithDetails):
    """A table with a match, which is being played or has ended."""

    match: Match
    """The match; it always has a round."""
    seq: Count
    """Number of its stored actions."""
    last_round: bool = False
    """True if the match ends, with a result, after this round (G27)."""
    kept: KeptChoices = field(default_factory=KeptChoices)
    """Choices that players have made in advance; secret."""
    notes: SeatNotes = field(default_factory=SeatNotes)
    """Notes about seats and the people on them: absences, offers, votes."""
    credits: Credits = field(default_factory=Credits)
    """Credits of players for rounds and the match."""
    _views: Views | None = field(default=None, compare=False)
    """Cache of the views, shared by states of one match."""

    with_kept = Updater("kept", KeptChoices)
    with_notes = Updater("notes", SeatNotes)
    with_credits = Updater("credits", Credits)

    def __post_init__(self) -> None:
        if self._views is None or self._views.match is not self.match:
            object.__setattr__(self, "_views", Views(self.match))

    @property
    def views(self) -> Views:
        """Views of the match for seats and spectators."""
        assert self._views is not None, "made with the game"
        return self._views

    def details(self) -> Details:
        """Return the details to be stored beside seats, options and actions."""
        return Details(
            revision=self.revision,
            last_round=self.last_round,
            timers=self.timers,
            kept=self.kept,
            notes=self.notes,
            messages=self.messages,
            invitations=self.invitations,
            credits=self.credits,
            deal=self.deal,
        )

    @property
    def round(self) -> Round:
        """The current round, also after its end until the next deal."""
        round_ = self.match.round
        assert round_ is not None, "a game begins with its first deal"
        return round_

    @property
    def phase(self) -> Phase:
        """The phase of the match."""
        return self.match.phase

    @property
    def between_rounds(self) -> bool:
        """Return whether the game is between two rounds."""
        return self.running and self.phase is Phase.ROUND_END

    @property
    def gift_due(self) -> bool:
        """Return whether the trick must be given away because the Dragon is winning it."""
        round_ = self.round
        if round_.top is None or not round_.top.is_dragon:
            return False
        return bool(self.match.variant.gift_receivers(round_, round_.top_seat))

    @property
    def window_open(self) -> bool:
        """Return whether a bomb window is open, without a pending withdrawal."""
        return self.round.phase in WINDOW_PHASES and not self.round.asked

    @property
    def next_on_turn(self) -> Seat | None:
        """Seat on turn after the bomb window if nobody bombs.

        It is not always the next leader: a player who goes out with the Dragon gives the trick away
        first.
        """
        without_bombs = self.views.after_window.match
        if without_bombs.round is None or without_bombs.phase not in ON_TURN:
            return None
        return without_bombs.round.turn

    @property
    def window_keeper(self) -> Seat | None:
        """Seat that may keep the bomb window open at turn-based pace, if any.

        It is the seat of the next person on turn, even if computer players move before them. The
        value is public, because it does not depend on whether the person has gone on already.
        """
        if not (self.options.turn_based and self.running and self.window_open):
            return None
        seat = self.next_on_turn
        return self._next_person() if seat is not None and self.computer(seat) else seat

    def _next_person(self) -> Seat | None:
        """Return the seat of the next person after the top play, or `None` without one.

        Also return `None` in the closing window, because everybody has passed and could have bombed
        in their turn, and if one person plays alone, because nobody else would wait for them.
        """
        round_ = self.round
        if round_.phase is not Phase.WINDOW or self.alone:
            return None
        for seat in round_.seating.after(round_.top_seat)[:-1]:  # the last is the top seat itself
            if round_.has_cards(seat) and not self.computer(seat):
                return seat
        return None

    @property
    def awaited_in_window(self) -> Seat | None:
        """Seat whose person keeps the bomb window open at turn-based pace, if any.

        They end the window with a move, a bomb of their own, automatic passes until the next trick,
        or the button to go on.
        """
        seat, round_, kept = self.window_keeper, self.round, self.kept
        if seat is None or kept.gone_on == window_id(round_):
            return None
        has_bombed = seat in dict(round_.submitted)
        has_moved = seat in kept.premoves or seat in kept.auto_pass
        return None if has_bombed or has_moved else seat

    @property
    def holder(self) -> Seat | None:
        """Chair whose person holds the current bomb window open, if any."""
        hold = self.notes.hold
        if hold is None or not self.window_open or hold.window != window_id(self.round):
            return None
        return hold.chair

    def situation(self, seat: Seat) -> Situation:
        """Return the view and the legal actions of this seat."""
        return self.views.situation(seat)

    def with_round_players(self) -> Game:
        """Return the game with the players of the finished round on their chairs.

        During a round it is unchanged.
        """
        if self.phase not in (Phase.ROUND_END, Phase.MATCH_END):
            return self
        game = self
        for record in self.notes.played.values():
            game = game.with_chair(chair_of(record))
        return game

    # --- deciders of seats -----------------------------------------------------------------------

    def decider(self, seat: Seat) -> Seat:
        """Return the chair that decides for this seat: its own, except at Trichu's Table (T8)."""
        return self.views.deciders[seat]

    def seats_of_chair(self, chair: Seat) -> tuple[Seat, ...]:
        """Return the seats that this chair decides for, its own first."""
        return self.views.seats_of_chairs[chair]

    def computer(self, seat: Seat) -> bool:
        """Return whether a computer decides for this seat, also in place of an absent person."""
        return self.chairs[self.decider(seat)].kind == "computer" or self.away(seat)

    def away(self, seat: Seat) -> bool:
        """Return whether the player who decides for this seat is away."""
        return self.decider(seat) in self.notes.away

    def gone(self, chair: Seat) -> bool:
        """Return whether this chair's person is away or keeps missing turns (turn-based)."""
        notes = self.notes
        return chair in notes.away or notes.missed.get(chair, 0) >= MISSED_BEFORE_GONE

    @property
    def deserted(self) -> bool:
        """Return whether all people at this table are gone."""
        return all(self.gone(chair.seat) for chair in self.people())

    @property
    def alone(self) -> bool:
        """Return whether one person plays with computer players only, without a turn limit."""
        return sum(1 for _ in self.people()) == 1

    @property
    def speed(self) -> Speed:
        """Speed of its computers; a person who plays alone with them chooses it."""
        return (self.alone and self.timers.computers) or self.options.pace

    @property
    def yields(self) -> bool:
        """Return whether this table yields its channel to another one.

        It does if it is paused and all its people are gone. A person who plays alone and pauses
        counts as gone.
        """
        return self.running and self.timers.paused and (self.alone or self.deserted)

    @property
    def resumes(self) -> bool:
        """Return whether any click of its people ends the pause, because it was automatic.

        A turn-based table always pauses automatically. At live pace only the table of a person who
        plays alone does so within a round.
        """
        automatic = self.options.turn_based or (self.alone and not self.between_rounds)
        return self.running and self.timers.paused and automatic

    @property
    def awaited_seats(self) -> tuple[Seat, ...]:
        """Seats that must act before play can go on.

        In a bomb window nobody must act at live pace, and only `awaited_in_window`, if any, at
        turn-based pace.
        """
        in_window = self.awaited_in_window
        return seats_to_act(self.match) if in_window is None else (in_window,)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Chairs of people who must act before play can go on."""
        seats = (seat for seat in self.awaited_seats if not self.computer(seat))
        return tuple(sorted(set(map(self.decider, seats))))

    @property
    def readiness(self) -> tuple[Count, Count]:
        """Numbers of people ready for the next round, and of people present."""
        present = [chair.user_id for chair in self.people() if chair.seat not in self.notes.away]
        return sum(user in self.notes.ready for user in present), len(present)

    @property
    def all_ready(self) -> bool:
        """Return whether everybody present is ready for the next round."""
        ready, present = self.readiness
        return 0 < present == ready

    def is_persons_seat(self, seat: Seat) -> bool:
        """Return whether a person owns this seat; a computer player is only a substitute."""
        return self.chairs[self.decider(seat)].kind == "person"

    def level(self, seat: Seat) -> Level:
        """Return the level of the computer player for this seat; substitutes are Novices."""
        return "novice" if self.is_persons_seat(seat) else self.options.computers


def begin_game(lobby: Lobby, match: Match, ratings: Mapping[UserId, int], notes: SeatNotes) -> Game:
    """Return the game that starts from a lobby with its first deal.

    `ratings` are the current ratings by user.
    """
    credits_ = Credits(ratings=dict(ratings))
    return Game(
        **shared_fields(lobby) | {"status": "playing"},
        match=match,
        seq=0,
        messages=lobby.messages,
        deal=lobby.deal,
        invitations=Invitations(entrants=lobby.invitations.entrants, sides=lobby.invitations.sides),
        notes=notes,
        credits=credits_,
    )


def past_game(table: TableState, match: Match) -> Game:
    """Return a position of a past match; its details are not stored."""
    return Game(**shared_fields(table), match=match, seq=0)


def shared_fields(table: TableState) -> dict[str, Any]:
    """Return the fields of `TableState` by name."""
    return {field_.name: getattr(table, field_.name) for field_ in fields(TableState)}


def chair_of(record: SeatRecord) -> Chair:
    """Return the chair of a stored record."""
    return Chair.model_validate(record.model_dump())


OpenTable = Lobby | Game
"""A table as `bot.live` holds it."""


def play_to_beat_id(position: View | Round) -> str:
    """Return the id of the play to beat: round, trick, number of plays in the trick."""
    plays = sum(step.combination is not None for step in position.trick)
    return f"{trick_id(position)}.{plays}"


def window_id(round_: Round) -> str:
    """Return the id of the current bomb window, after a play or before a trick is gathered."""
    return f"{play_to_beat_id(round_)}.{round_.phase.value}"


def trick_id(position: View | Round) -> str:
    """Return the id of the current trick: round, number of earlier tricks."""
    return f"{position.number}.{len(position.past)}"


def seats_to_act(match: Match) -> tuple[Seat, ...]:
    """Return the seats that must act before the match can go on, none in a bomb window."""
    round_ = match.round
    if round_ is None:
        return ()
    if round_.asked:
        return _seats_in(round_.asked)
    if round_.phase in (Phase.ROUND_END, Phase.WINDOW, Phase.CLOSING):
        return ()
    seats = range(len(round_.hands))
    if round_.phase is Phase.GRAND:
        return tuple(seat for seat in seats if round_.opening.answers[seat] is None)
    if round_.phase is Phase.EXCHANGE:
        return tuple(seat for seat in seats if round_.opening.given[seat] is None)
    return (round_.turn,)


def _seats_in(seats: SeatSet) -> tuple[Seat, ...]:
    """Return the seats of a set in which bit `n` stands for seat `n`."""
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)
