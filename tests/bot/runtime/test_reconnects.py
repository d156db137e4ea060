"""Backoff of reconnects to Discord."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest
from discord.gateway import DiscordWebSocket
from pydantic import SecretStr
from yarl import URL

from bot.client import TichuBot
from bot.runtime.reconnects import ReconnectPauses
from bot.runtime.settings import Settings

DAY = 24 * 3600


class Outage:
    """Discord refuses every connection; pauses are the longest or half of that."""

    def __init__(self, share: float = 1.0) -> None:
        self.time = 0.0
        self.pauses = ReconnectPauses(lambda: self.time, lambda low, high: low + share * high)

    def fail(self) -> float:
        """Return the seconds until the next attempt, which then begins."""
        pause = self.pauses.delay()
        self.time += pause
        return pause


def test_short_outage_has_short_pauses() -> None:
    outage = Outage()
    pauses = []
    while outage.time < 600:
        pauses.append(outage.fail())
    assert pauses[:5] == [2, 4, 8, 15, 15]
    assert max(pauses) == 15


def test_a_day_of_failures_stays_far_below_the_limit() -> None:
    outage, tries = Outage(share=0.5), 0
    while outage.time < DAY:
        outage.fail()
        tries += 1
    assert tries < 500


def test_failure_after_a_quiet_hour_counts_as_the_first() -> None:
    outage = Outage()
    for _ in range(200):
        outage.fail()
    outage.time += 3600
    assert [outage.fail(), outage.fail()] == [2, 4]


async def test_every_connection_uses_this_backoff(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fails with a discord.py that keeps its backoff elsewhere."""
    slept = []

    class Connection:
        """A connection that is lost at once."""

        shard_id = 1

        async def poll_event(self) -> None:
            raise TimeoutError

        async def close(self, code: int) -> None:
            pass

    async def connect(*_: object, **__: object) -> Connection:
        return Connection()

    def delay(_: ReconnectPauses) -> float:
        slept.append(True)
        return 0.0

    monkeypatch.setattr(DiscordWebSocket, "from_client", connect)
    monkeypatch.setattr(ReconnectPauses, "delay", delay)
    settings = Settings(
        _env_file=None,
        discord_token=SecretStr("secret"),
        heartbeat_file=tmp_path / "heartbeat",
        worker_processes=0,
    )
    bot = TichuBot(settings)
    await bot._async_setup_hook()
    bot._reconnect = True
    await bot.launch_shard(URL("wss://gateway"), 1)
    shard = bot.shards[1]
    assert isinstance(shard, discord.ShardInfo)
    assert shard._parent._task is not None
    await shard._parent._task
    assert slept == [True]
