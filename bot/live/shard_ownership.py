"""Loads and releases tables with the leases of their servers; applies changes by other processes.

Such changes are settings and erasures. They are applied to the tables of this process after each
renewal of its leases.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

from bot.errors import Reason, Refused
from bot.ids import GuildId, TableId, UserId
from bot.live.events import EventDispatcher, LeasesGained, LeasesLost, Released, Restored
from bot.live.forgetting import Forgetting
from bot.live.leases import Leases
from bot.live.registry import Activation, Damaged, LoadedTable, Registry
from bot.live.restoring import StoredTable, read_all
from bot.records import Fence, TableRecord
from bot.runtime.clock import Clock
from bot.storage import Store
from bot.table.commands import Command, FollowSettings
from bot.table.state import Game

_READY_CHECK_S = 0.1
"""Interval between two checks whether the tables of a server are loaded, in seconds."""


class ShardOwnership:
    """Keeps the tables of the servers under lease in the registry."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clock: Clock,
        events: EventDispatcher,
        leases: Leases,
        activation: Activation,
    ) -> None:
        self._store = store
        self._registry = registry
        self._clock = clock
        self._events = events
        self._leases = leases
        self._activation = activation
        self._reading = asyncio.Lock()
        """Lock held while tables are loaded."""
        self._opened: frozenset[Fence] = frozenset()
        """The leases under which all tables have been read."""
        self._finished: list[Restored] = []
        """Events of finished tables with undelivered messages, which `activate_all` dispatches."""
        self._activated = False
        """True after `activate_all`; tables loaded later are activated at once."""
        events.subscribe(LeasesLost, lambda _: self.release())
        events.subscribe(LeasesGained, lambda _: self.take_over())

    def fence(self, guild_id: GuildId) -> Fence | None:
        """Return the fencing token of a server's lease.

        Raises `Refused` if this process does not serve the server.
        """
        if not self._leases.serves(guild_id):
            raise Refused(Reason.RESTARTING)
        return self._leases.fence(guild_id)

    def all_loaded(self, guild_id: GuildId) -> bool:
        """Return whether all open tables of a server are loaded.

        This takes a while after a lease is acquired. Until then, a table that is not in memory may
        still be open.
        """
        fence = self._leases.fence(guild_id)
        return fence is None or fence in self._opened

    def is_ready(self, guild_id: GuildId) -> bool:
        """Return whether this process serves a server, and all its open tables are loaded."""
        return self._leases.serves(guild_id) and self.all_loaded(guild_id)

    async def wait_until_ready(self, guild_id: GuildId, longest: timedelta) -> None:
        """Wait until this process serves a server, at most for this time."""
        end = self._clock.now() + longest
        while not self.is_ready(guild_id) and self._clock.now() < end:
            await self._clock.sleep(_READY_CHECK_S)

    async def open(self) -> None:
        """Load the open tables of this process's servers that are not loaded yet.

        They are inactive until `activate_all`, or until someone acts at one. Raises `StorageError`.
        """
        async with self._reading:
            fences_held = frozenset(self._leases.fences())
            fence_at_read: dict[TableId, Fence | None] = {}

            def wanted(record: TableRecord) -> bool:
                fence_at_read[record.id] = self._leases.fence(record.guild_id)
                return self._leases.serves(record.guild_id) and not self._is_loaded(record.id)

            for table in await read_all(self._store, self._clock.now(), wanted):
                if isinstance(table, Damaged):
                    self._registry.damaged.add(table)
                    continue
                state = table.event.state
                fence = self._leases.fence(state.guild_id)
                if fence != fence_at_read[state.id] or self._is_loaded(state.id):
                    continue  # the lease was lost, or the table loaded, during the read
                if state.open:
                    self.add(table, fence)
                else:
                    self._finished.append(table.event)
            self._opened = fences_held

    async def take_over(self) -> None:
        """Load the settings and tables of servers whose leases this process has just acquired.

        Raises `StorageError`.
        """
        await self._store.server_settings.load()
        await self.open()
        if self._activated:
            self.activate_all()

    def activate_all(self) -> None:
        """Activate all inactive tables, and dispatch the events of finished ones.

        Call it when the bot is connected. Clicks may have activated some tables before.
        """
        self._activated = True
        finished, self._finished = self._finished, []
        for event in finished:
            self._events.dispatch(event)
        for loaded in list(self._registry.all()):
            self._activation.activate(loaded)

    def _is_loaded(self, table_id: TableId) -> bool:
        """Return whether a table is loaded under a lease."""
        loaded = self._registry.find(table_id)
        return loaded is not None and loaded.fence is not None

    def add(self, table: StoredTable, fence: Fence | None) -> LoadedTable:
        """Register a table that was read under this lease, as inactive."""
        event = table.event
        self._registry.damaged.remove(event.state.id)  # an earlier read may have failed
        return self._registry.add(event.state, table.version, table.last_post, event, fence)

    def release(self) -> None:
        """Drop the tables that this process no longer serves from memory, without any write."""
        self._opened = self._opened.intersection(self._leases.fences())
        for loaded in list(self._registry.all()):
            state = loaded.state
            if loaded.fence != self._leases.fence(state.guild_id):
                self._registry.remove(state)
                self._events.dispatch(Released(state))
        serves = self._leases.serves
        self._finished = [event for event in self._finished if serves(event.state.guild_id)]


class OtherProcesses:
    """Applies settings and erasures that other processes have stored.

    `execute` is `Tables.execute`.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        forgetting: Forgetting,
        execute: Callable[[TableId, UserId, Command], Awaitable[object]],
    ) -> None:
        self._store = store
        self._registry = registry
        self._forgetting = forgetting
        self._execute = execute
        self._changed = set[UserId]()
        """Users whose new settings are not yet applied to their matches in this process."""
        self._may_seat_erased = True
        """True if erased users may still sit at tables of this process, as after its start."""

    async def follow(self) -> None:
        """Apply all changes. Raises `StorageError`; the rest is applied the next time."""
        changes = await self._store.personal_settings.catch_up()
        self._may_seat_erased |= changes.forgotten
        self._changed.update(changes.changed)
        for user_id in list(self._changed):
            await self._follow_settings(user_id)
            self._changed.discard(user_id)
        if self._may_seat_erased:
            await self._forgetting.follow()
            self._may_seat_erased = False

    async def _follow_settings(self, user_id: UserId) -> None:
        """Apply the settings of a user to their matches in this process."""
        settings = self._store.personal_settings.cached(user_id)
        for loaded in list(self._registry.all()):
            if isinstance(loaded.state, Game) and loaded.state.seat_of(user_id) is not None:
                with suppress(Refused):  # the match is over by now, or the user has left it
                    await self._execute(loaded.state.id, user_id, FollowSettings(settings))
