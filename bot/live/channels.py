"""The channels, threads and messages of tables.

A table that is paused and deserted yields its channel to a new table (`OpenTable.yields`). Apart
from such tables, a channel has at most one. The delivery layer stores the ids of posted messages
here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Unpack

from bot.ids import ChannelId, TableId, UserId
from bot.live.outcome_applier import OutcomeApplier
from bot.live.registry import Activation, Registry
from bot.records import Change, Ordinal
from bot.runtime.clock import Now
from bot.storage import Store
from bot.table.closing import stop_outcome
from bot.table.details import LostThread, MessageIds
from bot.table.interruptions import pause_for_lost_thread
from bot.table.outcome import Outcome, Posted, details_only, write_details
from bot.table.posts import Post
from bot.table.state import Game, OpenTable
from bot.table.turn_based import schedule_nudges


class Channels:
    """Assigns channels to tables, and closes, pauses or moves tables whose channel is lost."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        applier: OutcomeApplier,
        activation: Activation,
        now: Now,
    ) -> None:
        self._store = store
        self._registry = registry
        self._applier = applier
        self._activation = activation
        self._now = now

    # --- assignment ------------------------------------------------------------------------------

    def is_taken(self, channel_id: ChannelId) -> bool:
        """Return whether a table has this channel and does not yield it."""
        loaded = self._registry.in_channel(channel_id)
        return loaded is not None and not loaded.state.yields

    async def release(self, channel_id: ChannelId) -> None:
        """Store that the tables in this channel no longer hold it, so that a new table can."""
        tables = self._registry.all_in_channel(channel_id)
        if tables:
            await self._store.tables.release_channels([loaded.state.id for loaded in tables])

    # --- lost channels and threads ---------------------------------------------------------------

    async def close_table(self, table_id: TableId) -> None:
        """Close a table whose channel was deleted, without a message.

        Do nothing if it is closed already.
        """
        loaded = self._registry.find(table_id)
        if loaded is not None:
            async with self._activation.locked(loaded):
                if loaded.state.open:
                    closing = stop_outcome(loaded.state, self._now())
                    await self._applier.apply(loaded, closing, notify=False)

    async def halt(self, table_id: TableId, thread_id: ChannelId, lost: LostThread) -> bool:
        """Pause a turn-based table that has lost its thread; return whether that changed anything.

        Do nothing if the table has moved to another thread. Its players are notified once
        (`LostThreadPost`). Any action of one of them resumes the table. Raises `StorageError`.
        """
        loaded = self._registry.find(table_id)
        if loaded is None:
            return False
        async with self._activation.locked(loaded):
            game = loaded.state
            in_thread = game.channel_id == thread_id
            if in_thread and isinstance(game, Game) and game.running and game.options.turn_based:
                after = pause_for_lost_thread(game, lost, self._now())
                if after is not game:
                    await self._applier.apply(loaded, details_only(after))
                    return True
        return False

    async def move(
        self, table_id: TableId, lost_thread_id: ChannelId, new_thread_id: ChannelId
    ) -> OpenTable:
        """Move a table from its lost thread to another thread of the same channel.

        The ids of its previous messages are dropped. Return the table. If another click has moved
        it first, it stays in the thread of that click. Raises `Refused` if it is over, and
        `StorageError`.
        """
        loaded = self._registry.get(table_id)
        async with self._activation.locked(loaded):
            if loaded.state.channel_id == lost_thread_id:
                after = replace(loaded.state, channel_id=new_thread_id, messages=MessageIds())
                ids: dict[str, Any] = {"lobby_message_id": None, "table_message_id": None}
                change = Change(channel_id=new_thread_id, details=write_details(after), **ids)
                await self._applier.apply(loaded, Outcome(after, change))
                self._registry.update_channel(loaded, lost_thread_id)
            return loaded.state


class TableMessages:
    """Stores the ids of posted messages, changes of outbox messages, and postponed nudges."""

    def __init__(self, registry: Registry, applier: OutcomeApplier, activation: Activation) -> None:
        self._registry = registry
        self._applier = applier
        self._activation = activation

    async def store_ids(
        self, table_id: TableId, *, delivered: tuple[Ordinal, ...] = (), **posted: Unpack[Posted]
    ) -> None:
        """Store the ids of posted messages, to find them again after a restart.

        Also delete the outbox messages with the numbers `delivered`. Raises `StorageError`.
        """
        loaded = self._registry.find(table_id)
        if loaded is not None and posted:
            async with self._activation.locked(loaded):
                await self._applier.store_message_ids(loaded, posted, delivered)
        elif delivered:  # the table may be over, and its state does not change
            await self._applier.delete_delivered(table_id, delivered)

    async def rewrite(self, table_id: TableId, number: Ordinal, post: Post) -> None:
        """Replace the data of an outbox message. Raises `StorageError`."""
        await self._applier.rewrite_message(table_id, number, post.model_dump_json())

    async def nudge_later(
        self, table_id: TableId, turn: str, times: Mapping[UserId, datetime]
    ) -> None:
        """Schedule another nudge of these people, by user and time, for this turn.

        Raises `StorageError`.
        """
        loaded = self._registry.find(table_id)
        if loaded is None:
            return
        async with self._activation.locked(loaded):
            game = loaded.state
            if isinstance(game, Game):
                after = schedule_nudges(game, turn, times)
                if after is not game:
                    await self._applier.apply(loaded, details_only(after))
