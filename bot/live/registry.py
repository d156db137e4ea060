"""Registry of open tables by id and by channel, their activation, and damaged tables.

A table that was read from storage is inactive until the bot is connected, or until somebody acts
there. An inactive table has no timer and no change in flight.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.ids import ChannelId, TableId, UserId
from bot.live.events import EventDispatcher, Restored
from bot.records import LARGEST_NUMBER, Count, Fence
from bot.runtime.clock import Now
from bot.runtime.logs import ErrorId
from bot.runtime.throttled_log import ThrottledLog
from bot.table.deadlines import after_downtime, kept_people_waiting
from bot.table.private_game import GameForOne
from bot.table.solo_game import SOLO_IDS
from bot.table.state import OpenTable


class LoadedTable:
    """An open table in memory, with its lock and stored version."""

    __slots__ = (
        "activation_event",
        "clicks",
        "fence",
        "last_post",
        "lock",
        "state",
        "failure_log",
        "version",
    )

    def __init__(
        self,
        state: OpenTable,
        version: Count,
        last_post: Count,
        activation_event: Restored | None = None,
        fence: Fence | None = None,
    ) -> None:
        self.state = state
        """Committed state; replaced after each commit."""
        self.version = version
        """Version of the stored row, to detect changes by other processes."""
        self.last_post = last_post
        """Number of the last outbox message."""
        self.activation_event = activation_event
        """Event to dispatch on activation; `None` if the table is active.

        An inactive table has no timer. Code that takes the lock to change a table activates it
        first, so an inactive table has no change in flight.
        """
        self.fence = fence
        """Fencing token of the lease under which the table was read."""
        self.clicks: dict[UserId, datetime] = {}
        """Time of the last click of each user.

        The times are only in memory. Clicks of a person who plays alone also extend a stored
        deadline.
        """
        self.lock = asyncio.Lock()
        """Held while the table is changed."""
        self.failure_log: ThrottledLog | None = None
        """Throttled log of failing timers, created at the first failure."""


class Registry:
    """The open tables of all servers.

    A channel has at most one table, apart from paused ones that yield the channel.
    """

    def __init__(self) -> None:
        self.damaged = DamagedTables()
        """Tables that should be open but could not be read."""
        self._by_id: dict[TableId, LoadedTable] = {}
        self._by_channel: dict[ChannelId, dict[TableId, LoadedTable]] = {}
        self._private: dict[TableId, LoadedTable] = {}
        """Games of one person, which only `get` and `find` return."""

    def add(
        self,
        state: OpenTable,
        version: Count,
        last_post: Count,
        activation_event: Restored | None = None,
        fence: Fence | None = None,
    ) -> LoadedTable:
        """Add an open table; see `LoadedTable` for the parameters."""
        loaded = LoadedTable(state, version, last_post, activation_event, fence)
        self._by_id[state.id] = loaded
        self._by_channel.setdefault(state.channel_id, {})[state.id] = loaded
        return loaded

    def add_private(self, game: GameForOne) -> LoadedTable:
        """Add a game of one person, in place of one with the same id."""
        loaded = self._private[game.id] = LoadedTable(game, version=0, last_post=0)
        return loaded

    def private_games(self) -> list[LoadedTable]:
        """Return the games of one person."""
        return list(self._private.values())

    def remove(self, state: OpenTable) -> None:
        """Remove a table that is over."""
        self._private.pop(state.id, None)
        self._by_id.pop(state.id, None)
        in_channel = self._by_channel.get(state.channel_id, {})
        in_channel.pop(state.id, None)
        if not in_channel:
            self._by_channel.pop(state.channel_id, None)

    def update_channel(self, loaded: LoadedTable, lost_thread_id: ChannelId) -> None:
        """Register a table under its new channel instead of its lost thread."""
        self._by_channel.pop(lost_thread_id, None)
        self._by_channel.setdefault(loaded.state.channel_id, {})[loaded.state.id] = loaded

    def get(self, table_id: TableId) -> LoadedTable:
        """Return the open table with this id. Raise `Refused` if there is none."""
        loaded = self.find(table_id)
        if loaded is None:
            if table_id >= SOLO_IDS:
                raise Refused(Reason.SOLO_ROUND_OVER)
            if table_id > LARGEST_NUMBER:
                raise Refused(Reason.PRIVATE_GAME_OVER)
            self.damaged.check(table_id)
            raise Refused(Reason.TABLE_OVER)
        return loaded

    def find(self, table_id: TableId) -> LoadedTable | None:
        """Return the open table with this id, if any."""
        return self._by_id.get(table_id) or self._private.get(table_id)

    def in_channel(
        self, channel_id: ChannelId, user_id: UserId | None = None
    ) -> LoadedTable | None:
        """Return the open table of a channel, or `None`.

        A table that does not yield the channel comes first, then one at which this user sits, then
        the newest one.
        """

        def rank(loaded: LoadedTable) -> tuple[bool, bool, TableId]:
            table = loaded.state
            sits = user_id is not None and table.seat_of(user_id) is not None
            return (not table.yields, sits, table.id)

        return max(self.all_in_channel(channel_id), key=rank, default=None)

    def all_in_channel(self, channel_id: ChannelId) -> tuple[LoadedTable, ...]:
        """Return every open table of a channel or thread."""
        return tuple(self._by_channel.get(channel_id, {}).values())

    def all(self) -> Iterator[LoadedTable]:
        """Yield every open table."""
        return iter(self._by_id.values())


class Damaged(NamedTuple):
    """A table that is stored as open but cannot be read."""

    table_id: TableId
    channel_id: ChannelId
    error: ErrorId
    """The id of the error in the log."""


class DamagedTables:
    """The damaged tables found so far."""

    def __init__(self) -> None:
        self._by_id: dict[TableId, Damaged] = {}

    def __iter__(self) -> Iterator[Damaged]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def add(self, damaged: Damaged) -> None:
        """Add a table that cannot be read."""
        self._by_id[damaged.table_id] = damaged

    def remove(self, table_id: TableId) -> None:
        """Remove a table that was closed."""
        self._by_id.pop(table_id, None)

    def check(self, table_id: TableId) -> None:
        """Raise `Refused` (``table-damaged``) if this table is damaged."""
        if (damaged := self._by_id.get(table_id)) is not None:
            raise Refused(Reason.TABLE_DAMAGED, error=damaged.error)

    def check_channel(self, channel_id: ChannelId) -> None:
        """Raise `Refused` (``table-damaged``) if the table of this channel is damaged."""
        for damaged in self:
            if damaged.channel_id == channel_id:
                raise Refused(Reason.TABLE_DAMAGED, error=damaged.error)


class Activation:
    """Activates tables that were read from storage."""

    def __init__(self, now: Now, events: EventDispatcher) -> None:
        self._now = now
        self._events = events

    def activate(self, loaded: LoadedTable) -> None:
        """Activate a table, if it is inactive, by dispatching `Restored`.

        The handlers of this event start the timers. Undelivered messages are part of the event, so
        they are sent before newer messages. Deadlines that expired during downtime get a grace
        period. Last clicks are stored only for people who play alone, so after a restart everybody
        else counts as present.
        """
        event, loaded.activation_event = loaded.activation_event, None
        if event is not None:
            now = self._now()
            late = kept_people_waiting(loaded.state, now)
            loaded.state = after_downtime(loaded.state, now)
            if "idle" not in loaded.state.timers.deadlines:
                loaded.clicks = dict.fromkeys(loaded.state.user_ids(), now)
            self._events.dispatch(replace(event, state=loaded.state, late=late))

    @asynccontextmanager
    async def locked(self, loaded: LoadedTable) -> AsyncIterator[None]:
        """Hold the lock of a table for the block, after activating the table."""
        async with loaded.lock:
            self.activate(loaded)
            yield
