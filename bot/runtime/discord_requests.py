"""Counts the requests to Discord by route and status.

aiohttp can trace requests, too, but does a tenth more for each one then.
"""

from __future__ import annotations

import re
from typing import Final

from aiohttp import ClientHandlerType, ClientRequest, ClientResponse
from discord.http import HTTPClient

from bot.runtime.discord_private import add_middleware
from bot.runtime.metrics import Metrics

LOST: Final = "lost"
"""Status label of a request without a response."""
GATEWAY: Final = "gateway"
"""The route of a connection to Discord's gateway; each has a request at its beginning."""
OTHER: Final = "other"
"""Route label of requests that do not go to Discord's API."""
MOST_ROUTES: Final = 100
"""Further routes count as `OTHER`. We use about thirty."""

_API = re.compile(r"/api/v\d+(/.*)")
_TOKEN = re.compile(r"^/(webhooks|interactions)/\d+/[^/]+")
_NUMBER = re.compile(r"/\d+(?=/|$)")
_SCOPES = frozenset({"user", "global", "shared"})


def count_requests(http: HTTPClient, metrics: Metrics) -> None:
    """Count all later requests; the client has logged in."""
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
        metrics.request_times.note(metrics.now() - begun)
        if response.status == 429:
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
    found = _API.fullmatch(path)
    if found is None:
        return GATEWAY if path == "/" else OTHER
    return _NUMBER.sub("/{id}", _TOKEN.sub(r"/\1/{id}/{token}", found[1]))
