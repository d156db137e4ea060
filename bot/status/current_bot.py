"""The running bot, its shards, and the lag of its event loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from bot.client import TichuBot
from bot.runtime.shards import Shards


class CurrentBot:
    """Holds the running bot, or the next one after a failed start."""

    def __init__(self) -> None:
        self.bot: TichuBot | None = None
        """The running bot; `None` while no bot runs."""

    @contextmanager
    def now(self, bot: TichuBot) -> Iterator[None]:
        """Hold this bot until the block exits."""
        self.bot = bot
        try:
            yield
        finally:
            self.bot = None


EVERY_S: Final = 0.5
"""Time between two measurements of the event loop's lag, in seconds."""


async def measure_loop_lag(current: CurrentBot) -> None:
    """Measure the lag of this event loop until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_S
        await asyncio.sleep(EVERY_S)
        if current.bot is not None:
            current.bot.metrics.loop_lag.observe(max(0.0, loop.time() - due))


class Shard(NamedTuple):
    """Status of a shard."""

    number: int
    connected: bool
    """True if the shard is connected."""
    served: bool
    """True if this process holds the lease of the shard."""
    servers: int
    """Number of servers, as far as Discord has sent them."""
    tables: int
    """Number of open tables."""


def shards(bot: TichuBot) -> list[Shard]:
    """Return the shards of this process, in order; none before login."""
    own = Shards(tuple(sorted(bot.shards)), bot.shard_count or 1)
    served = dict.fromkeys(own.ids, True)
    if bot.settings.shards is not None:
        own = bot.settings.shards
        served = dict(bot.leases.held()) if hasattr(bot, "leases") else {}
    servers = Counter(own.of(guild.id) for guild in bot.guilds)
    open_tables = bot.tables.all() if hasattr(bot, "tables") else ()
    tables = Counter(own.of(table.guild_id) for table in open_tables)
    return [
        Shard(
            number,
            _is_connected(bot, number),
            served.get(number, False),
            servers[number],
            tables[number],
        )
        for number in own.ids
    ]


def _is_connected(bot: TichuBot, number: int) -> bool:
    """Return whether this shard is connected."""
    shard = bot.shards.get(number)
    return shard is not None and number not in bot.interrupted and not shard.is_closed()
