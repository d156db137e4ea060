"""How it is about the connections to Discord (shards) that this process is to have."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from bot.client import TichuBot
from bot.runtime.shards import Shards


class Shard(NamedTuple):
    """One of them."""

    number: int
    connected: bool
    """Whether the connection is there."""
    served: bool
    """Whether this process plays for its servers: no other one has the lease."""
    servers: int
    """How many of its servers have the bot, as far as Discord has told."""
    tables: int
    """How many tables are open there."""


def shards(bot: TichuBot) -> list[Shard]:
    """Return those of this process, in order; none before it has logged in."""
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
    """Return whether this connection to Discord is there."""
    shard = bot.shards.get(number)
    return shard is not None and number not in bot.interrupted and not shard.is_closed()
