"""Reads the rate limit of application emojis from Discord's response headers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from aiohttp import ClientHandlerType, ClientRequest, ClientResponse
from discord.http import HTTPClient

from bot.runtime.discord_private import add_middleware

_TOO_MANY: Final = 429
_EMOJIS: Final = re.compile(r".*/applications/\d+/emojis(/\d+)?")


def watch_emoji_limit(http: HTTPClient, heard: Callable[[float, bool], None]) -> None:
    """Call `heard` with each answer about application emojis.

    It gets the seconds until Discord takes the next such request, and whether this was an accepted
    upload. The waiting itself is left to discord.py.
    """

    async def watch(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
        response = await send(request)
        if _EMOJIS.fullmatch(request.url.path):
            uploaded = request.method == "POST" and response.status < 300
            heard(_wait_s(response), uploaded)
        return response

    add_middleware(http, watch)


def _wait_s(response: ClientResponse) -> float:
    """Return the seconds that an answer asks to wait before the next request of its kind."""
    headers, wait = response.headers, "0"
    if response.status == _TOO_MANY:
        wait = headers.get("Retry-After", wait)
    elif headers.get("X-RateLimit-Remaining") == "0":
        wait = headers.get("X-RateLimit-Reset-After", wait)
    try:
        return float(wait)
    except ValueError:  # RFC 9110 also allows a date
        return 0.0
