"""What a table is: options, chairs, the desk (small live bookkeeping), and its state as a whole.

All of it is immutable; `bot.live.service` replaces one state by the next after the commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.records import SeatRecord
from engine.options import Options
from engine.state import Match, Phase, Round
from engine.variants import VARIANTS, Variant
from engine.view import View
from players.levels import Level

Deadline = Literal["lobby", "window", "turn", "nudge", "think", "next_round", "abandoned"]
Status = Literal["lobby", "playing", "finished", "stopped", "expired"]

WAITS_PER_ROUND = 2
"""How often a player may hold a bomb window open in one round."""
WAIT_SECONDS = 10
_SECRET = r"^([0-9a-f]{64})?$"


class TableOptions(BaseModel):
    """Everything that is chosen with ``/tichu new`` and fixed when the match starts.

    `turn_limit_s` and `nudge_s` are seconds; `pace` is how long computer players pause, `computers`
    how well they play. With `hints` people may ask what an Expert would do; a match with them does
    not count for ratings. `players` is set by the start where a game can be played by more or fewer
    people.
    """

    model_config = ConfigDict(frozen=True)

    variant: str = "nanjing"
    direction: str = "anticlockwise"
    dealing: str = "dealt"
    target: int | None = None
    rounds: int | None = None
    players: int | None = None
    decks: int | None = None
    wish_policy: str = "enforced"
    bomb_window_ms: int = 2000
    turn_limit_s: Annotated[int, Field(ge=20, le=900)] = 90
    nudge_s: Annotated[int, Field(ge=10, le=600)] = 30
    pace: Literal["human", "quick"] = "human"
    computers: Level = "expert"
    hints: bool = False
    first_dealer: int | None = None

    @property
    def rated(self) -> bool:
        """Whether its rounds count for ratings and leaderboards."""
        return not self.hints

    def rules(self) -> Options:
        """The engine's options; raises `IllegalAction` when one is out of range."""
        return Options(
            variant=self.variant,
            direction=self.direction,
            dealing=self.dealing,
            target=self.target,
            rounds=self.rounds,
            players=self.players,
            decks=self.decks,
            wish_policy=self.wish_policy,
            bomb_window_ms=self.bomb_window_ms,
        )

    @property
    def game(self) -> Variant:
        """The variant that is played."""
        return VARIANTS[self.variant]

    @property
    def chairs(self) -> int:
        """Chairs at the table: before the start as many as people can play."""
        people = self.game.people
        return (self.players if len(people) > 1 else None) or people[-1]


class Chair(BaseModel):
    """Who sits on a seat: a person, a computer player, or nobody (lobby only).

    A seat whose hand is played by somebody else, as Trichu's Table, has no chair.
    """

    model_config = ConfigDict(frozen=True)

    seat: int
    kind: Literal["person", "computer", "empty"] = "empty"
    user_id: int | None = None
    name: str = ""


