"""A bot with some of the shards: guilds of other processes are left to them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from simcord import Env

from bot.client import TichuBot
from bot.ids import GuildId
from bot.records import Fence
from bot.storage import StorageUnavailable
from cogs.pages.verbs import Verb
from tests.bot.test_client import Home, a_table
from tests.cogs.status_page import asking
from tests.simcord_clicks import Person, text


async def _not_read(bot: TichuBot, env: Env, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its tables are read, a process with the lease reports no table as over."""
    with monkeypatch.context() as failing:
        failing.setattr(bot.store.tables, "all_open", AsyncMock(side_effect=StorageUnavailable))
        await env.advance_time(11)
    assert all(held for _, held in bot.leases.held())
    lobby = text(ada.public()[-1])
    pressed = await ada.press(Verb.LEAVE)
    await env.advance_time(2.5)
    assert pressed.deferred, "the process before may have answered, so Discord can refuse this"
    assert "restarting" in text(ada.private()[-1])
    assert text(ada.public()[-1]) == lobby


async def test_bot_ignores_guilds_of_other_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    bot = home.bot(shard_count=2, shard_ids=(0, 1))
    async with home.running(bot) as env, asking(bot) as asked:
        monkeypatch.setattr(bot.clock, "now", env.now)  # also for interactions over HTTP
        ada = await a_table(home)
        assert len(list(bot.tables.all())) == 1
        here = (home.guild_id >> 22) % 2
        assert await asked.page("ready") == (
            200,
            "The bot is ready.\nshard 0: connected, lease\nshard 1: connected, lease\n",
        )
        assert await asked.value("tichu_shard_count") == 2
        assert await asked.value("tichu_shard_lease") == 2
        for shard in (0, 1):
            in_it = float(shard == here)
            assert await asked.value("tichu_shard_servers", shard=str(shard)) == in_it
            assert await asked.value("tichu_shard_tables", shard=str(shard)) == in_it
        bot.leases.give_up(Fence(f"shard {here} of 2", 1))
        assert list(bot.tables.all()) == []
        status, told = await asked.page("ready")
        assert (status, told.splitlines()[0]) == (503, f"Without a lease: shard {here} of 2.")
        assert f"shard {here}: connected, no lease" in told
        assert f"shard {1 - here}: connected, lease" in told
        assert await asked.value("tichu_shard_lease", shard=str(here)) == 0
        assert await asked.value("tichu_shard_tables", shard=str(here)) == 0
        cursor = len(env.http_requests)
        await ada.slash("tichu hand")
        await env.advance_time(2.5)
        assert env.http_requests[cursor:] == [], "the other one answers"
        await _not_read(bot, env, ada, monkeypatch)
        await env.advance_time(11)
        assert len(list(bot.tables.all())) == 1, "nobody else has it after all"
        assert (await asked.page("ready"))[0] == 200
        await bot.on_shard_disconnect(1 - here)
        status, told = await asked.page("ready")
        assert (status, told.splitlines()[0]) == (
            503,
            f"Not connected to Discord: shard {1 - here} of 2.",
        )
        assert f"shard {1 - here}: not connected, lease" in told


async def test_clicks_wait_for_the_lease_of_the_process_that_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new process answers what the old one left, and defers first, so Discord can refuse it."""
    home = Home(tmp_path)
    bot = home.bot(shard_count=1, shard_ids=(0,))
    async with home.running(bot) as env:
        monkeypatch.setattr(bot.clock, "now", env.now)
        ada = await a_table(home)
        (held,) = bot.leases.fences()
        later = env.now() + timedelta(hours=1)
        await bot.store.leases.acquire([held.name], "elsewhere:7:ab", later, later)
        bot.leases.give_up(held)
        await env.advance_time(11)
        before = len(env.http_requests)
        pressed = await ada.press(Verb.LEAVE)
        await env.advance_time(0.1)
        assert env.http_requests[before:] == [], "the other process may answer"
        await bot.store.leases.release([Fence(held.name, held.token + 1)], env.now())
        await env.advance_time(1)
        assert bot.leases.serves(GuildId(home.guild_id))
        assert pressed.deferred
        for seconds, methods in ((0, ["POST", "PATCH"]), (2, ["POST"])):  # with a deferral first
            await env.advance_time(seconds)
            before = len(env.http_requests)
            await ada.slash("tichu rules")
            assert [request.method for request in env.http_requests[before:]] == methods
        bot.inflight.closing = True
        before = len(env.http_requests)
        await ada.slash("tichu hand")
        await env.advance_time(3)
        assert env.http_requests[before:] == [], "left to the next process"
        bot.settings = bot.settings.model_copy(update={"shard_count": None, "shard_ids": None})
        click: Any = SimpleNamespace(guild_id=home.guild_id, created_at=env.now())
        assert await bot.accepts(click), "there is no other process, so it says that it restarts"


@pytest.mark.parametrize("shard", [0, 1])
async def test_process_answers_what_it_receives_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shard: int
) -> None:
    """Direct messages arrive at shard 0; servers without the bot at their own one or there."""
    home = Home(tmp_path)
    bot = home.bot(shard_count=2, shard_ids=(shard,))
    async with home.running(bot) as env:
        monkeypatch.setattr(bot.clock, "now", env.now)
        monkeypatch.setattr(bot.discord_time, "age", lambda at: env.now() - at)
        await env.advance_time(60)  # after its start it would defer first
        guild_ids = [number << 22 for number in (2, 3)]  # of both shards
        received = [None, *guild_ids] if shard == 0 else [guild_ids[1]]
        for guild_id in received:
            click: Any = SimpleNamespace(guild_id=guild_id, created_at=env.now())
            assert await bot.accepts(click)
            assert bot.is_ready_for(click)
        (held,) = bot.leases.fences()
        later = env.now() + timedelta(hours=1)
        await bot.store.leases.acquire([held.name], "elsewhere:7:ab", later, later)
        bot.leases.give_up(held)
        monkeypatch.setattr(bot.tables.shard_ownership, "wait_until_ready", AsyncMock())
        for guild_id in received:
            click = SimpleNamespace(guild_id=guild_id, created_at=env.now())
            assert not await bot.accepts(click), "another process has the lease"
