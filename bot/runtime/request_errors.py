"""Which failed requests to Discord may succeed when they are sent once more.

`cogs.delivery.failed_requests` says more: what else is tried again, and after which pauses.
"""

from __future__ import annotations

import aiohttp
import discord

REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""Every error with which a request can end without anybody's fault: refusals, lost connections."""
_TOO_MANY = 429
_OPENED_MANY_DIRECT = 40003
"""Many people were written to for the first time, one soon after the other."""


def is_temporary(error: Exception) -> bool:
    """Whether Discord or the network is in trouble, so that the same request may soon succeed."""
    if isinstance(error, discord.HTTPException):
        too_many = error.status == _TOO_MANY or error.code == _OPENED_MANY_DIRECT
        return error.status >= 500 or too_many
    return isinstance(error, REQUEST_ERRORS)
