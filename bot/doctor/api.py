"""Raw requests to Discord that return refusals instead of raising them."""

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

_NAMES: Final = {
    "limit": "X-RateLimit-Limit",
    "reset_after": "X-RateLimit-Reset-After",
    "retry_after": "Retry-After",
    "scope": "X-RateLimit-Scope",
}
"""Headers that steps read (topics/rate-limits.mdx, "Header Format")."""


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
        """Return the number in a header, by its key in `_NAMES`, or `None`."""
        try:
            return float(self.headers[_NAMES[name]])
        except (KeyError, ValueError):
            return None

    def __str__(self) -> str:
        """Return the status, with Discord's code if there is one: `400/50035`."""
        return str(self.status) if self.ok or not self.code else f"{self.status}/{self.code}"


class _Seen(NamedTuple):
    """Status and headers of a response."""

    method: str
    path: str
    status: int
    headers: Mapping[str, str]


class Api:
    """Sends requests through discord.py: its base URL, its token, its rate-limit handling.

    `trace` must be passed to the client (`http_trace`) to record the headers of responses.
    """

    def __init__(self) -> None:
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._ended)
        self._seen: list[_Seen] = []
        self._http: HTTPClient

    def use(self, http: HTTPClient) -> None:
        """Send requests with this client, which must have logged in."""
        self._http = http

    def saw(self, method: str, path: str, status: int, headers: Mapping[str, str]) -> None:
        """Record a response as it arrives."""
        self._seen.append(_Seen(method, path, status, headers))

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
        form, files = _form(json, picture)
        seen = len(self._seen)
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
                given: dict[str, Any] = {"params": params} if params else {}
                if form:
                    given |= {"form": form, "files": files}
                elif json is not None:
                    given["json"] = json
                body = await self._http.request(route, **given)
        except discord.HTTPException as error:
            answer = Answer(
                error.status,
                {"code": error.code, "message": error.text},
                error.response.headers,
            )
        else:
            answer = Answer(200, body)
        own = [each for each in self._seen[seen:] if (each.method, each.path) == _path(route)]
        if own:
            answer = answer._replace(status=own[-1].status, headers=own[-1].headers)
        return answer

    @property
    def answers(self) -> int:
        """Number of responses so far."""
        return len(self._seen)

    def limited(self, *, since: int) -> list[str]:
        """Return the scope of each 429 after the first `since` responses, or `?`."""
        later = self._seen[since:]
        return [each.headers.get(_NAMES["scope"], "?") for each in later if each.status == 429]

    async def _ended(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
    ) -> None:
        """Record a response; called by aiohttp."""
        self.saw(end.method, end.url.raw_path, end.response.status, end.response.headers)


def _form(
    json: Any, picture: tuple[str, bytes] | None
) -> tuple[list[dict[str, Any]], Sequence[discord.File]]:
    """Return a body and a file as a form of discord.py, or nothing without a file."""
    if picture is None:
        return [], ()
    name, data = picture
    file = discord.File(io.BytesIO(data), name)
    part = {"name": "files[0]", "value": file.fp, "filename": name, "content_type": "image/png"}
    return [{"name": "payload_json", "value": _to_json(json)}, part], [file]


def _path(route: Route) -> tuple[str, str]:
    """Return the method and the path of a route in the spelling of aiohttp."""
    return route.method, URL(route.url).raw_path
