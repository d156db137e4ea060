"""Tables are opened where this process serves, and let go where another one does."""

from __future__ import annotations

import asyncio

from bot.computers.thinking import Thinking
from bot.errors import Reason, Refused
from bot.ids import GuildId, TableId
from bot.live.events import LetGo, News, Restored
from bot.live.leases import Leases
from bot.live.registry import Damaged, Live, Registry
from bot.live.restoring import Found, read_all
from bot.records import Fence, TableRecord
from bot.runtime.clock import Clock
from bot.storage import Store


class Serving:
    """Follows the `leases` of this process: the tables of its servers are in the registry.

    `clocks` are those that have an alarm for a table.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clocks: tuple[Clock, ...],
        thinking: Thinking,
        news: News,
        leases: Leases,
    ) -> None:
        self._store = store
        self._registry = registry
        self._clocks = clocks
        self._thinking = thinking
        self._news = news
        self._leases = leases
        self._reading = asyncio.Lock()
        self._opened: frozenset[Fence] = frozenset()
        """The leases under which all tables have been read."""
        self.over: list[Restored] = []
        """Tables that are over, and have messages that are told when all wake."""
        leases.lost = self.let_go

    def fence(self, guild_id: GuildId) -> Fence | None:
        """The lease under which this process serves a server; `Refused` if it does not."""
        if not self._leases.serves(guild_id):
            raise Refused(Reason.RESTARTING)
        return self._leases.fence(guild_id)

    def has_all(self, guild_id: GuildId) -> bool:
        """Whether every open table of a server is open here: a new lease takes a while to read."""
        fence = self._leases.fence(guild_id)
        return fence is None or fence in self._opened

    async def read(self) -> None:
        """Open every table that is open where this process serves, and is not open here by a lease.

        They sleep. Raises `StorageError`.
        """
        async with self._reading:
            held = frozenset(self._leases.fences())
            fences: dict[TableId, Fence | None] = {}

            def wanted(record: TableRecord) -> bool:
                fences[record.id] = self._leases.fence(record.guild_id)
                return self._leases.serves(record.guild_id) and not self._has(record.id)

            for found in await read_all(self._store, self._clocks[0].now(), wanted):
                if isinstance(found, Damaged):
                    self._registry.damaged[found.table_id] = found
                    continue
                state = found.event.state
                fence = self._leases.fence(state.guild_id)
                if fence != fences[state.id] or self._has(state.id):
                    continue  # it was lost, or opened by somebody, while all were read
                if state.open:
                    self.add(found, fence)
                else:
                    self.over.append(found.event)
            self._opened = held

    def _has(self, table_id: TableId) -> bool:
        """Whether a table is open here by a lease."""
        live = self._registry.find(table_id)
        return live is not None and live.fence is not None

    def add(self, restored: Found, fence: Fence | None) -> Live:
        """Add a table that was read back under this lease; it sleeps."""
        event = restored.event
        return self._registry.add(event.state, restored.version, restored.last_post, event, fence)

    def let_go(self) -> None:
        """Close all tables that this process does not serve any more; nothing of them changes."""
        self._opened = self._opened.intersection(self._leases.fences())
        for live in list(self._registry.all()):
            state = live.state
            if live.fence != self._leases.fence(state.guild_id):
                self._registry.remove(state)
                for clock in self._clocks:
                    clock.set(state.id, None, _nothing)
                self._thinking.forget(state.id)
                self._news.tell(LetGo(state))
        self.over = [event for event in self.over if self._leases.serves(event.state.guild_id)]


async def _nothing() -> None:
    """What an alarm does that is never set."""
