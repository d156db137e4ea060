"""A whole bot that has some of the shards: what another process serves is left to that one."""

from __future__ import annotations

from pathlib import Path

from bot.records import Fence
from tests.bot.test_client import Home, a_table


async def test_a_bot_leaves_servers_alone_whose_shard_another_one_has(tmp_path: Path) -> None:
    home = Home(tmp_path)
    bot = home.bot(shard_count=1, shard_ids=(0,))
    async with home.running(bot) as env:
        ada = await a_table(home)
        assert len(list(bot.tables.all())) == 1
        bot.leases.give_up(Fence("shard 0 of 1", 1))
        assert list(bot.tables.all()) == []
        cursor = len(env.http_requests)
        await ada.slash("tichu hand")
        assert env.http_requests[cursor:] == [], "the other one answers"
        await env.advance_time(11)
        assert len(list(bot.tables.all())) == 1, "nobody else has it after all"
