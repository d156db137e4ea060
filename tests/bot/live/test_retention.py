"""Guilds that removed the bot: recorded, erased later, and other figures unchanged."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.history.rebuild import rebuild
from bot.ids import NOWHERE, ChannelId, GuildId, UserId
from bot.live.retention import Retention
from bot.rating.tallies import first_recent_day
from bot.records import ServerSettings
from bot.score_records import WORLD
from bot.storage import forgetting
from tests.bot.forgotten_people import (
    CALLED,
    OF_PEOPLE,
    all_rows,
    begin,
    person,
    play_to_the_end,
    rows,
    traces,
)
from tests.bot.postgres import ON_POSTGRES
from tests.bot.states import GUILD
from tests.bot.table_world import QUICK, TableWorld

pytestmark = pytest.mark.usefixtures("one_thread")
ELSEWHERE = GuildId(GUILD + 77)
DAYS = 30


class Servers:
    """Matches on two guilds, and the guilds that the bot is in."""

    def __init__(self, world: TableWorld, days: int = DAYS) -> None:
        self.world = world
        self.there: set[GuildId] = {GUILD, ELSEWHERE}
        self.retention = Retention(
            world.store, world.tables, world.clock, lambda: self.there, days=days
        )

    async def after(self, days: int) -> None:
        """Let `days` days pass and run what is due."""
        self.world.time.pretend(self.world.time.now() + timedelta(days=days))
        await self.retention.once()


_made: list[tuple[bytes, datetime]] = []
"""Database of `world` and the time at which it was left, filled by the first use."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[TableWorld]:
    """Users 0 and 1 have played here; 1 and 2 on the other guild."""
    made = TableWorld(tmp_path)
    if not _made or ON_POSTGRES:
        await made.open()
        here = await begin(made, ChannelId(1), (0, 1), QUICK, 2)
        await play_to_the_end(made, here.id)
        elsewhere = await begin(made, ChannelId(2), (1, 2), QUICK, 2, ELSEWHERE)
        await play_to_the_end(made, elsewhere.id)
        await made.close()
        if not ON_POSTGRES:
            _made.append((made.file.read_bytes(), made.time.now()))
    if _made:
        content, now = _made[0]
        made.file.write_bytes(content)
        made.time.jump(now)
    await made.open()
    yield made
    await made.close()


async def test_guild_that_returns_has_lost_nothing(world: TableWorld) -> None:
    servers, before = Servers(world), rows(world.file, "tables", *OF_PEOPLE)
    servers.there = {GUILD}
    await servers.after(0)
    assert (await world.store.people.servers())[ELSEWHERE] == world.time.now()
    await servers.after(DAYS - 1)
    servers.there = {GUILD, ELSEWHERE}
    await servers.after(0)
    assert await world.store.people.servers() == {GUILD: None, ELSEWHERE: None}
    servers.there = {GUILD}
    await servers.after(DAYS)
    await servers.after(DAYS - 1)
    assert rows(world.file, "tables", *OF_PEOPLE) == before, "the time began anew"


async def test_erases_everything_of_a_guild(
    world: TableWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also users who played only there; the figures of others stay, even after a rebuild."""
    monkeypatch.setattr(forgetting, "_TABLES_AT_ONCE", 1)
    servers = Servers(world)
    await begin(world, ChannelId(3), (2, 1), QUICK, 2, ELSEWHERE)
    await world.store.server_settings.choose(ELSEWHERE, ServerSettings(pictures=False))
    kept = rows(world.file, *OF_PEOPLE)
    servers.there = {GUILD}
    await servers.after(0)
    await servers.after(DAYS)
    assert [table.guild_id for table in world.tables.all()] == []
    assert list(await world.store.people.servers()) == [GUILD]
    assert world.store.server_settings.get(ELSEWHERE) == ServerSettings()
    for name, before in kept.items():
        there = [row for row in before if ELSEWHERE not in row and person(2) not in row]
        assert rows(world.file, name)[name] == there, name
    assert str(ELSEWHERE) not in all_rows(world.file)
    assert traces(world.file, person(2), CALLED[2]) == []
    assert {row[1] for row in rows(world.file, "tables")["tables"]} == {GUILD, NOWHERE}
    await world.store.rankings.move_window(first_recent_day(world.time.now()))
    after = rows(world.file, *OF_PEOPLE)
    assert {row[0] for row in after["standings"]} == {GUILD, WORLD}
    assert (await rebuild(world.store, world.time.now())).skipped == ()
    assert rows(world.file, *OF_PEOPLE) == after


async def test_can_be_turned_off(world: TableWorld) -> None:
    servers, before = Servers(world, days=0), all_rows(world.file)
    servers.there = set()
    await servers.after(0)
    await servers.after(10_000)
    assert all_rows(world.file) == before


@pytest.mark.sqlite("its file is read")
async def test_vacuums_the_file_once(world: TableWorld) -> None:
    await world.tables.forgetting.forget(UserId(person(0)))
    world_of = Servers(world)
    size = world.file.stat().st_size
    await world.store.app_state.keep("filler", "x" * 100_000)
    await world.store.app_state.keep("filler", "")
    await world_of.after(1)
    assert world.file.stat().st_size <= size + 4096
    assert not await world.store.people.sweep()
