"""Finished rounds and matches put into a store by hand: who sat where, and how each round went."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

from bot.ids import ChannelId, GuildId, UserId
from bot.records import (
    Change,
    MatchRecord,
    MatchScore,
    MatchSeat,
    NewTable,
    RoundRecord,
    RoundScore,
    RoundSeat,
    SeatRecord,
)
from bot.storage import Store
from tests.bot.storage.samples import action

GUILD = GuildId(10)
EVENING = datetime(2031, 5, 4, 19, 0, 0, tzinfo=UTC)
ADA, BEN, CAI, DAN = UserId(1), UserId(2), UserId(3), UserId(4)
FOUR = (ADA, BEN, CAI, DAN)
NAMES = {ADA: "Ada", BEN: "Ben", CAI: "Cai", DAN: "Dan"}

Made = Literal["tichu", "grand"]


@dataclass(frozen=True)
class Sketch:
    """One round: the score of each column, the order of going out, and what else happened, by seat.

    A call is its name with whether it was made. `sweep` is the column with the double victory,
    `dealer` a seat, which in Trichu plays with the Table (seat 3) against the two others.
    """

    score: Sequence[int] = ()
    out: Sequence[int] = (0, 1, 2)
    calls: Mapping[int, tuple[Made, bool]] = field(default_factory=dict)
    bombs: Mapping[int, int] = field(default_factory=dict)
    sweep: int | None = None
    dealer: int = 0
    measured: bool = True
    """Whether the margins are known; those of old rounds are not."""


@dataclass(frozen=True)
class Evening:
    """A match: who sits where (`None`: a computer player), its rounds, and how it ends.

    The first round ends an hour after `at`, each other ten minutes after the one before, the match
    with the last. Seats belong in turn to two teams, or (`alone`) each to a column of its own.
    """

    rounds: Sequence[Sketch]
    """The rounds, the first one first."""
    people: Sequence[UserId | None] = FOUR
    """Who sits at each seat."""
    at: datetime = EVENING
    """When the table was opened."""
    guild_id: int = GUILD
    """The server."""
    variant: str = "nanjing"
    """The game."""
    rated: bool = True
    """Whether its rounds and the match count for ratings."""
    alone: bool = False
    """Whether each seat has a column of its own, and not each team."""
    winners: Sequence[int] = (0,)
    """The columns that have won."""
    reason: Literal["finished", "stopped"] | None = "finished"
    """Why the match is over; with `None` the table is stopped, and no match is stored."""
    names: Mapping[UserId, str] = field(default_factory=lambda: NAMES)
    """What people are called; who is not in it is P and their number."""
    counted: Sequence[Sequence[UserId | None]] = ()
    """For each round the person for whom each seat counts; without it that is who sits there."""

    def column(self, seat: int) -> int:
        """The column of a seat."""
        return seat if self.alone else seat % 2

    def ended_at(self, number: int) -> datetime:
        """When a round (from 1) ended."""
        return self.at + timedelta(hours=1, minutes=10 * (number - 1))

    async def store(self, store: Store) -> int:
        """Store all of it; the number of the table."""
        seats = tuple(
            SeatRecord(seat=seat, user_id=who, name=self._name(who), kind=_kind(who))
            for seat, who in enumerate(self.people)
        )
        channel = int(self.at.timestamp() * 1000) + self.guild_id % 1000
        new = NewTable(
            guild_id=GuildId(self.guild_id),
            channel_id=ChannelId(channel),
            host_id=UserId(1),
            created_at=self.at,
            seats=seats,
        )
        table = await store.tables.create(new)
        totals = [0] * len(self.rounds[0].score)
        changes = [Change(actions=(action(1),), seats=seats)]
        for number, sketch in enumerate(self.rounds, start=1):
            totals = [total + more for total, more in zip(totals, sketch.score, strict=True)]
            changes.append(Change(round=self._round(number, sketch, totals)))
        status: Literal["finished", "stopped"] = self.reason or "stopped"
        match = self._match(totals) if self.reason is not None else None
        changes.append(Change(status=status, match=match))
        await asyncio.gather(*(store.tables.commit(table.id, change) for change in changes))
        return table.id

    def _name(self, who: UserId | None) -> str:
        return "Computer" if who is None else self.names.get(who, f"P{who}")

    def _round(self, number: int, sketch: Sketch, totals: Sequence[int]) -> RoundRecord:
        return RoundRecord(
            number=number,
            ended_at=self.ended_at(number),
            variant=self.variant,
            rated=self.rated,
            result=json.dumps({"dealer": sketch.dealer}),
            scores=tuple(
                RoundScore(column=column, score=score, total=totals[column])
                for column, score in enumerate(sketch.score)
            ),
            seats=tuple(
                self._round_seat(seat, who, sketch)
                for seat, who in enumerate(
                    self.counted[number - 1] if self.counted else self.people
                )
            ),
        )

    def _round_seat(self, seat: int, who: UserId | None, sketch: Sketch) -> RoundSeat:
        call, made = sketch.calls.get(seat, (None, None))
        return RoundSeat(
            seat=seat,
            user_id=who,
            kind=_kind(who),
            column=self.column(seat),
            place=sketch.out.index(seat) + 1 if seat in sketch.out else None,
            call=call,
            call_made=made,
            counts_for=who,
            margin=self.margin(seat, sketch) if sketch.measured else None,
            sweep=sketch.sweep == self.column(seat),
            bombs=sketch.bombs.get(seat, 0),
            level=None if who is not None else "expert",
        )

    def margin(self, seat: int, sketch: Sketch) -> int:
        """The margin of a seat in a round, as `RoundSeat.margin` has it."""
        others = len(self.people) - 1
        if not sketch.score:
            place = sketch.out.index(seat) if seat in sketch.out else others
            return round(10_000 * (others - place) / others)
        columns = range(len(sketch.score))
        theirs = [column for column in columns if self.opposed(self.column(seat), column, sketch)]
        mean = sum(sketch.score[column] for column in theirs) / len(theirs)
        return round(100 * (sketch.score[self.column(seat)] - mean))

    def opposed(self, own: int, other: int, sketch: Sketch) -> bool:
        """Whether two columns are those of opponents."""
        dealers = (sketch.dealer, 3)
        return (own in dealers) != (other in dealers) if self.alone else own != other

    def _match(self, totals: Sequence[int]) -> MatchRecord:
        assert self.reason is not None
        return MatchRecord(
            variant=self.variant,
            ended_at=self.ended_at(len(self.rounds)),
            reason=self.reason,
            rounds=len(self.rounds),
            rated=self.rated,
            scores=tuple(
                MatchScore(column=column, total=total, won=column in self.winners)
                for column, total in enumerate(totals)
            ),
            seats=tuple(
                MatchSeat(
                    seat=seat,
                    user_id=who,
                    name=self._name(who),
                    kind=_kind(who),
                    column=self.column(seat),
                    won=self.column(seat) in self.winners,
                    counts_for=who,
                )
                for seat, who in enumerate(self.people)
            ),
        )


def _kind(who: UserId | None) -> Literal["person", "computer"]:
    return "computer" if who is None else "person"
