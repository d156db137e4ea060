"""Finished rounds of stored tables, ready to be stepped through; the latest ones are kept."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import replace

from bot.errors import Reason, Refused
from bot.history.replay import Replay, SeatedPlay, replay_of, seated_plays
from bot.ids import TableId
from bot.records import RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError
from bot.table.restore import outline
from bot.table.state import TableState

log = logging.getLogger(__name__)

KEPT = 32
"""Rounds that are remembered, each a few hundred kilobytes at most."""


class Replays:
    """Makes replays out of the store. A finished round never changes, so what is made is kept."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[TableId, RoundNumber], Replay] = OrderedDict()

    async def replay(self, record: TableRecord, number: RoundNumber | None = None) -> Replay:
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
        kept = self._kept[key]
        return replace(kept, table=replace(table, chairs=kept.table.chairs))

    async def all_rounds(self, record: TableRecord) -> tuple[SeatedPlay, ...]:
        """All finished rounds of a table; nothing of them is kept. `Refused` as above."""
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        try:
            return await asyncio.to_thread(seated_plays, bare_table(record), actions, seat_changes)
        except ReplayError as error:
            raise _unreadable(record, error) from None

    async def _made(self, record: TableRecord, table: TableState, number: RoundNumber) -> Replay:
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        try:
            made = await asyncio.to_thread(replay_of, table, actions, seat_changes, number)
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


def _unreadable(record: TableRecord, error: ReplayError) -> Refused:
    log.error("table %s cannot be replayed: %s", record.id, error)
    return Refused(Reason.UNREADABLE_LOG)
