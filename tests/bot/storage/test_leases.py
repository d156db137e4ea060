"""Leases: taken, renewed, expired, taken over; writes behind a newer fence are refused."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.records import Change, Fence
from bot.storage import LeaseLost, Store
from bot.storage.instance_lock import InUse
from bot.storage.lease_rows import Rivals, new_owner
from tests.bot.databases import PATIENT_MS, open_store
from tests.bot.storage.samples import NOON, move, new_table

NAMES = ("shard 0 of 2", "shard 1 of 2")
LASTS = timedelta(seconds=30)


@pytest.fixture
async def other(store: Store, file: Path) -> AsyncIterator[Store]:
    """Yield the store of another process with the same database."""
    opened = await open_store(file, busy_ms=PATIENT_MS)
    yield opened
    await opened.close()


def later(seconds: float) -> datetime:
    """Return the moment `seconds` seconds after the start."""
    return NOON + timedelta(seconds=seconds)


async def take(
    store: Store, owner: str, at: float = 0, *names: str, rivals: Rivals | None = None
) -> dict[str, int]:
    """Take leases at this second; return the tokens of those the owner holds now."""
    now = later(at)
    held = await store.leases.acquire(names or NAMES, owner, now, now + LASTS, rivals)
    return {fence.name[:7]: fence.token for fence in held.values()}


async def test_lease_is_renewed_until_it_expires(store: Store, other: Store) -> None:
    assert await take(store, "ann", 0) == {"shard 0": 1, "shard 1": 1}
    assert await take(other, "ben", 10) == {}
    assert await take(store, "ann", 10, NAMES[0]) == {"shard 0": 1}
    assert await take(other, "ben", 29) == {}
    assert await take(other, "ben", 30) == {"shard 1": 2}, "it was not renewed"
    assert await take(store, "ann", 31) == {"shard 0": 1}
    assert await take(other, "ben", 61) == {"shard 0": 2, "shard 1": 3}, "both have run out"
    assert await take(store, "ann", 62) == {}


async def test_released_lease_is_free_at_once(store: Store, other: Store) -> None:
    await take(store, "ann")
    await store.leases.release([Fence(NAMES[0], 1)], later(1))
    assert await take(other, "ben", 1) == {"shard 0": 2}
    await store.leases.release([Fence(NAMES[0], 1), Fence(NAMES[1], 1)], later(2))
    assert await take(store, "ann", 3) == {"shard 1": 2}, "what is another's was not given back"


async def test_one_of_many_concurrent_processes_gets_a_lease(store: Store, other: Store) -> None:
    tries = [take((store, other)[n % 2], f"process {n}", 0) for n in range(8)]
    assert sorted(map(len, await asyncio.gather(*tries))) == [0] * 7 + [2]


async def test_refuses_shards_of_another_count(store: Store, other: Store) -> None:
    table = await store.tables.create(new_table())
    await take(store, "ann")
    rivals = Rivals("shard % of %", "% of 4")
    assert await take(other, "ben", 10, "shard 3 of 4", rivals=rivals) == {}
    assert await take(other, "ben", 30, "shard 3 of 4", rivals=rivals) == {"shard 3": 1}
    with pytest.raises(LeaseLost):
        await store.tables.commit(table.id, move(0, fence=Fence(NAMES[0], 1)))


async def test_refuses_writes_behind_a_newer_fence(
    store: Store, other: Store, outside: sqlite3.Connection
) -> None:
    """As for a process frozen beyond its lease; only its part of a batch is lost."""
    tables = [await store.tables.create(new_table(channel)) for channel in range(4)]
    await take(store, "ann")
    old, kept = Fence(NAMES[0], 1), Fence(NAMES[1], 1)
    await store.tables.commit(tables[0].id, move(0, fence=old))
    await take(store, "ann", 20, NAMES[1])
    await take(other, "ben", 40, NAMES[0])
    new = Fence(NAMES[0], 2)
    await other.tables.commit(tables[0].id, move(2, fence=new))

    changes = [
        (tables[0].id, move(4, fence=old)),
        (tables[1].id, move(0, fence=kept)),
        (tables[2].id, Change(delivered=(1,), fence=old)),
        (tables[3].id, move(0)),
    ]
    begun = outside.execute("SELECT count(*) FROM actions").fetchone()[0]
    outcomes = await asyncio.gather(
        *(store.tables.commit(*change) for change in changes), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [LeaseLost, type(None)] * 2
    assert outside.execute("SELECT count(*) FROM actions").fetchone()[0] == begun + 4
    with pytest.raises(LeaseLost):
        await store.tables.create(new_table(9, fence=old))
    assert (await other.tables.create(new_table(9, fence=new))).channel_id == 9


@pytest.mark.skipif(os.name == "nt", reason="there nobody knows whether a process has ended")
async def test_leases_of_a_killed_process_of_this_machine_are_free_at_once(store: Store) -> None:
    machine = socket.gethostname()
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    await take(store, f"{machine}:{ended.pid}:ab", 0, NAMES[0])
    await take(store, f"{machine}:{os.getpid()}:ab", 0, NAMES[1])  # left by a previous container
    await store.leases.refuse_if_in_use(later(1))
    await store.leases.release_dead(later(1))
    assert await take(store, new_owner(), 1) == {"shard 0": 2, "shard 1": 2}


@pytest.mark.parametrize("owner", ["elsewhere:1:ab", "{machine}:{parent}:ab", "{own}"])
async def test_leases_of_a_process_that_may_be_alive_expire(store: Store, owner: str) -> None:
    names = {"machine": socket.gethostname(), "parent": os.getppid(), "own": new_owner()}
    await take(store, owner.format(**names))
    await store.leases.release_dead(later(1))
    assert await take(store, "ben", 1) == {}
    assert await take(store, "ben", 30) == {"shard 0": 2, "shard 1": 2}


async def test_refuses_a_database_in_use_and_names_the_process(store: Store) -> None:
    await take(store, "elsewhere:7:ab")
    with pytest.raises(InUse, match="is in use by process 7 on elsewhere: stop that first"):
        await store.leases.refuse_if_in_use(later(1))
    await store.leases.refuse_if_in_use(later(30))
