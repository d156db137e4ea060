"""Which failed requests are retried, and after which pause.

Trouble of Discord, the network or the storage is temporary: a 5xx or 429 answer, a lost
connection, a database that cannot be written. Every other answer is a refusal for good.
"""

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


def is_temporary(error: Exception) -> bool:
    """Whether a retry of the same request may succeed; not if Discord has refused it for good."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == _TOO_MANY
    return isinstance(error, TROUBLE)


def pause_s(failures: int, error: Exception) -> float:
    """Seconds to wait before the next retry, after so many failures in a row.

    1, 2, 4, 8, then always 15; but at least as long as Discord itself asks for.
    """
    asked = 0.0
    if isinstance(error, discord.HTTPException):
        try:
            asked = float(error.response.headers.get("Retry-After", 0))
        except ValueError:  # a date: no such header comes from Discord itself
            asked = _LONGEST_PAUSE_S
    return max(asked, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** min(failures - 1, 10)))


def told(error: Exception) -> str:
    """An error for the log; of a refusal of Discord not the text, which may quote what we sent."""
    kind = type(error).__name__
    if isinstance(error, discord.HTTPException):
        return f"{kind} {error.status}/{error.code}"
    return f"{kind}: {error}"[:200]
