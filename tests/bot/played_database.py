"""Database with a finished match, a running one and a lobby, played once in a process."""

from __future__ import annotations

import tempfile
from datetime import datetime
from pathlib import Path

from bot.ids import ChannelId, TableId, UserId
from tests.bot.postgres import ON_POSTGRES
from tests.bot.states import HOST
from tests.bot.table_world import QUICK, TableWorld, quick

BEN = HOST + 1
OVER, RUNNING, WAITING = 1, TableId(2), 3
"""Tables of the database: a finished match, one in its second round, and a lobby."""
_played: list[tuple[bytes, datetime]] = []
"""Content of the database and the time of writing, filled by the first use."""


async def place_played_database(file: Path) -> datetime:
    """Put the database at this path; return the time of writing."""
    if not _played:
        with tempfile.TemporaryDirectory() as folder:
            world = TableWorld(Path(folder))
            await world.open()
            await _play_tables(world)
            await world.close()
            _played.append((world.file.read_bytes(), world.time.now()))
    content, written = _played[0]
    file.write_bytes(content)
    return written


async def open_played(world: TableWorld) -> None:
    """Open a world with all of it; without database files it is played there."""
    if ON_POSTGRES:
        await world.open()
        await _play_tables(world)
    else:
        world.time.jump(await place_played_database(world.file))
        await world.open()


async def _play_tables(world: TableWorld) -> None:
    """Play the content of the database in a world without tables."""
    over = (await world.match(ChannelId(1), 2, 4, options=QUICK)).id
    while world.tables.find(over) is not None:
        await _play(world, over)
    running = (await world.match(ChannelId(2), 2, 4, options=quick("nanjing", target=5000))).id
    while not world.game(running).match.results:
        await _play(world, running)
    for _ in range(20):
        await _play(world, running)
    assert (over, running, (await world.lobby(ChannelId(3), 2, 4)).id) == (OVER, RUNNING, WAITING)


async def _play(world: TableWorld, table_id: TableId) -> None:
    for user in (HOST, BEN):
        if world.tables.find(table_id) is not None:
            await world.play_for(table_id, UserId(user))
    await world.run(0.4)
