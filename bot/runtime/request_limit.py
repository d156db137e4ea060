"""Limits how long a request to Discord takes.

Requests of a table are sent one after another, so a slow one keeps all its messages back.
discord.py leaves the longest time to aiohttp (five minutes), and repeats some requests itself: four
times in 25 s after a failure of Discord, and as often after too many edits of old messages (30046,
a 429). Messages of channels and first answers fail at once instead: their callers retry with what
is to be shown by then. So do uploads of emojis, as one that failed may have been carried out. Other
requests, which nobody else repeats, are left to discord.py.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import aiohttp
import discord
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, hdrs
from discord.http import HTTPClient, json_or_text

LONGEST_REQUEST_S: Final = 30.0
"""Seconds until a request fails with a `TimeoutError`; it is then sent again."""
LONGEST_RETRIED_S: Final = 10.0
"""The same for requests that their callers repeat, on which others wait."""
LONGEST_UPLOAD_S: Final = 2.5
"""The same for those with a picture: after that it is sent in words."""
TOO_MANY_EDITS_OF_OLD: Final = 30046
"""discord-api-docs, topics/opcodes-and-status-codes.mdx; its status 429 is only reported."""
_TOO_MANY, _SERVER_ERROR = 429, 500
_RETRIED_BY_CALLERS = re.compile(
    r"[A-Z]+ .*/(channels/\d+/messages(/\d+)?|interactions/\d+/[^/]+/callback)"
    r"|(GET|PATCH) .*/channels/\d+"
    r"|PUT .*/channels/\d+/thread-members/\d+"
    r"|POST .*/users/@me/channels"
    r"|POST .*/applications/\d+/emojis"
)
"""Method and path of requests that are tried again by `cogs.delivery` and `bot.art.uploads`."""


def limit_requests(http: HTTPClient) -> None:
    """Limit all requests from now on; the client has logged in. discord.py has no setting for it.

    Connections to the gateway are not meant: they have limits of their own.
    """
    session: Any = getattr(http, "_HTTPClient__session", None)
    if isinstance(getattr(session, "_timeout", None), aiohttp.ClientTimeout):  # not if simulated
        session._timeout = aiohttp.ClientTimeout(total=LONGEST_REQUEST_S)
        session._middlewares = (fail_at_once,)


async def fail_at_once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Raise `discord.HTTPException` where discord.py would repeat the request.

    aiohttp calls this as a middleware of the session. Rate limits are left to discord.py.
    """
    if not _RETRIED_BY_CALLERS.fullmatch(f"{request.method} {request.url.path}"):
        return await send(request)
    async with asyncio.timeout(LONGEST_UPLOAD_S if _uploads(request) else LONGEST_RETRIED_S):
        response = await send(request)
    if response.status >= _SERVER_ERROR:
        raise discord.DiscordServerError(response, await json_or_text(response))
    if response.status == _TOO_MANY:
        answer = await json_or_text(response)
        if isinstance(answer, dict) and answer.get("code") == TOO_MANY_EDITS_OF_OLD:
            raise discord.HTTPException(response, answer)
    return response


def _uploads(request: ClientRequest) -> bool:
    return request.headers.get(hdrs.CONTENT_TYPE, "").startswith("multipart/")
