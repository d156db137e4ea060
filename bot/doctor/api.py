"""Raw requests to Discord, whose refusals are returned instead of raised."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import aiohttp
import discord
from discord.http import HTTPClient, Route
from discord.utils import _to_json
from yarl import URL

from bot.runtime.discord_private import request_as_webhook

_HEADERS: Final = {
    "limit": "X-RateLimit-Limit",
    "reset_after": "X-RateLimit-Reset-After",
    "retry_after": "Retry-After",
    "scope": "X-RateLimit-Scope",
}
"""Headers that steps read, by short names (topics/rate-limits.mdx, "Header Format")."""


Ids = Mapping[str, int | str]
"""Path parameters of a request."""


class Answer(NamedTuple):
    """Response of Discord to a request."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}

    @property
    def ok(self) -> bool:
        """Return whether the request was accepted."""
        return 200 <= self.status < 300

    @property
    def code(self) -> int:
        """Return the code of Discord's error, or 0."""
        return int(self.body.get("code") or 0) if isinstance(self.body, dict) else 0

    def header(self, name: str) -> float | None:
        """Return the number in a header, or `None`; `name` is a key of `_HEADERS`."""
        try:
            return float(self.headers[_HEADERS[name]])
        except (KeyError, ValueError):
            return None

    def __str__(self) -> str:
        """Return the status, with Discord's code if there is one: `400/50035`."""
        return str(self.status) if self.ok or not self.code else f"{self.status}/{self.code}"


class _ReceivedResponse(NamedTuple):
    """Status and headers of a response."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]


class Api:
    """Sends requests through discord.py: its base URL, its token, its rate-limit handling.

    `trace` must be passed to the Discord client as `http_trace`, so that headers are recorded.
    """

    def __init__(self) -> None:
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._on_request_end)
        self._received: list[_ReceivedResponse] = []
        self._http: HTTPClient

    def use(self, http: HTTPClient) -> None:
        """Send requests with this client, which must have logged in."""
        self._http = http

    def record_response(
        self, method: str, path: str, status: int, headers: Mapping[str, str]
    ) -> None:
        """Record the status and headers of a response."""
        self._received.append(_ReceivedResponse(method, path, status, headers))

    async def request(
        self,
        method: str,
        path: str,
        ids: Ids,
        *,
        json: Any = None,
        picture: tuple[str, bytes] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request and return the response, also if it is a refusal.

        `ids` are the path parameters, `picture` is a file with its name. A request with a
        `webhook_token` is sent without the token of the bot. Network errors are raised.
        """
        route = Route(method, path, metadata=None, **ids)
        form, files = _multipart_form(json, picture)
        received_before = len(self._received)
        try:
            if route.webhook_token is not None:
                body = await request_as_webhook(
                    route,
                    self._http,
                    payload=None if form else json,
                    multipart=form or None,
                    files=files,
                    params=None if params is None else dict(params),
                )
            else:
                options: dict[str, Any] = {"params": params} if params else {}
                if form:
                    options |= {"form": form, "files": files}
                elif json is not None:
                    options["json"] = json
                body = await self._http.request(route, **options)
        except discord.HTTPException as error:
            answer = Answer(
                error.status,
                {"code": error.code, "message": error.text},
                error.response.headers,
            )
        else:
            answer = Answer(200, body)
        responses = [
            response
            for response in self._received[received_before:]
            if (response.method, response.path) == _method_and_path(route)
        ]
        if responses:  # they have the exact status and all headers
            answer = answer._replace(status=responses[-1].status, headers=responses[-1].headers)
        return answer

    @property
    def answers(self) -> int:
        """Number of responses so far."""
        return len(self._received)

    def limited(self, *, since: int) -> list[str]:
        """Return the scope (or `?`) of each 429 response after the first `since` responses."""
        later = self._received[since:]
        return [each.headers.get(_HEADERS["scope"], "?") for each in later if each.status == 429]

    async def _on_request_end(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        """Record a response. Called by aiohttp at the end of a request."""
        self.record_response(
            end.method, end.url.raw_path, end.response.status, end.response.headers
        )


def _multipart_form(
    json: Any, picture: tuple[str, bytes] | None
) -> tuple[list[dict[str, Any]], Sequence[discord.File]]:
    """Return a body and a file in the form that discord.py uploads; empty without a file."""
    if picture is None:
        return [], ()
    name, data = picture
    file = discord.File(io.BytesIO(data), name)
    part = {"name": "files[0]", "value": file.fp, "filename": name, "content_type": "image/png"}
    return [{"name": "payload_json", "value": _to_json(json)}, part], [file]


def _method_and_path(route: Route) -> tuple[str, str]:
    """Return the method and the path of a route, quoted as aiohttp does it."""
    return route.method, URL(route.url).raw_path
