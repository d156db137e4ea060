"""The open tables, by id and by channel; `bot.live.service` changes them.

A change is committed under its table's lock; only then is it the table's state, its clock is set
and the listener (the Discord surface) is told.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator

from bot.computers.thinking import Thinking
from bot.errors import Reason, Refused
from bot.live.events import Happened, Listener
from bot.runtime.clock import Clock
from bot.storage import Conflict, Store
from bot.table.action_log import ReplayError
from bot.table.deadlines import after_downtime
from bot.table.outcome import Outcome
from bot.table.restore import restored
from bot.table.state import OpenTable

log = logging.getLogger(__name__)


class Live:
    """An open table: its current state and its lock."""

    __slots__ = ("lock", "state")

    def __init__(self, state: OpenTable) -> None:
        self.state = state
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
        for record in await self._store.open_tables():
            try:
                self._admit(restored(record, await self._store.actions(record.id)))
            except ReplayError as error:
                log.error("table %s is not restored: %s", record.id, error)
        return list(self.all())

    def wake(self) -> None:
        """Set the clocks of all tables; people get a moment for what ran out meanwhile."""
        now = self._clock.now()
        for live in self._open.values():
            live.state = after_downtime(live.state, now)
            self._arm(live.state)
            self._thinking.consider(live.state)

    def _admit(self, state: OpenTable) -> None:
        self._open[state.id] = Live(state)
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
        table_id = live.state.id
        try:
            await self._store.commit(table_id, outcome.change)
        except Conflict as error:  # somebody else writes to the same database
            log.error("%s: the table is read anew", error)
            self._adopt(live, Happened(live.state, await self._stored(table_id)))
            raise
        self._adopt(live, Happened(live.state, outcome.after, outcome.events, actor))
        return outcome.after

    def _adopt(self, live: Live, happened: Happened) -> None:
        """Make what is stored the table's state, set its clock and tell the listener."""
        after = live.state = happened.after
        if not after.open:
            self._open.pop(after.id, None)
            self._by_channel.pop(after.channel_id, None)
        self._arm(after)
        if self.listener is not None:
            self.listener.happened(happened)
        self._thinking.consider(after)

    async def _stored(self, table_id: int) -> OpenTable:
        """A table as the store has it. Raises `ReplayError`."""
        record = await self._store.table(table_id)
        if record is None:
            raise ReplayError(0)
        return restored(record, await self._store.actions(table_id))
