"""Finished rounds of stored tables, ready to be stepped through; the latest ones are kept."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof
from bot.history.replay import Replay, SeatedPlay, replay_of, seated_plays
from bot.history.shared_work import SharedWork
from bot.history.verify import proof
from bot.ids import TableId
from bot.records import RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError
from bot.table.restore import outline
from bot.table.state import TableState

log = logging.getLogger(__name__)

KEPT = 12
"""Rounds that are remembered: up to a megabyte each, a tenth of that in a game for four."""

T = TypeVar("T")


class Replays:
    """Makes replays, and what else is made of finished rounds, out of the store.

    A finished round never changes, so what was made is kept. Each is made once for all who ask at
    the same time, beside the event loop.
    """

    def __init__(self, store: Store, work: SharedWork) -> None:
        self._store = store
        self._work = work
        self._kept: OrderedDict[tuple[TableId, RoundNumber], Replay] = OrderedDict()

    async def replay(self, record: TableRecord, number: RoundNumber | None = None) -> Replay:
        """A round of a table, by default the last one that is over.

        `Refused` when it is not over, when the log cannot be played again, or when too much else is
        being made.
        """
        table = bare_table(record)
        if number is None or (record.id, number) not in self._kept:
            finished = await self._store.history.finished_rounds(record.id)
            if number is None and not finished:
                raise Refused(Reason.NO_ROUND_OVER)
            number = finished if number is None else number
            if not 1 <= number <= finished:
                raise Refused(Reason.ROUND_NOT_OVER, number=number)
        key = (record.id, number)
        if key not in self._kept:
            making = partial(self._made, record, table, number)
            self._kept[key] = await self._work.result(key, making)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        kept = self._kept[key]
        return replace(kept, table=replace(table, chairs=kept.table.chairs))

    async def proof(self, record: TableRecord, number: RoundNumber | None = None) -> Proof | None:
        """The proof of the deal of a round; see `bot.history.verify.proof`. `Refused` as above."""
        key = ("proof", record.id, number)
        return await self._work.result(key, lambda: proof(self._store, record, number))

    async def of_all_rounds(
        self, record: TableRecord, purpose: Hashable, make: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        """What `make` makes of all finished rounds of a table; nothing of it is kept.

        It is the same for the same `purpose`. `Refused` as above.
        """
        key = ("all", record.id, purpose)
        return await self._work.result(key, lambda: self._made_of_all(record, make))

    async def of_round(
        self, record: TableRecord, number: RoundNumber, make: Callable[[Replay], T]
    ) -> T:
        """What `make` makes of one finished round, beside the event loop. `Refused` as above."""
        replay = await self.replay(record, number)
        return await self._work.result(object(), lambda: asyncio.to_thread(make, replay))

    async def _made_of_all(
        self, record: TableRecord, make: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        table = bare_table(record)

        def made() -> T:
            return make(seated_plays(table, actions, seat_changes))

        try:
            return await asyncio.to_thread(made)
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
