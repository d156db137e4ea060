"""Finished rounds of stored tables, ready to be stepped through; the latest ones are kept."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof, proof_of
from bot.history.played_round import PlayedRound, played_round, played_rounds
from bot.history.seat_history import seated_at
from bot.records import ActionRecord, SeatChangeRecord, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError
from bot.table.restore import outline
from bot.table.state import Chair, Game, TableState, game_of

log = logging.getLogger(__name__)

KEPT = 32
"""Rounds that are remembered, each a few hundred kilobytes at most."""


SeatedPlay = tuple[TableState, PlayedRound]
"""A finished round, and the table as it sat at its end."""


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """A finished round of a table. `proof` is what can be told of its deal.

    `table` is the table as it sat at the end of the round, without anything on its desk and without
    a match.
    """

    table: TableState
    played: PlayedRound
    proof: Proof

    def at(self, place: int) -> Game:
        """The table in this position."""
        return game_of(self.table, self.played.positions[place].match)


_Made = tuple[tuple[Chair, ...], PlayedRound, Proof]
"""Who sat there at the end of a round, the round, and the proof of its deal."""


class Replays:
    """Makes replays out of the store. A finished round never changes, so what is made is kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[int, int], _Made] = OrderedDict()

    async def replay(self, record: TableRecord, number: int | None = None) -> Replay:
        """A round of a table, by default the last one that is over.

        `Refused` when it is not over, or when the log cannot be played again.
        """
        table = bare_table(record)
        if number is None:
            number = len(await self._store.history.rounds(record.id))
            if not number:
                raise Refused(Reason.NO_ROUND_OVER)
        key = (record.id, number)
        if key not in self._kept:
            self._kept[key] = await self._made(record, table, number)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        chairs, played, proven = self._kept[key]
        return Replay(dataclasses.replace(table, chairs=chairs), played, proven)

    async def all_rounds(self, record: TableRecord) -> tuple[SeatedPlay, ...]:
        """All finished rounds of a table; nothing of them is kept. `Refused` as above."""
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        try:
            return await asyncio.to_thread(_all_rounds, bare_table(record), actions, seat_changes)
        except ReplayError as error:
            raise _unreadable(record, error) from None

    async def _made(self, record: TableRecord, table: TableState, number: int) -> _Made:
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        try:
            made = await asyncio.to_thread(_made, table, actions, seat_changes, number)
        except ReplayError as error:
            raise _unreadable(record, error) from None
        if made is None:
            raise Refused(Reason.ROUND_NOT_OVER, number=number)
        return made


def bare_table(record: TableRecord) -> TableState:
    """The table with its chairs and options and nothing else. `Refused` if it is unreadable."""
    try:
        return outline(record)
    except ReplayError as error:
        raise _unreadable(record, error) from None


def _made(
    table: TableState,
    actions: Sequence[ActionRecord],
    seat_changes: Sequence[SeatChangeRecord],
    number: int,
) -> _Made | None:
    played = played_round(table.options.rules, actions, number)
    if played is None:
        return None
    dealt = seated_at(table, seat_changes, played.actions[0].seq)
    return _at_end(table, seat_changes, played).chairs, played, proof_of(dealt, played)


def _all_rounds(
    table: TableState, actions: Sequence[ActionRecord], seat_changes: Sequence[SeatChangeRecord]
) -> tuple[SeatedPlay, ...]:
    rounds = played_rounds(table.options.rules, actions)
    return tuple((_at_end(table, seat_changes, played), played) for played in rounds)


def _at_end(
    table: TableState, seat_changes: Sequence[SeatChangeRecord], played: PlayedRound
) -> TableState:
    """The table as it sat when this round ended."""
    return seated_at(table, seat_changes, played.actions[-1].seq)


def _unreadable(record: TableRecord, error: ReplayError) -> Refused:
    log.error("table %s cannot be replayed: %s", record.id, error)
    return Refused(Reason.UNREADABLE_LOG)
