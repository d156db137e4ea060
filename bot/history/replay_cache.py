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
from bot.history.shared_deals import check_deals_open
from bot.history.verify import load_proof
from bot.ids import TableId
from bot.records import RoundNumber, TableRecord
from bot.storage import Store
from bot.table.action_log import ReplayError
from bot.table.restore import restore_outline
from bot.table.state import TableState

MOST_CACHED = 12
"""Maximum number of cached rounds: up to 1 MB each, a tenth of that with four players."""

T = TypeVar("T")

_Key = tuple[TableId, RoundNumber]


class _SharedReplay:
    """Requested rounds of one match, which will be built by replaying it once."""

    def __init__(self) -> None:
        self.numbers: set[RoundNumber] = set()


class Replays:
    """Builds replays, and other data of finished rounds, from the store.

    Finished rounds never change, so their replays are cached. Concurrent requests for a round share
    one computation in a thread. Requested rounds of a match are built together, up to a limit, as
    long as their replay has not begun.
    """

    def __init__(self, store: Store, work: SharedWork) -> None:
        self._store = store
        self._work = work
        self._cached: OrderedDict[_Key, Replay] = OrderedDict()
        self._shared: dict[_Key, _SharedReplay] = {}
        """Round -> replay that builds or will build it."""
        self._waiting: dict[TableId, _SharedReplay] = {}
        """Table -> replay that has not begun and has room for another round."""
        self._erasures = 0
        """Number of erasures of users so far."""

    async def replay(self, record: TableRecord, number: RoundNumber | None = None) -> Replay:
        """Return the replay of a round of a table, by default of the last finished one.

        Raise `Refused` if the round is not finished, if others can still play its deal, if the log
        cannot be replayed, or if too much other work is waiting.
        """
        table = outline_or_refuse(record)
        await check_deals_open(self._store, table)
        if number is None or (record.id, number) not in self._cached:
            finished = await self._store.history.finished_rounds(record.id)
            if number is None and not finished:
                raise Refused(Reason.NO_ROUND_OVER)
            number = finished if number is None else number
            if not 1 <= number <= finished:
                raise Refused(Reason.ROUND_NOT_OVER, number=number)
        key = (record.id, number)
        cached = self._cached.get(key)
        if cached is None:
            erasures_before = self._erasures
            cached = await self._build_with_others(record, table, number)
            if self._erasures != erasures_before:  # the replay may have data of an erased user
                raise Refused(Reason.BEING_FORGOTTEN)
        self._put(key, cached)
        # The cached replay may be older than this record, but its players are those of the round.
        return replace(cached, table=replace(table, chairs=cached.table.chairs))

    def _put(self, key: _Key, replay: Replay) -> None:
        """Store the most recently used replay; drop the least recently used ones."""
        self._cached[key] = replay
        self._cached.move_to_end(key)
        while len(self._cached) > MOST_CACHED:
            self._cached.popitem(last=False)

    async def _build_with_others(
        self, record: TableRecord, table: TableState, number: RoundNumber
    ) -> Replay:
        """Build this round in one replay with other requested rounds of its match."""
        key = (record.id, number)
        shared = self._shared.get(key) or self._waiting.setdefault(record.id, _SharedReplay())
        shared.numbers.add(number)
        self._shared[key] = shared
        if len(shared.numbers) >= MOST_CACHED:
            self._waiting.pop(record.id, None)
        try:
            replays = await self._work.result(
                shared, partial(self._replay_shared, record, table, shared)
            )
        except Refused:
            self._drop(record.id, shared)
            raise
        if number not in replays:
            raise Refused(Reason.ROUND_NOT_OVER, number=number)
        return replays[number]

    def _drop(self, table_id: TableId, shared: _SharedReplay) -> None:
        """Remove a shared replay that is finished or refused; later requests begin another one."""
        if self._waiting.get(table_id) is shared:
            del self._waiting[table_id]
        for number in shared.numbers:
            if self._shared.get((table_id, number)) is shared:
                del self._shared[table_id, number]

    def clear(self) -> None:
        """Clear the cache, because a user was erased."""
        self._cached.clear()
        self._erasures += 1

    async def proof(self, record: TableRecord, number: RoundNumber | None = None) -> Proof | None:
        """Return the proof of the deal of a round; see `bot.history.verify.load_proof`.

        Raise `Refused` like `replay`.
        """
        key = ("proof", record.id, number)
        return await self._work.result(key, lambda: load_proof(self._store, record, number))

    async def build_for_all_rounds(
        self, record: TableRecord, purpose: Hashable, build: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        """Call `build` with all finished rounds of a table, in a thread, and return its result.

        Concurrent calls with the same `purpose` share one computation. Raise `Refused` like
        `replay`.
        """
        await check_deals_open(self._store, outline_or_refuse(record))
        key = ("all", record.id, purpose)
        return await self._work.result(key, lambda: self._build_for_all_rounds(record, build))

    async def _build_for_all_rounds(
        self, record: TableRecord, build: Callable[[Sequence[SeatedPlay]], T]
    ) -> T:
        actions = await self._store.tables.actions(record.id)
        seat_changes = await self._store.tables.seat_changes(record.id)
        table = outline_or_refuse(record)

        def build_result() -> T:
            return build(seated_plays(table, actions, seat_changes))

        try:
            return await asyncio.to_thread(build_result)
        except ReplayError as error:
            raise refuse_damaged(record, error) from None

    async def _replay_shared(
        self, record: TableRecord, table: TableState, shared: _SharedReplay
    ) -> dict[RoundNumber, Replay]:
        """Replay a match and return those of its requested rounds that are finished."""
        if self._waiting.get(record.id) is shared:
            del self._waiting[record.id]
        erasures_before = self._erasures
        try:
            actions = await self._store.tables.actions(record.id)
            seat_changes = await self._store.tables.seat_changes(record.id)
            numbers = frozenset(shared.numbers)
            replays = await asyncio.to_thread(replays_of, table, actions, seat_changes, numbers)
            if (
                self._erasures == erasures_before
            ):  # before `_drop`, so that nobody builds them again
                for number, replay in replays.items():
                    self._put((record.id, number), replay)
            return replays
        except ReplayError as error:
            raise refuse_damaged(record, error) from None
        finally:
            self._drop(record.id, shared)


def outline_or_refuse(record: TableRecord) -> TableState:
    """Return the outline of a table: chairs and options. Raise `Refused` if unreadable."""
    try:
        return restore_outline(record)
    except ReplayError as error:
        raise refuse_damaged(record, error) from None


MOST_TASKS = 64
"""Maximum number of tasks that run or wait."""

_T = TypeVar("_T")


class SharedWork:
    """Queue that runs one task at a time and shares it among requests with the same key.

    At most `most_tasks` tasks run or wait. Work in a thread still uses the CPU time of the same
    Python, and its reads use one of the few database connections, so more than one at a time would
    delay clicks.
    """

    def __init__(self, *, most_tasks: int = MOST_TASKS) -> None:
        self._most_tasks = most_tasks
        self._turn = asyncio.Lock()
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}

    async def result(self, key: Hashable, work: Callable[[], Awaitable[_T]]) -> _T:
        """Return the result of `work`, or that of the task in flight with the same `key`.

        Raise its exception, or `Refused` (``busy``) if the queue is full.
        """
        task: asyncio.Task[_T] | None = self._tasks.get(key)
        if task is None:
            if len(self._tasks) >= self._most_tasks:
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
