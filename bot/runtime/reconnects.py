"""Backoff before the bot reconnects to Discord's gateway.

discord.py doubles its pause with each failure up to 17 minutes, and only forgets failures after
half an hour. So after an outage of a minute, tables would wait for some more minutes, while the
time of the players runs out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final, Literal

import discord
from discord.backoff import ExponentialBackoff

from bot.runtime.discord_private import set_backoff

_LONGEST_S: Final = 15.0
"""Maximum pause after the first failures, in seconds."""
_STEP: Final = 50
"""Number of failures after which the maximum pause doubles.

Discord accepts 1,000 logins per day and then resets the token. Even if every attempt fails at once,
these pauses allow less than 500 attempts per day.
"""
_DOUBLINGS: Final = 6
"""Largest number of times that the maximum pause doubles."""
_QUIET_S: Final = 1800.0
"""Seconds without a failure after which the count of failures starts again."""


class ReconnectPauses(ExponentialBackoff[Literal[False]]):
    """Replacement of discord.py's backoff; `now` returns seconds, `uniform` a random number."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        uniform: Callable[[float, float], float] = random.uniform,
    ) -> None:
        super().__init__()
        self._now = now
        self._uniform = uniform
        self._failures = 0
        self._failed_at = now()

    def delay(self) -> float:
        """Return the seconds to wait after another failure, with jitter."""
        now = self._now()
        if now - self._failed_at > _QUIET_S:
            self._failures = 0
        self._failed_at = now
        self._failures += 1
        longest_s = _LONGEST_S * 2.0 ** min(self._failures // _STEP, _DOUBLINGS)
        doubled_s = 2.0 ** min(self._failures, 10)  # bounded, to avoid huge numbers
        return self._uniform(0.0, min(longest_s, doubled_s))


def set_reconnect_backoff(shard: discord.ShardInfo) -> None:
    """Make a shard wait for `ReconnectPauses` before it reconnects."""
    set_backoff(shard, ReconnectPauses())
