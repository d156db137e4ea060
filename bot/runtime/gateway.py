"""When Discord has answered the last heartbeat of a connection; discord.py has no public way."""

from __future__ import annotations

import time
from typing import Any

import discord


def heartbeat_age_s(shard: discord.ShardInfo) -> float | None:
    """The seconds since then; `None` if the connection has none, as it is only simulated."""
    socket: Any = shard._parent.ws
    answered_at = getattr(getattr(socket, "_keep_alive", None), "_last_ack", None)
    return None if answered_at is None else max(0.0, time.perf_counter() - answered_at)
