"""Status of this process's shards."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from bot.client import TichuBot
from bot.runtime.shards import Shards


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
            _connected(bot, number),
            served.get(number, False),
            servers[number],
            tables[number],
        )
        for number in own.ids
    ]


def _connected(bot: TichuBot, number: int) -> bool:
    """Return whether this shard is connected."""
    shard = bot.shards.get(number)
    return shard is not None and number not in bot.interrupted and not shard.is_closed()
