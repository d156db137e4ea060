"""Finished rounds and matches stored by hand, with their players and scores."""

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
    """A round: the score of each column, the order of going out, and other events by seat.

    A call is its name and whether it was made. `sweep` is the column with the double victory;
    `dealer` is a seat, which in Trichu plays with the Table (seat 3) against the two others.
    """

    score: Sequence[int] = ()
    out: Sequence[int] = (0, 1, 2)
    calls: Mapping[int, tuple[Made, bool]] = field(default_factory=dict)
    bombs: Mapping[int, int] = field(default_factory=dict)
    sweep: int | None = None
    dealer: int = 0
    measured: bool = True
    """True if the margins are stored, unlike those of old rounds."""


@dataclass(frozen=True)
class Evening:
    """A match: its players (`None` is a computer), rounds and end.

    The first round ends an hour after `at`, each later one ten minutes after the previous, and the
    match with the last. Seats alternate between two teams or, with `alone`, have a column each.
    """

    rounds: Sequence[Sketch]
    """Rounds in order."""
    people: Sequence[UserId | None] = FOUR
    """Players by seat."""
    at: datetime = EVENING
    """Time at which the table was opened."""
    guild_id: int = GUILD
    """The guild."""
    variant: str = "nanjing"
    """The game."""
    rated: bool = True
    """True if its rounds and the match count for ratings."""
    alone: bool = False
    """True if each seat, not each team, has a column."""
    winners: Sequence[int] = (0,)
    """Winning columns."""
    reason: Literal["finished", "stopped"] | None = "finished"
    """Reason of the end; `None` stops the table without storing a match."""
    names: Mapping[UserId, str] = field(default_factory=lambda: NAMES)
    """Names by user; others are called P and their number."""
    counted: Sequence[Sequence[UserId | None]] = ()
    """For each round the person that each seat counts for; by default its player."""

    def column(self, seat: int) -> int:
        """Return the column of a seat."""
        return seat if self.alone else seat % 2

    def ended_at(self, number: int) -> datetime:
        """Return the end of a round (from 1)."""
        return self.at + timedelta(hours=1, minutes=10 * (number - 1))

    async def store(self, store: Store) -> int:
        """Store everything; return the number of the table."""
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
        """Return the margin of a seat in a round, as in `RoundSeat.margin`."""
        others = len(self.people) - 1
        if not sketch.score:
            place = sketch.out.index(seat) if seat in sketch.out else others
            return round(10_000 * (others - place) / others)
        columns = range(len(sketch.score))
        theirs = [column for column in columns if self.opposed(self.column(seat), column, sketch)]
        mean = sum(sketch.score[column] for column in theirs) / len(theirs)
        return round(100 * (sketch.score[self.column(seat)] - mean))

    def opposed(self, own: int, other: int, sketch: Sketch) -> bool:
        """Return whether two columns are opponents."""
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
