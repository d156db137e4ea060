"""Failures at startup or while running, as sentences for the operator.

A permanent failure ends the bot with the status `CONFIGURATION`, because a restart would fail in
the same way. A temporary failure is retried after a pause, because Discord counts rejected logins
and blocks an address that has too many of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import aiohttp
import discord

from bot.runtime.command_sync import rejection_line
from bot.runtime.discord_requests import is_temporary
from bot.runtime.settings import SettingsError
from bot.storage import StorageUnavailable, StorageUnfit

_FIRST_PAUSE_S: Final = 5.0
_LONGEST_PAUSE_S: Final = 60.0
"""First and longest pause before another attempt, in seconds."""
_LIMITED_FIRST_PAUSE_S: Final = 30.0
_LIMITED_LONGEST_PAUSE_S: Final = 900.0
"""First and longest pause after Discord has rate-limited the bot."""

_TOKEN_REFUSED: Final = (
    "DISCORD_TOKEN is refused by Discord: copy the token again, or reset it, on the "
    '"Bot" page of your application in the Discord Developer Portal.'
)
_UNREACHABLE: Final = "Discord cannot be reached"
_LIMITED: Final = "Discord wants fewer requests from this address"
_MORE_SHARDS: Final = (
    "Discord wants more shards of the bot (4011): if SHARD_COUNT is set, stop all processes and "
    "set a larger one."
)
_CLOSE_REASONS: Final = {
    4004: _TOKEN_REFUSED,
    4010: "Discord knows no such shard (4010): look at SHARD_COUNT and SHARD_IDS.",
    4012: "Discord does not speak with this version of the bot any more (4012): update it.",
    4013: "Discord does not know what the bot wants to hear of (intents, 4013): update it.",
    4014: "Discord refuses what the bot wants to hear of (intents, 4014): update it. It needs none "
    "of the three privileged intents.",
}
"""Sentences for the operator, by close codes of the gateway after which reconnects are useless."""


class Problem(NamedTuple):
    """Failure that has stopped the bot."""

    sentence: str
    """Sentence for the operator."""
    passes: bool = False
    """True if the failure is temporary."""
    limited: bool = False
    """True if Discord has rate-limited the bot."""
    retry_after_s: float = 0.0
    """Wait that Discord demands, in seconds."""

    def pause_s(self, failures: int) -> float:
        """Return the seconds until the next attempt, after `failures` failures in a row."""
        first, longest = (
            (_LIMITED_FIRST_PAUSE_S, _LIMITED_LONGEST_PAUSE_S)
            if self.limited
            else (_FIRST_PAUSE_S, _LONGEST_PAUSE_S)
        )
        return max(self.retry_after_s, min(longest, first * 2.0 ** min(failures - 1, 10)))


def problem_of(error: Exception) -> Problem | None:
    """Return the failure for an exception, or `None` if the exception is unexpected."""
    match error:
        case discord.GatewayNotFound() if isinstance(error.__cause__, discord.HTTPException):
            return problem_of(error.__cause__)
        case discord.LoginFailure():
            return Problem(_TOKEN_REFUSED)
        case discord.PrivilegedIntentsRequired():
            return Problem(_CLOSE_REASONS[4014])
        case discord.ConnectionClosed(code=code) if code in _CLOSE_REASONS:
            return Problem(_CLOSE_REASONS[code])
        case discord.ConnectionClosed(code=4011):  # a retry fetches the number of shards again
            return Problem(_MORE_SHARDS, passes=True)
        case discord.ConnectionClosed(code=code):
            return Problem(f"Discord has closed the connection ({code}).", passes=True)
        case discord.RateLimited(retry_after=seconds):
            return Problem(f"{_LIMITED}.", passes=True, limited=True, retry_after_s=seconds)
        case KeyError(args=("retry_after",)):  # raised by discord.py for a 429 without a wait
            return Problem(f"{_LIMITED}.", passes=True, limited=True)
        case discord.app_commands.CommandSyncFailure():
            return Problem(f"{rejection_line(error)}.")
        case discord.HTTPException():
            return _problem_of_response(error)
        case StorageUnfit() | SettingsError():
            return Problem(str(error))
        case StorageUnavailable():
            return Problem(str(error), passes=True)
        case discord.GatewayNotFound() | aiohttp.ClientError() | TimeoutError():
            reason = str(error).rstrip(".") or type(error).__name__
            return Problem(f"{_UNREACHABLE}: {reason}.", passes=True)
    return None


def _problem_of_response(error: discord.HTTPException) -> Problem:
    """Return the failure for a response by which Discord refuses a request."""
    if error.status == 401:
        return Problem(_TOKEN_REFUSED)
    if error.status == 403:
        return Problem(
            f"Discord forbids this ({error.text or error.status}): if DEV_GUILD_ID is set, "
            "invite the bot to that server first."
        )
    if error.status == 429:
        return Problem(
            f"{_LIMITED}.", passes=True, limited=True, retry_after_s=_retry_after_s(error)
        )
    if is_temporary(error):
        return Problem(f"{_UNREACHABLE}: it answers {error.status}.", passes=True)
    what = f"{error.status}, error code {error.code}: {' '.join(error.text.split())}"
    return Problem(f"Discord refuses this ({what}).")


def _retry_after_s(error: discord.HTTPException) -> float:
    """Return the wait in seconds that a response demands, or 0."""
    try:
        return float(error.response.headers.get("Retry-After", 0))
    except ValueError:  # the header may be a date, too
        return 0.0
