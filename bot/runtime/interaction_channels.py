"""Records the arrival of interactions, and adds the channel if only its `channel_id` is given.

Discord may leave out `channel` (discord-api-docs, interactions/receiving-and-responding.mdx), and
discord.py then also ignores `channel_id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.runtime.discord_private import transform_events
from bot.runtime.metrics import Metrics, arrived_at

_UNKNOWN_THREAD: Final = {
    "name": "",
    "parent_id": "0",
    "owner_id": "0",
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": True,
        "auto_archive_duration": 1440,
        "archive_timestamp": "2015-01-01T00:00:00+00:00",
    },
}


def complete_interactions(client: discord.Client, metrics: Metrics) -> None:
    """Record the arrival of each later interaction of this client, and add its channel.

    In a burst, discord.py reads many interactions before the tasks that answer them run. A task has
    the context in which it was created, so each has the arrival of its own interaction.
    """

    def received(data: Mapping[str, Any]) -> Mapping[str, Any]:
        arrived_at.set(metrics.now())
        return with_channel(data)

    transform_events(client, "INTERACTION_CREATE", received)


def with_channel(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the payload of an interaction with a `channel`, made from its `channel_id` if needed.

    discord.py replaces this channel by the one with the same id in its cache. In a server only
    archived threads are missing from the cache, so there the channel is made as an archived thread.
    """
    if data.get("channel") or not data.get("channel_id"):
        return data
    channel: dict[str, Any] = {"id": data["channel_id"], "type": discord.ChannelType.private.value}
    if data.get("guild_id"):
        type_ = discord.ChannelType.public_thread.value
        channel |= _UNKNOWN_THREAD | {"type": type_, "guild_id": data["guild_id"]}
    return {**data, "channel": channel}
