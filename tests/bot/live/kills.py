"""Bots killed right after a commit: the files they leave, and the recovery of a new bot."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zlib import compress, decompress

import pytest

from bot.errors import Refused
from bot.ids import ChannelId, TableId, UserId
from bot.storage.tables import TableStore
from bot.table.commands import ComeBack, Fill, Pause, Ready, Start
from bot.table.lobby import LobbyPlan, new_chairs
from bot.table.state import Game, OpenTable
from tests.bot.fake_time import FakeTime
from tests.bot.live.way_on import check_way_on
from tests.bot.states import GUILD, HOST
from tests.bot.table_world import QUICK, TableWorld

Who = Literal["everybody", "one", "nobody"]
"""People who are still present after the kill."""

MANY = 99
"""A number greater than the seats of any table."""
_MOST_STEPS = 5000
_AN_EVENING = timedelta(hours=3)
"""Longer than computers play on after the last person has left."""


class Left(NamedTuple):
    """Files left by a bot that was killed right after a commit."""

    number: int
    """Number of the commit, from 1."""
    at: datetime
    """Time of the kill."""
    files: dict[str, bytes]
    """Database files by name, compressed."""


class Kills:
    """Copies the database after each commit whose number is `wanted`."""

    def __init__(
        self, world: TableWorld, patch: pytest.MonkeyPatch, wanted: Callable[[int], bool]
    ) -> None:
        self.commits = 0
        """Number of commits so far."""
        self.left: list[Left] = []
        """Copies made after the wanted commits."""
        self._world = world
        self._wanted = wanted
        for name in ("create", "commit"):
            patch.setattr(TableStore, name, self._watched(getattr(TableStore, name)))

    def _watched(self, method: Callable[..., Any]) -> Callable[..., Any]:
        async def watched(store: TableStore, *args: Any) -> Any:
            result = await method(store, *args)
            if store is self._world.store.tables:
                self.commits += 1
                if self._wanted(self.commits):
                    self.left.append(self._copied())
            return result

        return watched

    def _copied(self) -> Left:
        file = self._world.file
        names = (file.name, f"{file.name}-wal")
        files = {name: compress((file.parent / name).read_bytes(), 1) for name in names}
        return Left(self.commits, self._world.time.now(), files)


async def go_on(left: Left, folder: Path, who: Who, away: timedelta) -> None:
    """Start a new bot with these files and let these people and the clock continue to the end.

    `away` is the downtime of the bot. If anybody is present, the match must end with a result; only
    a lobby that was due to close meanwhile is closed.
    """
    folder.mkdir()
    for name, content in left.files.items():
        (folder / name).write_bytes(decompress(content))
    world = TableWorld(folder, left.number)
    world.time = FakeTime(left.at + away)
    found = await world.open()
    try:
        for table in found:
            await world.quiet()
            if who == "nobody":
                await _until_closed(world, table)
            else:
                await until_finished(world, table.id, 1 if who == "one" else MANY)
        record = await world.store.tables.get(TableId(1))
        assert record is not None
        closed = ("finished", "stopped", "expired")
        late = any(table.status == "lobby" and _due(table, left.at + away) for table in found)
        assert record.status in (closed if who == "nobody" or late else ("finished",))
    finally:
        await world.close()
        shutil.rmtree(folder)


def _due(table: OpenTable, start: datetime) -> bool:
    """Return whether a timer of this table expired before the bot came back at `start`."""
    return table.timers.next is not None and table.timers.next <= start


async def until_finished(world: TableWorld, table_id: TableId, number: int = MANY) -> None:
    """Let the first `number` people act whenever they can, until the match is over."""
    for _ in range(_MOST_STEPS):
        now = world.tables.find(table_id)
        if now is None:
            return
        check_way_on(now, world.time.now())
        for chair in list(now.people())[:number]:
            assert chair.user_id is not None
            await _act(world, table_id, chair.user_id)
        if (after := world.tables.find(table_id)) == now and after is not None:
            await _to_next_timer(world, after)
    raise AssertionError("it never ends")


async def _act(world: TableWorld, table_id: TableId, user_id: UserId) -> None:
    """Let this person do what the table is waiting for, if anything."""
    await world.quiet()  # timers due at this moment run first
    tables, now = world.tables, world.tables.find(table_id)
    if now is None:
        return
    if not isinstance(now, Game):
        await tables.execute(table_id, now.host_id, Fill())
        await tables.execute(table_id, now.host_id, Start())
    elif now.timers.paused:
        await tables.execute(table_id, user_id, Pause(False))
    elif now.between_rounds:
        await tables.execute(table_id, user_id, Ready(now.revision))
    else:
        with suppress(Refused):  # somebody who is already there
            await tables.execute(table_id, user_id, ComeBack())
        await world.play_for(table_id, user_id)


async def _until_closed(world: TableWorld, table: OpenTable) -> None:
    """Check that an abandoned table frees its channel and is closed at last."""
    wanted_pause = isinstance(table, Game) and table.timers.paused and not table.yields
    end, free = world.time.now() + _AN_EVENING, False
    for _ in range(_MOST_STEPS):
        now = world.tables.find(table.id)
        if now is None:
            return
        check_way_on(now, world.time.now())
        if now.yields and not free:
            await _open_another(world)
            free = True
        assert free or wanted_pause or world.time.now() < end, "it keeps its channel"
        await _to_next_timer(world, now)
    raise AssertionError("it is never closed")


async def _to_next_timer(world: TableWorld, table: OpenTable) -> None:
    """Jump to the next timer of this table."""
    due = table.timers.next
    assert due is not None
    world.time.jump(due)
    await world.quiet()


async def _open_another(world: TableWorld) -> None:
    """Open another table in the channel and close it again."""
    other = await world.tables.create(
        LobbyPlan(
            GUILD, ChannelId(1), UserId(HOST + 50), QUICK, new_chairs(QUICK, UserId(HOST + 50), "X")
        )
    )
    await world.tables.channels.close_table(other.id)
