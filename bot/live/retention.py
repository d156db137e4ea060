"""Erasure of servers that the bot was removed from, after a retention period.

The bot checks once a day which servers it is in. After it was removed from a server, the server's
data are kept for the configured number of days, in case it is added again. Then the tables are
detached from the server, its leaderboards and names are deleted, and people who have played nowhere
else are erased completely. The work is done in small steps.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from bot.ids import GuildId
from bot.live.leases import Leases
from bot.live.service import Tables
from bot.runtime.clock import Clock
from bot.storage import StorageError, Store

log = logging.getLogger(__name__)

_FIRST_DELAY = timedelta(minutes=10)
"""Delay after the start, when players need the database most."""
_INTERVAL = timedelta(days=1)
_RETRY_DELAY = timedelta(minutes=10)
_BATCH = 100
"""Largest number of people erased in one step."""


class Retention:
    """Erases servers that the bot was removed from `days` ago; 0 disables this.

    `joined_servers` returns the servers that the bot is in. With `leases`, each process handles
    only the servers that it serves.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        clock: Clock,
        joined_servers: Callable[[], Collection[GuildId]],
        *,
        days: int,
        leases: Leases | None = None,
    ) -> None:
        self._leases = leases or Leases(store.leases, clock, tables.events)
        self._store = store
        self._tables = tables
        self._clock = clock
        self._joined_servers = joined_servers
        self._days = timedelta(days=days)

    async def run(self) -> None:
        """Call `once` some minutes from now and then every day."""
        await self._clock.sleep(_FIRST_DELAY.total_seconds())
        while True:
            pause = _INTERVAL
            try:
                async with self._leases.exclusive("retention"):
                    await self.once()
            except StorageError as error:
                log.error("data retention: database unavailable, retrying in 10 min: %s", error)
                pause = _RETRY_DELAY
            await self._clock.sleep(pause.total_seconds())

    async def once(self) -> None:
        """Erase servers whose retention period is over, and people who have played nowhere else.

        Raises `StorageError`. Then the next call does the rest.
        """
        now = self._clock.now()
        if self._days:
            servers = await self._store.people.servers()
            for guild_id, since in servers.items():
                if self._leases.serves(guild_id):
                    await self._check_server(guild_id, since, now)
            await self._erase_strays()
        if await self._store.people.sweep():
            log.info("database vacuumed after an erasure")

    async def _check_server(self, guild_id: GuildId, since: datetime | None, now: datetime) -> None:
        """Record when the bot left a server or rejoined it; erase it after the period.

        `since` is the stored time at which the bot was found to have left.
        """
        store = self._store.people
        if guild_id in self._joined_servers():
            if since is not None:
                await store.note_gone(guild_id, None)
                log.info("server %s: the bot has rejoined, erasure cancelled", guild_id)
        elif since is None:
            await store.note_gone(guild_id, now)
            when = f"{now + self._days:%Y-%m-%d}"
            log.info("server %s: the bot has left, its data will be erased on %s", guild_id, when)
        elif since + self._days <= now:
            for table in [table for table in self._tables.all() if table.guild_id == guild_id]:
                await self._tables.channels.close_table(table.id)
            await store.forget_server(guild_id)
            self._store.server_settings.forget(guild_id)
            log.info("server %s: data erased", guild_id)

    async def _erase_strays(self) -> None:
        """Erase people who have played only on erased servers."""
        while people := await self._store.people.users_of_erased_servers(_BATCH):
            for user_id in people:
                await self._tables.forgetting.forget(user_id)
