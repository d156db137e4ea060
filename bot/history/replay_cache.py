"""Finished rounds of stored tables, ready to be stepped through; the latest ones are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof
from bot.history.replay import Replay, SeatedPlay, damaged, replays_of, seated_plays
from bot.history.shared_work import SharedWork
from bot.history.verify import proof
from bot.ids import TableId
from bot.records import RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError
from bot.table.restore import outline
from bot.table.state import TableState

KEPT = 12
"""Rounds that are remembered: up to a megabyte each, a tenth of that in a game for four."""

T = TypeVar("T")

_Key = tuple[TableId, RoundNumber]


class _Pass:
    """Playing a match again from its beginning, once for several of its rounds."""

    def __init__(self) -> None:
        self.numbers: set[RoundNumber] = set()


class Replays:
    """Makes replays, and what else is made of finished rounds, out of the store.

    A finished round never changes, so what was made is kept. Each is made once for all who ask at
    the same time, beside the event loop; rounds of one match that wait for their turn are made
    together, a few at a time.
    """

    def __init__(self, store: Store, work: SharedWork) -> None:
        self._store = store
        self._work = work
        self._kept: OrderedDict[_Key, Replay] = OrderedDict()
        self._passes: dict[_Key, _Pass] = {}
        """In which pass a round is being made, or will be."""
        self._waiting: dict[TableId, _Pass] = {}
        """By table the pass that has not begun, and has room for another round."""
        self._forgotten = 0
        """How often somebody was forgotten."""

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
            before = self._forgotten
            made = await self._made_in_pass(record, table, number)
            if self._forgotten != before:  # it tells of somebody whom nobody knows any more
                raise Refused(Reason.BEING_FORGOTTEN)
            self._keep(key, made)
        kept = self._kept[key]
        self._keep(key, kept)
        return replace(kept, table=replace(table, chairs=kept.table.chairs))

    def _keep(self, key: _Key, replay: Replay) -> None:
        self._kept[key] = replay
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def _made_in_pass(
        self, record: TableRecord, table: TableState, number: RoundNumber
    ) -> Replay:
        """This round, made with others of its match that are asked for before it is their turn."""
        key = (record.id, number)
        shared = self._passes.get(key) or self._waiting.setdefault(record.id, _Pass())
        shared.numbers.add(number)
        self._passes[key] = shared
        if len(shared.numbers) >= KEPT:
            self._waiting.pop(record.id, None)
        try:
            made = await self._work.result(shared, partial(self._made, record, table, shared))
        except Refused:
            self._forget(record.id, shared)
            raise
        if number not in made:
            raise Refused(Reason.ROUND_NOT_OVER, number=number)
        return made[number]

    def _forget(self, table_id: TableId, shared: _Pass) -> None:
        """A pass is over: who asks from now on begins another one."""
        if self._waiting.get(table_id) is shared:
            del self._waiting[table_id]
        for number in shared.numbers:
            if self._passes.get((table_id, number)) is shared:
                del self._passes[table_id, number]

    def forget(self) -> None:
        """Keep no round that was made so far: somebody who played there was forgotten."""
        self._kept.clear()
        self._forgotten += 1

    async def proof(self, record: TableRecord, number: RoundNumber | None = None) -> Proof | None:
        """The proof of the deal of a round; see `bot.history.verify.proof`. `Refused` as above."""
        key = ("proof", record.id, number)
        return await self._work.result(key, lambda: proof(self._store, record, number))

    async def of_all_rounds(
        self, record: TableRecord, purpose: Hashable, build: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        """What `build` makes of all finished rounds of a table; nothing of it is kept.

        It is the same for the same `purpose`. `Refused` as above.
        """
        key = ("all", record.id, purpose)
        return await self._work.result(key, lambda: self._made_of_all(record, build))

    async def of_round(
        self, record: TableRecord, number: RoundNumber, build: Callable[[Replay], T]
    ) -> T:
        """What `build` makes of one finished round, beside the event loop. `Refused` as above."""
        replay = await self.replay(record, number)
        return await self._work.result(object(), lambda: asyncio.to_thread(build, replay))

    async def _made_of_all(
        self, record: TableRecord, build: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        table = bare_table(record)

        def made() -> T:
            return build(seated_plays(table, actions, seat_changes))

        try:
            return await asyncio.to_thread(made)
        except ReplayError as error:
            raise damaged(record, error) from None

    async def _made(
        self, record: TableRecord, table: TableState, shared: _Pass
    ) -> dict[RoundNumber, Replay]:
        if self._waiting.get(record.id) is shared:
            del self._waiting[record.id]
        try:
            actions = await self._store.tables.actions(record.id)
            seat_changes = await self._store.tables.seat_changes(record.id)
            numbers = frozenset(shared.numbers)
            return await asyncio.to_thread(replays_of, table, actions, seat_changes, numbers)
        except ReplayError as error:
            raise damaged(record, error) from None
        finally:
            self._forget(record.id, shared)


def bare_table(record: TableRecord) -> TableState:
    """The table with its chairs and options and nothing else. `Refused` if it is unreadable."""
    try:
        return outline(record)
    except ReplayError as error:
        raise damaged(record, error) from None
