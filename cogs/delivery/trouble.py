"""What kind of trouble Discord or the storage is in: one that passes, or a refusal for good."""

from __future__ import annotations

import aiohttp
import discord

from bot.storage import StorageError

TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError, StorageError)
"""Every error with which a request can end without anybody's fault."""
UNKNOWN_MESSAGE = 10008
_TOO_MANY = 429
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 15.0


def passes(error: Exception) -> bool:
    """Whether the same request may succeed later: not one that Discord has refused."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == _TOO_MANY
    return isinstance(error, TROUBLE)


def pause_s(failures: int, error: Exception) -> float:
    """Seconds to wait after so many failures in a row: twice as long each time, up to a limit.

    At least as long as Discord itself asks for.
    """
    asked = 0.0
    if isinstance(error, discord.HTTPException):
        try:
            asked = float(error.response.headers.get("Retry-After", 0))
        except ValueError:  # a date: no such header comes from Discord itself
            asked = _LONGEST_PAUSE_S
    return max(asked, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** min(failures - 1, 10)))
