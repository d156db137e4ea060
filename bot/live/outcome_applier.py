"""Applies outcomes to loaded tables: stores the change, replaces the state, and dispatches it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.errors import WrittenElsewhere
from bot.ids import TableId, UserId
from bot.live.events import Committed, EventDispatcher, Released
from bot.live.leases import Leases
from bot.live.registry import LoadedTable, Registry
from bot.live.restoring import read_one, report_damaged
from bot.live.solo_games import SoloGames
from bot.records import Change, Ordinal, OutboxEntry
from bot.runtime.clock import Now
from bot.storage import Conflict, LeaseLost, Store
from bot.table.action_log import ReplayError
from bot.table.outcome import Outcome, Posted, outcome_of_message_ids
from bot.table.posts import new_nonce, outbox_entries, posts_caused
from bot.table.private_game import PrivateGame
from bot.table.solo_game import SoloGame
from bot.table.state import OpenTable

log = logging.getLogger(__name__)

_T = TypeVar("_T")


class OutcomeApplier:
    """Stores outcomes and dispatches `Committed`. Its callers hold the lock of the table."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        now: Now,
        events: EventDispatcher,
        leases: Leases,
        solo_games: SoloGames,
    ) -> None:
        self._store = store
        self._solo_games = solo_games
        self._leases = leases
        self._registry = registry
        self._now = now
        self._events = events

    async def apply(
        self,
        loaded: LoadedTable,
        outcome: Outcome,
        actor: UserId | None = None,
        *,
        notify: bool = True,
    ) -> OpenTable:
        """Commit an outcome, make its state the table's state, and dispatch it; return the state.

        A private game is not stored, and in a solo game the computers answer first. Without
        `notify` no message about the outcome is posted in the channel. The work continues if the
        caller is cancelled, so that the state in memory is always the stored one. Raises
        `StorageError`. If another process has written the table, the table is reloaded and
        `Conflict` raised, or `WrittenElsewhere` for a solo game. If another process serves the
        table, the lease is dropped and `LeaseLost` raised. Raises `Refused` if no computer can
        answer in a solo game.
        """
        return await shielded(self._apply(loaded, outcome, actor, notify=notify))

    async def _apply(
        self, loaded: LoadedTable, outcome: Outcome, actor: UserId | None, *, notify: bool
    ) -> OpenTable:
        before, (after, change, events) = loaded.state, outcome
        if isinstance(before, SoloGame):
            return await self._apply_solo(loaded, before, outcome, actor)
        if isinstance(after, PrivateGame):
            after = after.ended_with_round()
            self._adopt(loaded, Committed(before, after, events, actor))
            return after
        posts = posts_caused(before, after, events, actor) if notify else ()
        outbox = outbox_entries(posts, loaded.last_post + 1, self._now(), new_nonce)
        loaded.last_post += len(outbox)
        await self._commit(loaded, change, outbox=outbox)
        self._adopt(loaded, Committed(before, after, events, actor, outbox))
        return after

    async def _apply_solo(
        self, loaded: LoadedTable, before: SoloGame, outcome: Outcome, actor: UserId | None
    ) -> OpenTable:
        """Let the computers answer in a solo game, and store both; see `apply`."""
        try:
            after, events = await self._solo_games.go_on(before, outcome.change.actions)
        except WrittenElsewhere:
            current = await self._solo_games.reload(before)
            if current is None:
                self._registry.remove(before)
                self._events.dispatch(Released(before))
            else:
                self._adopt(loaded, Committed(before, current))
            raise
        if after is not before:
            self._adopt(loaded, Committed(before, after, events, actor))
        return after

    async def _commit(
        self,
        loaded: LoadedTable,
        change: Change,
        *,
        outbox: tuple[OutboxEntry, ...] = (),
        delivered: tuple[Ordinal, ...] = (),
    ) -> None:
        """Commit a change and its messages.

        Raises `Conflict` after reloading the table if another process has changed it, and
        `LeaseLost` after dropping the lease.
        """
        versioned = change.model_copy(
            update={
                "expected_version": loaded.version,
                "fence": loaded.fence,
                "outbox": outbox,
                "delivered": delivered,
            }
        )
        try:
            await self._store.tables.commit(loaded.state.id, versioned)
        except LeaseLost as error:
            self._leases.give_up(error.fence)
            raise
        except Conflict as error:
            log.error("change rejected, reloading the table: %s", error)
            await self.reload(loaded)
            raise
        loaded.version += 1

    async def reload(self, loaded: LoadedTable) -> None:
        """Replace the state of a table with the stored one; remove a table that cannot be read.

        Raises `StorageUnavailable`. Then the table is reloaded at its next change, which has the
        same conflict.
        """
        before = loaded.state
        try:
            stored = await read_one(self._store, before.id)
        except ReplayError as error:
            self._registry.damaged.add(report_damaged(before.id, before.channel_id, error))
            self._registry.remove(before)
            return
        loaded.version = stored.version
        loaded.last_post = max(loaded.last_post, stored.last_post)
        self._adopt(loaded, Committed(before, stored.event.state))

    def _adopt(self, loaded: LoadedTable, committed: Committed) -> None:
        """Make the committed state the table's state, and dispatch the event."""
        after = loaded.state = committed.after
        if not after.open:
            self._registry.remove(after)
        self._events.dispatch(committed)

    async def store_message_ids(
        self, loaded: LoadedTable, posted: Posted, delivered: tuple[Ordinal, ...]
    ) -> None:
        """Store the ids of posted messages, without an event.

        Also delete the outbox messages with the numbers `delivered`. Raises the errors of `apply`.
        """
        await shielded(self._store_message_ids(loaded, posted, delivered))

    async def _store_message_ids(
        self, loaded: LoadedTable, posted: Posted, delivered: tuple[Ordinal, ...]
    ) -> None:
        after, change, _ = outcome_of_message_ids(loaded.state, posted)
        await self._commit(loaded, change, delivered=delivered)
        loaded.state = after

    async def delete_delivered(self, table_id: TableId, numbers: tuple[Ordinal, ...]) -> None:
        """Delete delivered outbox messages of a table, which may be over."""
        await self._store.tables.commit(table_id, Change(delivered=numbers))

    async def rewrite_message(self, table_id: TableId, number: Ordinal, data: str) -> None:
        """Replace the data of an outbox message, unless it is deleted."""
        await self._store.tables.commit(table_id, Change(rewritten={number: data}))


async def shielded(work: Coroutine[Any, Any, _T]) -> _T:
    """Await `work`, shielded from the caller's cancellation.

    A cancelled caller still waits until the work has ended.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise
