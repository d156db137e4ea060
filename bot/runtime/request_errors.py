"""Failed requests to Discord that may succeed when they are repeated.

`cogs.delivery.failed_requests` has more details: further kinds of retries, and their pauses.
"""

from __future__ import annotations

import aiohttp
import discord

REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""Errors of requests that are no bugs: rejections by Discord, and lost connections."""
_TOO_MANY = 429
_OPENED_MANY_DIRECT = 40003
"""Error code after too many first messages to different people in a short time."""


def is_temporary(error: Exception) -> bool:
    """Return whether the same request may soon succeed, because Discord or the network failed."""
    if isinstance(error, discord.HTTPException):
        too_many = error.status == _TOO_MANY or error.code == _OPENED_MANY_DIRECT
        return error.status >= 500 or too_many
    return isinstance(error, REQUEST_ERRORS)
