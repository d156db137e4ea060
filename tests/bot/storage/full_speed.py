"""Plays at full speed: `python -m tests.bot.storage.full_speed DATABASE BACKUP`.

Prints a line ``TIME TABLE SEQ`` for each commit once it is stored, until the process is killed. In
between it erases people, compacts the database, and makes backups.
"""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from bot.ids import ChannelId, TableId, UserId
from bot.records import Change
from bot.storage.sqlite.backup import back_up
from bot.storage.tables import TableStore
from tests.bot.forgotten_people import begin, person, play_on
from tests.bot.table_world import TableWorld, quick

_STEPS = 40
"""Steps of a table before somebody is erased there."""


def _report_commits() -> None:
    """Print a line for each commit of moves."""
    commit = TableStore.commit

    async def reported(store: TableStore, table_id: TableId, change: Change) -> None:
        await commit(store, table_id, change)
        if change.actions:
            sys.stdout.write(f"{time.time()} {table_id} {change.actions[-1].seq}\n")
            sys.stdout.flush()

    TableStore.commit = reported  # type: ignore[assignment, method-assign]


async def _play(database: Path, backup: Path) -> None:
    world = TableWorld(database.parent, limit=10**6, own_limit=10**6, busy_ms=5000)
    world.file = database
    await world.open()
    _report_commits()
    channel = 10**6
    for number in count():
        channel += 1
        options = quick("nanjing", target=5000)
        at = await begin(world, ChannelId(channel), (0, 1), options, 2)
        await play_on(world, at.id, _STEPS)
        await world.tables.forgetting.forget(UserId(person(number % 2)))
        if number % 3 == 1:
            await world.store.people.sweep()
        if number % 3 == 2:
            await asyncio.to_thread(back_up, database, backup, replace=True)


if __name__ == "__main__":
    asyncio.run(_play(Path(sys.argv[1]), Path(sys.argv[2])))