class Desk(BaseModel):
    """What a running table has to remember beside its actions; stored with each of them.

    `stamp` is the number of the action that last changed what is on the table: buttons carry it.
    `deadlines` are absolute times. By seat: `premoves` (sealed, in notation), `waits` (windows
    held open this round), `called_at`. Seats in `auto_pass` pass until the trick is gathered; those
    in `dropped` lost their pre-move to a bomb. `votes` are users who want to stop the match,
    `message_round` is the round that the table message shows; `result_message_id` the message that
    counts down to the next round. After `last_round` the match ends with a result (G27).
    People on the chairs in `away` are played for (`bot.table.presence`). `offers` are chairs
    whose person would hand the seat to a user; users in `left` gave one away in this round.
    `turns` are the turns of this round by chair and by who took them, `rounds` the
    finished ones of this match by chair and by whom they count for (`bot.table.attribution`).
    `ratings` are those of people, as they are shown, when this match began.
    `sealed` is the secret of the next deal, `dealt` that of the deal on the table (hexadecimal; see
    `bot.table.dealing`), `words` what users said for the next deal.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    stamp: int = 0
    deadlines: dict[Deadline, datetime] = {}
    premoves: Annotated[dict[int, str], Field(repr=False)] = {}
    auto_pass: Annotated[tuple[int, ...], Field(repr=False)] = ()
    dropped: tuple[int, ...] = ()
    waits: dict[int, int] = {}
    called_at: dict[int, datetime] = {}
    paused: bool = False
    votes: tuple[int, ...] = ()
    nudge_message_id: int | None = None
    message_round: int = 0
    result_message_id: int | None = None
    last_round: bool = False
    away: tuple[int, ...] = ()
    offers: dict[int, int] = {}
    left: tuple[int, ...] = ()
    turns: dict[int, dict[int, int]] = {}
    rounds: dict[int, dict[int, int]] = {}
    ratings: dict[int, int] = {}
    sealed: Annotated[str, Field(repr=False, pattern=_SECRET)] = ""
    dealt: Annotated[str, Field(repr=False, pattern=_SECRET)] = ""
    words: dict[int, str] = {}

    @property
    def next_deadline(self) -> datetime | None:
        """The earliest of the deadlines."""
        return min(self.deadlines.values(), default=None)


@dataclass(frozen=True, slots=True, repr=False)
class TableState:
    """A table at one moment. `seq` is the number of its stored actions."""

    id: int
    guild_id: int
    channel_id: int
    parent_channel_id: int | None
    host_id: int
    status: Status
    options: TableOptions
    chairs: tuple[Chair, ...]
    desk: Desk
    created_at: datetime
    match: Match | None = None
    seq: int = 0
    lobby_message_id: int | None = None
    table_message_id: int | None = None

    @property
    def stamp(self) -> int:
        """What a button of now carries, to be known as stale later."""
        return self.desk.stamp

    @property
    def round(self) -> Round | None:
        """The round on the table, if any."""
        return self.match.round if self.match is not None else None

    @property
    def phase(self) -> Phase | None:
        """The phase of the match, `None` in the lobby."""
        return self.match.phase if self.match is not None else None

    @property
    def running(self) -> bool:
        """Whether a match is being played."""
        return self.status == "playing"

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a person, `None` if he does not sit here."""
        for chair in self.chairs:
            if chair.user_id == user_id:
                return chair.seat
        return None

    def people(self) -> Iterator[Chair]:
        """The chairs that people sit on."""
        return (chair for chair in self.chairs if chair.kind == "person")

    def decider(self, seat: int) -> int:
        """The chair of whoever decides for this seat: its own but for Trichu's Table (T8)."""
        if self.match is None or self.match.round is None:
            return seat
        return self.match.variant.actor(self.match.round, seat)

    def seats_of_chair(self, chair: int) -> tuple[int, ...]:
        """The seats that whoever sits on this chair decides for, his own first."""
        hands = len(self.round.hands) if self.round is not None else len(self.chairs)
        others = (seat for seat in range(hands) if seat != chair and self.decider(seat) == chair)
        return (chair, *others)

    def computer(self, seat: int) -> bool:
        """Whether a computer player decides for this seat: its own, or one for who is away."""
        return self.chairs[self.decider(seat)].kind == "computer" or self.away(seat)

    def away(self, seat: int) -> bool:
        """Whether whoever decides for this seat is away."""
        return self.decider(seat) in self.desk.away

    @property
    def deserted(self) -> bool:
        """Whether nobody who sits at this table is there."""
        return all(chair.seat in self.desk.away for chair in self.people())

    def stands_in(self, seat: int) -> bool:
        """Whether a computer player that decides for this seat does so in a person's place."""
        return self.chairs[self.decider(seat)].kind == "person"

    def level(self, seat: int) -> Level:
        """How well a computer player plays for this seat; in a person's place as a Novice."""
        return "novice" if self.stands_in(seat) else self.options.computers

    def seat_records(self) -> tuple[SeatRecord, ...]:
        """The chairs as the store keeps them; empty ones are left out."""
        return tuple(
            SeatRecord(seat=chair.seat, user_id=chair.user_id, name=chair.name, kind=chair.kind)
            for chair in self.chairs
            if chair.kind != "empty"
        )


def play_to_beat(view: View) -> str:
    """Which play lies on the table, as text for a button: round, trick, number in the trick."""
    laid = sum(step.combination is not None for step in view.trick)
    return f"{view.number}.{len(view.past)}.{laid}"


def seats_waited_for(match: Match) -> tuple[int, ...]:
    """The seats that have to do something before play can go on (not: bomb windows)."""
    round_ = match.round
    if round_ is None or round_.phase in (Phase.ROUND_END, Phase.WINDOW, Phase.CLOSING):
        if round_ is not None and round_.asked:
            return _bits(round_.asked)
        return ()
    if round_.asked:
        return _bits(round_.asked)
    seats = range(len(round_.hands))
    if round_.phase is Phase.GRAND:
        return tuple(seat for seat in seats if round_.opening.answers[seat] is None)
    if round_.phase is Phase.EXCHANGE:
        return tuple(seat for seat in seats if round_.opening.given[seat] is None)
    return (round_.turn,)


def _bits(seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)
