"""Cache of replays of stored tables; simultaneous requests share one computation."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from bot.errors import Reason, Refused
from bot.history.deal_proof import Proof
from bot.history.replay import Replay, SeatedPlay, refuse_damaged, replays_of, seated_plays
from bot.history.verify import proof
from bot.ids import TableId
from bot.records import RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError
from bot.table.restore import restore_outline
from bot.table.state import TableState

KEPT = 12
"""Maximum number of cached rounds: up to 1 MB each, a tenth of that with four players."""

T = TypeVar("T")

_Key = tuple[TableId, RoundNumber]


class _Pass:
    """One replay of a match from its beginning, shared by several of its rounds."""

    def __init__(self) -> None:
        self.numbers: set[RoundNumber] = set()


class Replays:
    """Builds replays, and other data of finished rounds, from the store.

    Finished rounds never change, so their replays are cached. Concurrent requests for a round share
    one computation in a thread. Rounds of a match that wait for a worker are built together, a few
    at a time.
    """

    def __init__(self, store: Store, work: SharedWork) -> None:
        self._store = store
        self._work = work
        self._kept: OrderedDict[_Key, Replay] = OrderedDict()
        self._passes: dict[_Key, _Pass] = {}
        """Pass that builds or will build a round."""
        self._waiting: dict[TableId, _Pass] = {}
        """Pass of a table that has not begun and has room for another round."""
        self._erasures = 0
        """Number of erasures of users so far."""

    async def replay(self, record: TableRecord, number: RoundNumber | None = None) -> Replay:
        """Return the replay of a round of a table, by default of the last finished one.

        Raise `Refused` if the round is not finished, if the log cannot be replayed, or if too much
        other work is waiting.
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
            before = self._erasures
            made = await self._made_in_pass(record, table, number)
            if self._erasures != before:  # it contains data of a user who has been erased
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
        """Build this round together with others of its match that are requested in time."""
        key = (record.id, number)
        shared = self._passes.get(key) or self._waiting.setdefault(record.id, _Pass())
        shared.numbers.add(number)
        self._passes[key] = shared
        if len(shared.numbers) >= KEPT:
            self._waiting.pop(record.id, None)
        try:
            made = await self._work.result(shared, partial(self._made, record, table, shared))
        except Refused:
            self._drop(record.id, shared)
            raise
        if number not in made:
            raise Refused(Reason.ROUND_NOT_OVER, number=number)
        return made[number]

    def _drop(self, table_id: TableId, shared: _Pass) -> None:
        """Remove a finished pass, so that later requests begin another one."""
        if self._waiting.get(table_id) is shared:
            del self._waiting[table_id]
        for number in shared.numbers:
            if self._passes.get((table_id, number)) is shared:
                del self._passes[table_id, number]

    def forget(self) -> None:
        """Clear the cache, because a user was erased."""
        self._kept.clear()
        self._erasures += 1

    async def proof(self, record: TableRecord, number: RoundNumber | None = None) -> Proof | None:
        """Return the proof of the deal of a round; see `bot.history.verify.proof`.

        Raise `Refused` like `replay`.
        """
        key = ("proof", record.id, number)
        return await self._work.result(key, lambda: proof(self._store, record, number))

    async def of_all_rounds(
        self, record: TableRecord, purpose: Hashable, build: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        """Return `build` of all finished rounds of a table, without caching it.

        Concurrent calls with the same `purpose` share one computation. Raise `Refused` like
        `replay`.
        """
        key = ("all", record.id, purpose)
        return await self._work.result(key, lambda: self._made_of_all(record, build))

    async def of_round(
        self, record: TableRecord, number: RoundNumber, build: Callable[[Replay], T]
    ) -> T:
        """Return `build` of a finished round, computed in a thread.

        Raise `Refused` like `replay`.
        """
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
            raise refuse_damaged(record, error) from None

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
            raise refuse_damaged(record, error) from None
        finally:
            self._drop(record.id, shared)


def bare_table(record: TableRecord) -> TableState:
    """Return the table with only its chairs and options. Raise `Refused` if unreadable."""
    try:
        return restore_outline(record)
    except ReplayError as error:
        raise refuse_damaged(record, error) from None


MOST = 64
"""Maximum number of pieces of work that run or wait."""

_T = TypeVar("_T")


class SharedWork:
    """Queue that runs one task of work at a time, and shares it among requests with its key.

    At most `most` pieces run or wait. Work in a thread still uses the CPU time of the same Python,
    and its reads use one of the few database connections, so more than one at a time would delay
    clicks.
    """

    def __init__(self, *, most: int = MOST) -> None:
        self._most = most
        self._turn = asyncio.Lock()
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    async def result(self, key: Hashable, work: Callable[[], Awaitable[_T]]) -> _T:
        """Return the result of `work`, or that of the task in flight with the same `key`.

        Raise its exception, or `Refused` (``busy``) if the queue is full.
        """
        task: asyncio.Task[_T] | None = self._tasks.get(key)
        if task is None:
            if len(self._tasks) >= self._most:
                raise Refused(Reason.BUSY)
            task = asyncio.create_task(self._run_in_turn(work), name="shared-work")
            self._tasks[key] = task
            task.add_done_callback(lambda done: self._remove(key, done))
        return await asyncio.shield(task)

    async def _run_in_turn(self, work: Callable[[], Awaitable[_T]]) -> _T:
        async with self._turn:
            return await work()

    def _remove(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        """Remove a finished task; retrieve its exception, so that asyncio does not warn."""
        del self._tasks[key]
        if not task.cancelled():
            task.exception()
