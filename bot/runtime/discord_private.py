"""Private parts of discord.py and aiohttp that have no public counterpart.

No other module uses private parts (Ruff's SLF rules). The bot works without most of them, only less
well, so most functions are no-ops if their part is missing. `missing_parts` names the parts that
the installed version of a package lacks. They are logged at the start, and make a test fail.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import aiohttp
import discord
from aiohttp import ClientMiddlewareType, ClientSession
from discord import gateway
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import HTTPClient, Route
from discord.shard import Shard
from discord.state import ConnectionState
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.runtime.logs import kinds_and_frames

log = logging.getLogger(__name__)

_SESSION: Final = "_HTTPClient__session"
_SET_BY: Final[tuple[tuple[type, str], ...]] = (
    (HTTPClient, _SESSION),
    (ClientSession, "_timeout"),
    (ClientSession, "_middlewares"),
    (discord.Client, "_connection"),
    (ConnectionState, "parsers"),
    (discord.ShardInfo, "_parent"),
    (Shard, "ws"),
    (Shard, "_backoff"),
    (DiscordWebSocket, "_keep_alive"),
    (KeepAliveHandler, "_last_ack"),
    (KeepAliveHandler, "_last_send"),
)
"""Classes, and the attributes that their `__init__` sets."""
_METHODS: Final[tuple[tuple[type, str], ...]] = (
    (AsyncWebhookAdapter, "edit_webhook_message"),
    (AsyncWebhookAdapter, "request"),
    (KeepAliveHandler, "get_payload"),
)


def missing_parts() -> list[str]:
    """Return the private parts used here that the installed packages do not have."""
    attributes = [
        f"{owner.__qualname__}.{name}"
        for owner, name in _SET_BY
        if not _sets(owner.__init__, name)  # type: ignore[misc]
    ]
    methods = [f"{owner.__qualname__}.{n}" for owner, n in _METHODS if not hasattr(owner, n)]
    return attributes + methods


def _sets(init: Any, name: str) -> bool:
    """Return whether the code of `__init__` uses an attribute or variable of this name."""
    code = getattr(init, "__code__", None)
    return code is not None and name in (*code.co_names, *code.co_varnames)


def log_missing_parts() -> None:
    """Log one line if a new version of discord.py or aiohttp lacks a part."""
    if missing := missing_parts():
        versions = f"discord.py {discord.__version__}, aiohttp {aiohttp.__version__}"
        log.warning(
            "%s: %s not found; some rate limits and retries are disabled",
            versions,
            ", ".join(missing),
        )


# --- requests -------------------------------------------------------------------------------------


def session_of(http: HTTPClient) -> ClientSession | None:
    """Return the client session of discord.py; `None` before the login and in simulations."""
    session = getattr(http, _SESSION, None)
    return session if isinstance(session, ClientSession) else None


def set_timeout(http: HTTPClient, seconds: float) -> None:
    """Limit the total time of each later request, except connections to the gateway."""
    session: Any = session_of(http)
    if isinstance(getattr(session, "_timeout", None), aiohttp.ClientTimeout):
        session._timeout = aiohttp.ClientTimeout(total=seconds)


def add_middleware(http: HTTPClient, middleware: ClientMiddlewareType) -> None:
    """Add a middleware to those that the session has already."""
    session: Any = session_of(http)
    if session is not None:
        session._middlewares = (*getattr(session, "_middlewares", ()), middleware)


async def request_as_webhook(route: Route, http: HTTPClient, **given: Any) -> Any:
    """Send a request that a webhook token authorizes. Raises discord.py's errors."""
    session: Any = getattr(http, _SESSION, None)
    return await async_context.get().request(route, session, **given)


async def edit_webhook_message(
    webhook: discord.Webhook, message_id: int, payload: dict[str, Any]
) -> None:
    """Edit a message of a webhook without making objects of the answer.

    This takes a fifth less time than `Webhook.edit_message`. Raises discord.py's errors.
    """
    assert webhook.token is not None, "an interaction has a token"
    await async_context.get().edit_webhook_message(
        webhook.id, webhook.token, message_id, session=webhook.session, payload=payload
    )


# --- the gateway ----------------------------------------------------------------------------------


def heartbeat_age_s(shard: discord.ShardInfo) -> float | None:
    """Return the seconds since Discord last answered a heartbeat, or `None` in simulations."""
    socket: Any = shard._parent.ws
    answered_at = getattr(getattr(socket, "_keep_alive", None), "_last_ack", None)
    return None if answered_at is None else max(0.0, time.perf_counter() - answered_at)


def set_backoff(shard: discord.ShardInfo, backoff: ExponentialBackoff[Literal[False]]) -> None:
    """Replace the pauses between attempts to reconnect."""
    shard._parent._backoff = backoff


def transform_events(
    client: discord.Client, event: str, transform: Callable[[Mapping[str, Any]], Mapping[str, Any]]
) -> None:
    """Pass the payload of each later gateway event of this type through `transform`.

    A payload that discord.py cannot read is logged and ignored; otherwise it would end the process.
    """
    parsers: dict[str, Any] = client._connection.parsers
    parse = parsers[event]

    def parse_transformed(data: Mapping[str, Any]) -> None:
        try:
            parse(transform(data))
        except Exception as error:  # noqa: BLE001 - discord.py raises many kinds
            log.error("%s cannot be read and is ignored:\n%s", event, kinds_and_frames(error))

    parsers[event] = parse_transformed


class _KeepAlive(KeepAliveHandler):
    """Thread of heartbeats that notes the time before it sends one.

    discord.py notes it afterwards. On a busy machine the acknowledgement can come before that, and
    is then taken for that of the heartbeat before, 41 seconds ago.
    """

    def get_payload(self) -> dict[str, Any]:
        """Return the heartbeat to send now."""
        self._last_send = time.perf_counter()
        return super().get_payload()


def measure_heartbeats() -> None:
    """Measure the latency of all later connections from the heartbeat to its acknowledgement."""
    gateway.KeepAliveHandler = _KeepAlive  # type: ignore[misc]
