"""Leases: exclusive rights of one process for a limited time, such as the right to serve a shard.

A lease that is not renewed in time expires, and another process may acquire it. Each new owner gets
a larger fencing token. Each write names the token under which its table was read. The transaction
checks that the lease still has this token, and keeps the token unchanged until it ends. So a
process that was suspended for longer than its lease cannot write, even if it does not know that
yet.

The times are those of the machines, so their clocks must agree. Otherwise a lease may be acquired
too early or too late, but stored data stay consistent.
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
    """Store of leases: acquires, renews and releases them."""

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
        """Acquire or renew leases that no other process holds; return their fencing tokens.

        A renewed lease keeps its token. An expired lease of this owner gets a new one. If a lease
        of the `rivals` is held, none is acquired. Otherwise the tokens of the rivals become
        invalid, so that nothing is written under them any more.
        """

        def grant(connection: Connection) -> dict[str, Fence]:
            statements.advisory_lock(connection, statements.LEASES)
            if rivals is not None and not lease_rows.invalidate_rivals(connection, rivals, now):
                return {}
            return lease_rows.grant(connection, names, owner, now, until)

        return await self._database.write("taking leases", grant)

    async def is_free(self, names: Collection[str], now: datetime, rivals: Rivals | None) -> bool:
        """Return whether one of these leases can be acquired. This only reads."""
        return await self._database.read(lease_rows.is_free, names, now, rivals)

    async def release_dead(self, now: datetime) -> None:
        """Release the leases of killed processes of this machine."""
        rows = [
            row
            for row in await self._database.read(lease_rows.held_leases, now)
            if lease_rows.is_dead(row.owner)
        ]
        await self.release([Fence(row.name, row.token) for row in rows], now)

    async def refuse_if_in_use(self, now: datetime) -> None:
        """Raise `InUse` if another process holds a lease."""
        await self._database.read(lease_rows.refuse_if_in_use, now, self._database.name)

    async def release(self, fences: Iterable[Fence], now: datetime) -> None:
        """Release the leases with these tokens at once."""
        rows = [{"name_": name, "token_": token, "until_": now} for name, token in fences]
        if rows:
            await self._database.write(
                "giving leases back",
                lambda connection: connection.execute(lease_rows.RELEASE, rows),
            )
