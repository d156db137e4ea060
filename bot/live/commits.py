"""Changes of open tables: stored, and only then the table's state and told to the listener."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.computers.thinking import Thinking
from bot.ids import TableId, UserId
from bot.live.events import Committed, News
from bot.live.registry import Live, Registry
from bot.live.restoring import read_one
from bot.records import Change, Ordinal
from bot.runtime.clock import Clock
from bot.storage import Conflict, Store
from bot.table.message_ids import Posted, remembered
from bot.table.outcome import Outcome
from bot.table.posts import new_nonce, outbox_entries, posts_caused
from bot.table.state import OpenTable

log = logging.getLogger(__name__)


class Commits:
    """Carries outcomes into the store, and from there to everybody who has to know.

    `ring` is what the alarm of a table does. Whoever commits holds the table's lock.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clock: Clock,
        thinking: Thinking,
        news: News,
        ring: Callable[[TableId], Awaitable[None]],
    ) -> None:
        self._store = store
        self._registry = registry
        self._clock = clock
        self._thinking = thinking
        self._news = news
        self._ring = ring

    async def commit(
        self, live: Live, outcome: Outcome, actor: UserId | None = None, *, told: bool = True
    ) -> OpenTable:
        """Store an outcome, then make it the table's state and tell the listener; that state.

        Unless it is to be `told`, no message is posted about it in the channel.
        Even if whoever asked is cancelled meanwhile: what is stored and what is shown never part.
        Raises `StorageError`; `Conflict` if somebody else writes to the same database, after the
        table was read anew.
        """
        work = asyncio.ensure_future(self._write(live, outcome, actor, told=told))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.gather(work, return_exceptions=True)
            raise

    async def _write(
        self, live: Live, outcome: Outcome, actor: UserId | None, *, told: bool
    ) -> OpenTable:
        before, (after, change, events) = live.state, outcome
        posts = posts_caused(before, after, events, actor) if told else ()
        outbox = outbox_entries(posts, live.last_post + 1, self._clock.now(), new_nonce)
        live.last_post += len(outbox)
        try:
            await self._store.tables.commit(before.id, change.model_copy(update={"outbox": outbox}))
        except Conflict as error:
            log.error("%s: the table is read anew", error)
            stored = await read_one(self._store, before.id)
            live.last_post = max(live.last_post, stored.last_post)
            self._adopt(live, Committed(before, stored.event.state))
            raise
        self._adopt(live, Committed(before, after, events, actor, outbox))
        return after

    def _adopt(self, live: Live, committed: Committed) -> None:
        """Make what is stored the table's state, and tell the listener."""
        after = live.state = committed.after
        if not after.open:
            self._registry.remove(after)
        self.set_alarm(after)
        self._news.tell(committed)
        self._thinking.consider(after)

    def set_alarm(self, state: OpenTable) -> None:
        """Set the clock of a table to what is due next."""
        table_id = state.id
        self._clock.set(table_id, state.timers.next, lambda: self._ring(table_id))

    async def remember(self, live: Live, posted: Posted, delivered: tuple[Ordinal, ...]) -> None:
        """Store the ids of public messages; nothing else changes, and nobody is told."""
        after, change, _ = remembered(live.state, posted)
        change = change.model_copy(update={"delivered": delivered})
        await self._store.tables.commit(after.id, change)
        live.state = after

    async def delivered(self, table_id: TableId, numbers: tuple[Ordinal, ...]) -> None:
        """Store that these messages of a table, open or over, need not be sent any more."""
        await self._store.tables.commit(table_id, Change(delivered=numbers))
