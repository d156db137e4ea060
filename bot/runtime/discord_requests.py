"""Middlewares around requests to Discord: metrics, timeouts, the rate limit of emojis.

Requests are counted here, because aiohttp's tracing makes each request a tenth slower.

The requests of a table are sent one after another, so a slow request delays all messages of the
table. discord.py leaves the timeout to aiohttp (five minutes), and retries four times within 25 s
after a server error and after error 30046 (too many edits of old messages). Here channel messages
and first responses fail immediately instead, so that their callers can retry with newer content.
Uploads of emojis fail immediately, too, because Discord may have carried out a failed upload.
Retries of all other requests are left to discord.py.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Final

import aiohttp
import discord
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, hdrs
from discord.http import HTTPClient, json_or_text

from bot.runtime.discord_private import add_middleware, set_timeout
from bot.runtime.metrics import Metrics

LOST: Final = "lost"
"""Status label of a request without a response."""
GATEWAY: Final = "gateway"
"""Route label of connections to Discord's gateway, which each begin with a request."""
OTHER: Final = "other"
"""Route label of requests that do not go to Discord's API."""
MOST_ROUTES: Final = 100
"""Maximum number of routes with a label of their own, about three times those in use."""

_API = re.compile(r"/api/v\d+(/.*)")
_TOKEN = re.compile(r"^/(webhooks|interactions)/\d+/[^/]+")
_NUMBER = re.compile(r"/\d+(?=/|$)")
_SCOPES = frozenset({"user", "global", "shared"})


def count_requests(http: HTTPClient, metrics: Metrics) -> None:
    """Count all requests from now on; call this after the login."""
    add_middleware(http, DiscordRequests(metrics))


class DiscordRequests:
    """Middleware that records each request of a session and its result in `metrics`."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._routes: set[tuple[str, str]] = set()

    async def __call__(self, request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
        """Send a request, and count it. aiohttp calls this as a middleware of the session."""
        metrics = self._metrics
        begun = metrics.now()
        try:
            response = await send(request)
        except BaseException:
            self._count(request, LOST)
            raise
        self._count(request, str(response.status))
        metrics.request_times.observe(metrics.now() - begun)
        if response.status == _TOO_MANY:
            scope = response.headers.get("X-RateLimit-Scope", "")
            metrics.limited[scope if scope in _SCOPES else OTHER] += 1
        return response

    def _count(self, request: ClientRequest, status: str) -> None:
        method, route = request.method, route_of(request.url.path)
        if (method, route) not in self._routes:
            if len(self._routes) >= MOST_ROUTES:
                route = OTHER
            self._routes.add((method, route))
        self._metrics.requests[method, route, status] += 1


def route_of(path: str) -> str:
    """Return the route of an API path, without numbers and tokens."""
    match = _API.fullmatch(path)
    if match is None:
        return GATEWAY if path == "/" else OTHER
    return _NUMBER.sub("/{id}", _TOKEN.sub(r"/\1/{id}/{token}", match[1]))


LONGEST_REQUEST_S: Final = 30.0
"""Timeout of a request, in seconds; it is then retried."""
LONGEST_RETRIED_S: Final = 10.0
"""Timeout of requests that their callers retry, in seconds, because others wait for them."""
LONGEST_UPLOAD_S: Final = 2.5
"""Timeout of requests with a picture, in seconds; they are then sent as text."""
TOO_MANY_EDITS_OF_OLD: Final = 30046
"""Error code of edits of old messages; its status 429 has no rate limit headers.

discord-api-docs, topics/opcodes-and-status-codes.mdx.
"""
_TOO_MANY, _SERVER_ERROR = 429, 500
_RETRIED_BY_CALLERS = re.compile(
    r"[A-Z]+ .*/(channels/\d+/messages(/\d+)?|interactions/\d+/[^/]+/callback)"
    r"|(GET|PATCH) .*/channels/\d+"
    r"|PUT .*/channels/\d+/thread-members/\d+"
    r"|POST .*/users/@me/channels"
    r"|POST .*/applications/\d+/emojis"
)
"""Method and path of requests that `cogs.delivery` and `bot.art.uploads` retry."""


def limit_requests(http: HTTPClient) -> None:
    """Set timeouts and prevent retries of requests from now on; call this after the login."""
    set_timeout(http, LONGEST_REQUEST_S)
    add_middleware(http, fail_at_once)


async def fail_at_once(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
    """Raise `discord.HTTPException` where discord.py would repeat the request.

    A middleware of aiohttp. Rate limits are left to discord.py.
    """
    if not _RETRIED_BY_CALLERS.fullmatch(f"{request.method} {request.url.path}"):
        return await send(request)
    async with asyncio.timeout(LONGEST_UPLOAD_S if _has_picture(request) else LONGEST_RETRIED_S):
        response = await send(request)
    if response.status >= _SERVER_ERROR:
        raise discord.DiscordServerError(response, await json_or_text(response))
    if response.status == _TOO_MANY:
        answer = await json_or_text(response)
        if isinstance(answer, dict) and answer.get("code") == TOO_MANY_EDITS_OF_OLD:
            raise discord.HTTPException(response, answer)
    return response


def _has_picture(request: ClientRequest) -> bool:
    return request.headers.get(hdrs.CONTENT_TYPE, "").startswith("multipart/")


_EMOJIS: Final = re.compile(r".*/applications/\d+/emojis(/\d+)?")


def watch_emoji_limit(http: HTTPClient, on_response: Callable[[float, bool], None]) -> None:
    """Call `on_response` after each response about application emojis.

    Its arguments are the seconds until Discord accepts the next such request, and whether this was
    an accepted upload. discord.py itself waits that long.
    """

    async def watch(request: ClientRequest, send: ClientHandlerType) -> ClientResponse:
        response = await send(request)
        if _EMOJIS.fullmatch(request.url.path):
            uploaded = request.method == "POST" and response.status < 300
            on_response(_requested_wait_s(response), uploaded)
        return response

    add_middleware(http, watch)


def _requested_wait_s(response: ClientResponse) -> float:
    """Return the seconds that a response asks to wait before the next such request."""
    headers, wait = response.headers, "0"
    if response.status == _TOO_MANY:
        wait = headers.get("Retry-After", wait)
    elif headers.get("X-RateLimit-Remaining") == "0":
        wait = headers.get("X-RateLimit-Reset-After", wait)
    try:
        return float(wait)
    except ValueError:  # RFC 9110 also allows a date
        return 0.0


REQUEST_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
"""Errors of requests that are no bugs: rejections by Discord, and lost connections."""
_OPENED_MANY_DIRECT = 40003
"""Error code after too many first messages to different people in a short time."""


def is_temporary(error: Exception) -> bool:
    """Return whether the same request may soon succeed, because Discord or the network failed."""
    if isinstance(error, discord.HTTPException):
        too_many = error.status == _TOO_MANY or error.code == _OPENED_MANY_DIRECT
        return error.status >= 500 or too_many
    return isinstance(error, REQUEST_ERRORS)
