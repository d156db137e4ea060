"""The open tables, by id and by channel; `bot.live.service` changes them.

A change is committed under its table's lock; only then is it the table's state, its clock is set
and the listener (the Discord surface) is told.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from bot.computers.thinking import Thinking
from bot.errors import Reason, Refused
from bot.live.events import Committed, Listener, LiveEvent, Outgoing, Restored
from bot.records import ActionRecord, OutboxEntry, TableRecord
from bot.runtime.clock import Clock
from bot.runtime.logs import kind_and_place
from bot.storage import Conflict, Store
from bot.table.action_log import ReplayError
from bot.table.deadlines import after_downtime
from bot.table.outcome import Outcome
from bot.table.posts import (
    UNDELIVERED_FOR,
    ResultPost,
    outbox_entries,
    posts_caused,
    read_post,
)
from bot.table.restore import restored, restored_at
from bot.table.state import OpenTable

log = logging.getLogger(__name__)


class Live:
    """An open table: its current state, its lock, and the number of its last message."""

    __slots__ = ("last_post", "lock", "state")

    def __init__(self, state: OpenTable, last_post: int = 0) -> None:
        self.state = state
        self.last_post = last_post
        self.lock = asyncio.Lock()


class OpenTables(ABC):
    """The open tables: found, restored, committed and told about."""

    def __init__(self, store: Store, clock: Clock, thinking: Thinking) -> None:
        self.listener: Listener | None = None
        self._store = store
        self._clock = clock
        self._thinking = thinking
        self._open: dict[int, Live] = {}
        self._by_channel: dict[int, int] = {}
        self._restored: list[Restored] = []

    @abstractmethod
    async def ring(self, table_id: int) -> None:
        """Do what is due on a table; called by its alarm."""

    # --- looking -------------------------------------------------------------------------------

    def get(self, table_id: int) -> OpenTable:
        """The state of an open table; `Refused` when it is over or never was."""
        return self._live(table_id).state

    def find(self, table_id: int) -> OpenTable | None:
        """The state of a table if it is open."""
        live = self._open.get(table_id)
        return live.state if live is not None else None

    def in_channel(self, channel_id: int) -> OpenTable | None:
        """The open table of a channel or thread."""
        table_id = self._by_channel.get(channel_id)
        return self._open[table_id].state if table_id is not None else None

    def all(self) -> Iterator[OpenTable]:
        """Every open table."""
        return (live.state for live in self._open.values())

    def _live(self, table_id: int) -> Live:
        live = self._open.get(table_id)
        if live is None:
            raise Refused(Reason.TABLE_OVER)
        return live

    # --- start-up ------------------------------------------------------------------------------

    async def open(self) -> list[OpenTable]:
        """Rebuild every open table from its actions; their clocks start when `wake` is called.

        A table whose log does not replay is left alone and logged, the others go on.
        """
        too_old = self._clock.now() - UNDELIVERED_FOR
        if forgotten := await self._store.tables.forget_undelivered(too_old):
            log.warning("%s messages could not be delivered for too long", forgotten)
        undelivered = await self._store.tables.undelivered()
        for record in await self._store.tables.all_open():
            await self._restore_or_log(record, undelivered.pop(record.id, ()))
        for table_id, entries in undelivered.items():  # of tables that are over
            over = await self._store.tables.get(table_id)
            if over is not None:
                await self._restore_or_log(over, entries)
        return list(self.all())

    async def _restore_or_log(self, record: TableRecord, entries: Sequence[OutboxEntry]) -> None:
        """Restore a table, which `wake` tells; one that cannot be restored is logged."""
        try:
            self._restored.append(await self._restore(record, entries))
        except (ReplayError, ValueError) as error:
            log.error("table %s is not restored: %s", record.id, error)

    async def _restore(self, record: TableRecord, entries: Sequence[OutboxEntry]) -> Restored:
        """Rebuild a table, with the messages that have not reached its channel.

        What is to be told of it. Raises `ReplayError`. A message that cannot be read is left out,
        but keeps its number: it stays in the store, for a version that can read it.
        """
        actions = await self._store.tables.actions(record.id)
        table = restored(record, actions)
        outgoing: list[Outgoing] = []
        for entry in entries:
            try:
                outgoing.append(_outgoing(record, actions, entry))
            except (ReplayError, ValueError) as error:
                number = entry.number
                log.error("table %s: message %s is left out: %s", record.id, number, error)
        if table.open:
            self._admit(table, _last_number(entries))
        return Restored(table, tuple(outgoing))

    def wake(self) -> None:
        """Tell what was restored and set all clocks; people get a moment for what ran out."""
        told, self._restored = self._restored, []
        for event in told:
            self.tell(event)
        for live in self._open.values():
            self._wake(live)

    def _wake(self, live: Live) -> None:
        """Set the clock of a table that was restored."""
        live.state = after_downtime(live.state, self._clock.now())
        self._arm(live.state)
        self._thinking.consider(live.state)

    def tell(self, event: LiveEvent) -> None:
        """Tell the listener, if there is one.

        What has happened is stored by now: an error of the listener is logged, not raised.
        """
        if self.listener is None:
            return
        try:
            self.listener.hear(event)
        except Exception as error:  # noqa: BLE001 - its text may name cards
            told = type(event).__name__
            log.error("the listener failed at %s: %s", told, kind_and_place(error))

    def _admit(self, state: OpenTable, last_post: int = 0) -> None:
        self._open[state.id] = Live(state, last_post)
        self._by_channel[state.channel_id] = state.id

    def _arm(self, state: OpenTable) -> None:
        table_id = state.id
        self._clock.set(table_id, state.timers.next, lambda: self.ring(table_id))

    # --- changing ------------------------------------------------------------------------------

    async def _commit(self, live: Live, outcome: Outcome, actor: int | None) -> OpenTable:
        """Store an outcome, then make it the table's state and tell the listener.

        Even if whoever asked is cancelled meanwhile: what is stored and what is shown never part.
        """
        work = asyncio.ensure_future(self._write(live, outcome, actor))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.gather(work, return_exceptions=True)
            raise

    async def _write(self, live: Live, outcome: Outcome, actor: int | None) -> OpenTable:
        before, (after, change, events) = live.state, outcome
        posts = posts_caused(before, after, events, actor)
        outbox = outbox_entries(posts, live.last_post + 1, self._clock.now())
        live.last_post += len(outbox)
        try:
            await self._store.tables.commit(before.id, change.model_copy(update={"outbox": outbox}))
        except Conflict as error:  # somebody else writes to the same database
            log.error("%s: the table is read anew", error)
            theirs = _last_number(await self._undelivered(before.id))
            live.last_post = max(live.last_post, theirs)
            self._adopt(live, Committed(before, await self._stored(before.id)))
            raise
        self._adopt(live, Committed(before, after, events, actor, outbox))
        return after

    def _adopt(self, live: Live, committed: Committed) -> None:
        """Make what is stored the table's state, set its clock and tell the listener."""
        after = live.state = committed.after
        if not after.open:
            self._open.pop(after.id, None)
            self._by_channel.pop(after.channel_id, None)
        self._arm(after)
        self.tell(committed)
        self._thinking.consider(after)

    async def _stored(self, table_id: int) -> OpenTable:
        """A table as the store has it. Raises `ReplayError`."""
        record = await self._record(table_id)
        return restored(record, await self._store.tables.actions(table_id))

    async def _record(self, table_id: int) -> TableRecord:
        """What is stored of a table besides its actions. Raises `ReplayError` if it is not."""
        record = await self._store.tables.get(table_id)
        if record is None:
            raise ReplayError(0)
        return record

    async def _undelivered(self, table_id: int) -> Sequence[OutboxEntry]:
        """The stored messages of a table that have not reached its channel, by number."""
        return (await self._store.tables.undelivered()).get(table_id, ())


def _last_number(entries: Sequence[OutboxEntry]) -> int:
    """The largest number of these messages, 0 if there is none."""
    return max((entry.number for entry in entries), default=0)


def _outgoing(record: TableRecord, actions: Sequence[ActionRecord], entry: OutboxEntry) -> Outgoing:
    """A stored message with the table as it was when it was caused."""
    post = read_post(entry)
    seq = post.seq if isinstance(post, ResultPost) else len(actions)
    return Outgoing(entry, restored_at(record, actions, seq))
