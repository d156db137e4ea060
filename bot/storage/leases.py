"""Leases: what one of several processes has to itself for some time, such as a shard.

A lease that is not renewed in time runs out, and another process may take it. Each new owner gets a
larger number, the token: the fence around what belongs to the lease. Whoever writes names the token
under which they have read. The transaction looks whether it is still the lease's token, and keeps
others from changing that before its end. So a process that was away for longer than its lease, and
does not know it yet, writes nothing.

The times are those of the machines, so their clocks must agree. If they do not, a lease may be
taken too early or too late; what is stored is safe all the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import Connection

from bot.records import Fence
from bot.storage import lease_rows, statements
from bot.storage.database import Database
from bot.storage.lease_rows import Rivals


class LeaseStore:
    """Takes, renews and gives back leases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def acquire(
        self,
        names: Collection[str],
        owner: str,
        now: datetime,
        until: datetime,
        rivals: Rivals | None = None,
    ) -> dict[str, Fence]:
        """Take or renew those of these leases that nobody else has; the fences of what is ours now.

        What is renewed keeps its token. A lease of ours that has run out is taken anew.

        While somebody has one of the `rivals`, none is taken. If nobody has, whatever was read
        under one of them is not written any more.
        """

        def grant(connection: Connection) -> dict[str, Fence]:
            statements.advisory_lock(connection, statements.LEASES)
            if rivals is not None and not lease_rows.invalidate_rivals(connection, rivals, now):
                return {}
            return lease_rows.grant(connection, names, owner, now, until)

        return await self._database.write("taking leases", grant)

    async def release_dead(self, now: datetime) -> None:
        """Release the leases of processes of this machine that were killed."""
        rows = [
            row
            for row in await self._database.read(lease_rows.held, now)
            if lease_rows.is_dead(row.owner)
        ]
        await self.release([Fence(row.name, row.token) for row in rows], now)

    async def refuse_if_in_use(self, now: datetime) -> None:
        """Raise `InUse` if another process has a lease."""
        await self._database.read(lease_rows.refuse_if_in_use, now, self._database.name)

    async def release(self, fences: Iterable[Fence], now: datetime) -> None:
        """Let others have at once what is ours under these tokens."""
        rows = [{"name_": name, "token_": token, "until_": now} for name, token in fences]
        if rows:
            await self._database.write(
                "giving leases back",
                lambda connection: connection.execute(lease_rows.RELEASE, rows),
            )
