"""Leases of the shards of this process, where several share one database.

There is a lease for each shard (`bot.storage.leases`). A process acquires its leases at the start
or as soon as they are free, renews them, and releases them at its end. If it cannot renew them in
time, it stops serving their servers some seconds before another process can acquire them.

Work that must not run in two processes at a time has a lease of its own; see `Leases.exclusive`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import datetime, timedelta

from bot.ids import GuildId
from bot.live.events import EventDispatcher, LeasesGained, LeasesLost, LeasesRenewed
from bot.records import Fence
from bot.runtime.clock import Clock
from bot.runtime.logs import kinds_and_frames
from bot.runtime.shards import Shards
from bot.storage import StorageError
from bot.storage.instance_lock import InUse
from bot.storage.lease_rows import Rivals, new_owner
from bot.storage.leases import LeaseStore

log = logging.getLogger(__name__)

_RENEWALS_PER_PERIOD = 3
_RETRIES_PER_PERIOD = 10
"""Number of renewals per lease period while leases are missing or new ones not handled."""
_FREE_CHECK_S = 0.2
"""Interval between two checks whether another process has released its leases, in seconds."""
_MARGINS_PER_PERIOD = 6
"""The lease period divided by the safety margin.

A process that cannot renew its leases stops serving this margin before they expire.
"""
OTHER_ENDS_WITHIN_S = 45.0
"""Longest wait at the start for the previous bot to exit; compose stops it within 30 s."""
_RETRY_S = 0.5
"""Pause between two attempts to acquire the leases of a stopping process, in seconds."""
_EXPIRY = 0
"""Key of the timer that fires when the leases expire."""
_RELEASE_TIMEOUT_S = 1.0


ALL_SERVERS = Shards((0,), 1)
"""Shards of a single process on PostgreSQL: one lease for all servers."""


class Leases:
    """Leases of this process. Without `shards` it is the only one, and serves all servers.

    A lease lasts for `lasts_s` seconds. Events are dispatched when leases are lost, gained or
    renewed.
    """

    def __init__(
        self,
        store: LeaseStore,
        clock: Clock,
        events: EventDispatcher,
        shards: Shards | None = None,
        lasts_s: float = 30.0,
    ) -> None:
        self._store = store
        self._events = events
        self._clock = clock
        self._shards = shards
        """The shards of this process; `None` without other processes."""
        self._period = timedelta(seconds=lasts_s)
        """Time for which a lease is valid after its last renewal."""
        self._names: dict[int, str] = {}
        """Name of the lease by shard."""
        self._rivals: Rivals | None = None
        """Leases for other shard counts, which must not be held beside those of this process."""
        if shards is not None:
            self._names = {shard: f"shard {shard} of {shards.count}" for shard in shards.ids}
            self._rivals = Rivals("shard % of %", f"shard % of {shards.count}")
        self._owner = new_owner()
        """Owner name of this process, different at each start."""
        self._held: dict[str, Fence] = {}
        """Leases of shards as granted by the last renewal, by name; valid until `_end`."""
        self._end: datetime = clock.now()
        """Time at which this process must stop serving unless the leases are renewed."""
        self._expiry = Clock(clock.now, clock.sleep)
        """Timer that fires at `_end`, also while the database does not respond."""
        self._gained_at: datetime | None = None
        """Time of the last renewal that has granted new leases."""
        self._renewing: asyncio.Task[None] | None = None
        """Task that renews the leases, from `begin` to `close`."""
        self._following: asyncio.Task[None] | None = None
        """Task that awaits the handlers of a renewal, while further renewals go on."""
        self._new_count = 0
        """Number of renewals that have granted new leases."""
        self._handled_count = 0
        """Value of `_new_count` up to which all handlers have succeeded."""

    # --- leases held -----------------------------------------------------------------------------

    @property
    def shared(self) -> bool:
        """Return whether other processes may use the same database."""
        return self._shards is not None

    def serves(self, guild_id: GuildId) -> bool:
        """Return whether this process serves a server now."""
        return self._shards is None or self.fence(guild_id) is not None

    def fence(self, guild_id: GuildId) -> Fence | None:
        """Return the fencing token of the lease for a server; `None` without one."""
        if self._shards is None or self._clock.now() >= self._end:
            return None
        return self._held.get(self._names.get(self._shards.of(guild_id), ""))

    def answered_as(self, guild_id: GuildId) -> GuildId:
        """Return the server under whose lease this process answers interactions from `guild_id`.

        That is the server, or 0, as for direct messages, if its shard belongs to another process.
        Events of servers arrive at their shard, all others at shard 0 (discord-api-docs,
        events/gateway.mdx, "Sharding"). At which one interactions from servers without the bot
        arrive is not documented, so the process that receives one answers it.
        """
        is_own = self._shards is None or self._shards.of(guild_id) in self._names
        return guild_id if is_own else GuildId(0)

    def fences(self) -> Collection[Fence]:
        """Return the fencing tokens of the leases that the last renewal has granted."""
        return self._held.values()

    def held(self) -> Iterator[tuple[int, bool]]:
        """Yield the shards of this process, each with True if its lease is held."""
        valid = self._clock.now() < self._end
        return ((shard, valid and name in self._held) for shard, name in self._names.items())

    def gained_within(self, period: timedelta) -> bool:
        """Return whether a lease was acquired within this period."""
        return self._gained_at is not None and self._clock.now() - self._gained_at < period

    # --- acquisition and renewal -----------------------------------------------------------------

    async def begin(self, alone_within_s: float | None = None) -> None:
        """Acquire the free leases and start renewing them. Raises `StorageError`.

        Leases of killed processes on this machine are released first, so that their expiry need not
        be awaited. With `alone_within_s`, wait up to that many seconds for another process to
        release the leases. Raises `InUse` if it does not.
        """
        if self._shards is not None:
            await self._store.release_dead(self._clock.now())
            await self._renew()
            if alone_within_s is not None and not self._held:
                await self._wait_for_release(alone_within_s)
            self._renewing = asyncio.create_task(self._keep_renewing(), name="leases")

    async def _wait_for_release(self, within_s: float) -> None:
        """Wait for another process to release the leases; raise `InUse` after `within_s`."""
        waited = 0.0
        while not self._held:
            try:
                await self._store.refuse_if_in_use(self._clock.now())
            except InUse as error:
                if waited >= within_s:
                    raise
                if not waited:
                    text = "database is in use by %s; waiting up to %.0f s for it to exit"
                    log.info(text, error.holder, within_s)
            await self._clock.sleep(_RETRY_S)
            waited += _RETRY_S
            await self._renew()

    async def close(self) -> None:
        """Release all leases. The caller must not write any more."""
        self._expiry.cancel_all()
        for task in (self._renewing, self._following):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        held, self._held = self._held, {}
        with suppress(StorageError, TimeoutError):  # then they expire
            async with asyncio.timeout(_RELEASE_TIMEOUT_S):
                await self._store.release(held.values(), self._clock.now())

    async def _keep_renewing(self) -> None:
        """Renew the leases periodically, and acquire those that have become free.

        Renewals are more frequent while leases are missing or new ones not handled.
        """
        while True:
            all_done = (
                len(self._held) == len(self._names) and self._new_count == self._handled_count
            )
            parts = _RENEWALS_PER_PERIOD if all_done else _RETRIES_PER_PERIOD
            await self._sleep_until_free((self._period / parts).total_seconds())
            with _log_errors("lease renewal failed"):
                self._new_count += await self._renew()
                if self._following is None or self._following.done():
                    self._following = asyncio.create_task(self._follow(), name="leases-follow")

    async def _sleep_until_free(self, seconds: float) -> None:
        """Sleep for this time, or until another process has released a lease of this one."""
        while seconds > 0:
            missing = set(self._names.values()) - self._held.keys()
            pause = min(seconds, _FREE_CHECK_S) if missing else seconds
            await self._clock.sleep(pause)
            seconds -= pause
            with _log_errors("lease check failed"):
                if missing and await self._store.is_free(missing, self._clock.now(), self._rivals):
                    return

    async def _follow(self) -> None:
        """Await the handlers of `LeasesGained` if there are new leases, then of `LeasesRenewed`.

        They run beside the renewals, because loading tables can take long.
        """
        new_count = self._new_count
        if new_count != self._handled_count:
            with _log_errors("opening the tables of new leases failed"):
                await self._events.complete(LeasesGained())
                self._handled_count = new_count
        with _log_errors("refreshing shared data failed"):
            await self._events.complete(LeasesRenewed())

    async def _renew(self) -> bool:
        """Acquire or renew the leases that no other process holds; return whether any is new."""
        now = self._clock.now()
        names = self._names.values()
        until = now + self._period
        granted = await self._store.acquire(names, self._owner, now, until, self._rivals)
        before, self._held = self._held, granted
        self._end = until - self._period / _MARGINS_PER_PERIOD
        self._expiry.set(_EXPIRY, self._end if granted else None, self._on_expiry)

        lost, new = before.items() - granted.items(), granted.items() - before.items()
        if lost:
            self._on_lost(name for name, _ in lost)
        if new:
            self._gained_at = now
            log.info("leases acquired: %s", ", ".join(sorted(name for name, _ in new)))
        return bool(new)

    async def _on_expiry(self) -> None:
        """Drop all leases, because they were not renewed in time."""
        held, self._held = self._held, {}
        self._on_lost(held)

    def give_up(self, fence: Fence) -> None:
        """Drop a lease that another process holds, according to the database.

        It is acquired again as soon as it is free.
        """
        if self._held.get(fence.name) == fence:
            del self._held[fence.name]
            self._on_lost([fence.name])

    def _on_lost(self, names: Iterable[str]) -> None:
        """Log and dispatch the loss of these leases."""
        text = "leases lost: %s; another process may serve them now"
        log.warning(text, ", ".join(sorted(names)))
        self._events.dispatch(LeasesLost())

    # --- exclusive work --------------------------------------------------------------------------

    @asynccontextmanager
    async def exclusive(self, work: str) -> AsyncIterator[None]:
        """Hold the lease with the name `work` for the block, so that no other process does it.

        This waits while another process holds the lease. That process may have done the work, so
        the block must begin with a check whether it is still to be done. Raises `StorageError` if
        the lease cannot be acquired.
        """
        if self._shards is None:
            yield
            return
        while not (fences := await self._acquire_exclusive(work)):
            await self._clock.sleep((self._period / _RETRIES_PER_PERIOD).total_seconds())
        renewing = asyncio.create_task(self._keep_exclusive(work), name=f"lease-{work}")
        try:
            yield
        finally:
            renewing.cancel()
            with suppress(StorageError):  # then the lease expires
                await self._store.release(fences, self._clock.now())

    async def _acquire_exclusive(self, work: str) -> tuple[Fence, ...]:
        """Acquire or renew the lease of some work; return () if another process holds it."""
        now = self._clock.now()
        granted = await self._store.acquire([work], self._owner, now, now + self._period)
        return tuple(granted.values())

    async def _keep_exclusive(self, work: str) -> None:
        """Renew the lease of some work periodically."""
        while True:
            await self._clock.sleep((self._period / _RENEWALS_PER_PERIOD).total_seconds())
            with _log_errors("lease renewal failed"):  # it is still valid for a while
                await self._acquire_exclusive(work)


@asynccontextmanager
async def only_process(store: LeaseStore, clock: Clock) -> AsyncIterator[None]:
    """Keep all bots off the database for the block. Raise `InUse` if one is running."""
    leases = Leases(store, clock, EventDispatcher(), ALL_SERVERS)
    await leases.begin(alone_within_s=0.0)
    try:
        yield
    finally:
        await leases.close()


@contextmanager
def _log_errors(failure: str) -> Iterator[None]:
    """Log and suppress an error in this block; `failure` says what has failed."""
    try:
        yield
    except StorageError as error:
        log.log(error.level, "%s: %s", failure, error)
    except Exception as error:  # noqa: BLE001 - the caller tries again
        log.error("%s:\n%s", failure, kinds_and_frames(error))  # its message may name cards
