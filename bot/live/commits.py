"""Stores changes of open tables, and only then adopts and dispatches them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.ids import TableId, UserId
from bot.live.events import Committed, EventDispatcher
from bot.live.leases import Leases
from bot.live.registry import Live, Registry
from bot.live.restoring import read_one, told_damaged
from bot.records import Change, Ordinal, OutboxEntry
from bot.runtime.clock import Now
from bot.storage import Conflict, LeaseLost, Store
from bot.table.action_log import ReplayError
from bot.table.message_ids import Posted, remembered
from bot.table.outcome import Outcome
from bot.table.posts import new_nonce, outbox_entries, posts_caused
from bot.table.state import OpenTable

log = logging.getLogger(__name__)

_T = TypeVar("_T")


class Commits:
    """Stores outcomes, then dispatches `Committed`. The caller holds the table's lock."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        now: Now,
        events: EventDispatcher,
        leases: Leases,
    ) -> None:
        self._store = store
        self._leases = leases
        self._registry = registry
        self._now = now
        self._events = events

    async def commit(
        self, live: Live, outcome: Outcome, actor: UserId | None = None, *, told: bool = True
    ) -> OpenTable:
        """Store an outcome, then make it the table's state and tell the listener; that state.

        Unless it is to be `told`, no message is posted about it in the channel.
        Even if whoever asked is cancelled meanwhile: what is stored and what is shown never part.
        Raises `StorageError`; `Conflict` if another process has written the table, which is then
        as that one has left it; `LeaseLost` if another one serves it, and then it is let go here.
        """
        return await _to_its_end(self._write(live, outcome, actor, told=told))

    async def _write(
        self, live: Live, outcome: Outcome, actor: UserId | None, *, told: bool
    ) -> OpenTable:
        before, (after, change, events) = live.state, outcome
        posts = posts_caused(before, after, events, actor) if told else ()
        outbox = outbox_entries(posts, live.last_post + 1, self._now(), new_nonce)
        live.last_post += len(outbox)
        await self._store_next(live, change, outbox=outbox)
        self._adopt(live, Committed(before, after, events, actor, outbox))
        return after

    async def _store_next(
        self,
        live: Live,
        change: Change,
        *,
        outbox: tuple[OutboxEntry, ...] = (),
        delivered: tuple[Ordinal, ...] = (),
    ) -> None:
        """Store a change, with its messages, that builds on a table as this process knows it."""
        next_one = change.model_copy(
            update={
                "expected_version": live.version,
                "fence": live.fence,
                "outbox": outbox,
                "delivered": delivered,
            }
        )
        try:
            await self._store.tables.commit(live.state.id, next_one)
        except LeaseLost as error:
            self._leases.give_up(error.fence)
            raise
        except Conflict as error:
            log.error("change rejected, reloading the table: %s", error)
            await self.read_anew(live)
            raise
        live.version += 1

    async def read_anew(self, live: Live) -> None:
        """Let a table be as another process has left it; one that cannot be read is closed here.

        Raises `StorageUnavailable`; then it is tried again at the next change.
        """
        before = live.state
        try:
            stored = await read_one(self._store, before.id)
        except ReplayError as error:
            self._registry.damaged.add(told_damaged(before.id, before.channel_id, error))
            self._registry.remove(before)
            return
        live.version = stored.version
        live.last_post = max(live.last_post, stored.last_post)
        self._adopt(live, Committed(before, stored.event.state))

    def _adopt(self, live: Live, committed: Committed) -> None:
        """Make what is stored the table's state, and dispatch the event."""
        after = live.state = committed.after
        if not after.open:
            self._registry.remove(after)
        self._events.dispatch(committed)

    async def remember(self, live: Live, posted: Posted, delivered: tuple[Ordinal, ...]) -> None:
        """Store the ids of public messages; nothing else changes, and nobody is told.

        Raises as `commit` does.
        """
        await _to_its_end(self._remember(live, posted, delivered))

    async def _remember(self, live: Live, posted: Posted, delivered: tuple[Ordinal, ...]) -> None:
        after, change, _ = remembered(live.state, posted)
        await self._store_next(live, change, delivered=delivered)
        live.state = after

    async def delivered(self, table_id: TableId, numbers: tuple[Ordinal, ...]) -> None:
        """Store that these messages of a table, open or over, need not be sent any more."""
        await self._store.tables.commit(table_id, Change(delivered=numbers))

    async def rewritten(self, table_id: TableId, number: Ordinal, data: str) -> None:
        """Store what stands in a message that is still to be sent; none is added."""
        await self._store.tables.commit(table_id, Change(rewritten={number: data}))


async def _to_its_end(work: Coroutine[Any, Any, _T]) -> _T:
    """The result of work that goes on when whoever asked for it is cancelled, and is waited for."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise
