"""No request to Discord waits for ever, and none is repeated where nobody knows of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import HTTPClient, Route
from pydantic import SecretStr

from bot.client import TichuBot
from bot.runtime.request_limit import (
    LONGEST_REQUEST_S,
    TOO_MANY_EDITS_OF_OLD,
    limit_requests,
    watch_emoji_limit,
)
from bot.runtime.settings import Settings
from cogs.delivery.failed_requests import is_too_old

JSON = "application/json"


async def test_the_requests_of_a_bot_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This notices a discord.py that keeps its session elsewhere."""
    settings = Settings(
        _env_file=None,
        discord_token=SecretStr("secret"),
        heartbeat_file=tmp_path / "heartbeat",
        worker_processes=0,
    )
    bot = TichuBot(settings)
    limit_requests(bot.http)  # a simulated Discord has no session
    async with aiohttp.ClientSession() as session:
        monkeypatch.setattr(bot.http, "_HTTPClient__session", session)
        limit_requests(bot.http)
        assert session.timeout.total == LONGEST_REQUEST_S


@pytest.fixture
async def discord_says(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Callable[..., Awaitable[tuple[Exception | None, int]]]]:
    """Returns the error of a request that is answered so at first, and how often it was sent.

    discord.py and the server are real, only the address is not Discord's.
    """
    answers: list[tuple[int, dict[str, Any]]] = []
    asked = 0

    async def answer(_: web.Request) -> web.Response:
        nonlocal asked
        asked += 1
        status, body = answers.pop(0) if answers else (200, {})
        text, headers = json.dumps(body).encode(), {"Via": "1.1"}
        return web.Response(body=text, status=status, headers=headers, content_type=JSON)

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(application) as server, aiohttp.ClientSession() as session:
        http = HTTPClient(asyncio.get_running_loop())
        monkeypatch.setattr(http, "_HTTPClient__session", session)
        monkeypatch.setattr(http, "_global_over", asyncio.Event())
        http._global_over.set()  # as after a login
        monkeypatch.setattr(Route, "BASE", str(server.make_url("/api/v10")))
        limit_requests(http)

        async def ask(
            status: int, body: dict[str, Any], path: str = "/channels/1/messages/2"
        ) -> tuple[Exception | None, int]:
            nonlocal asked
            asked, answers[:] = 0, [(status, body)]
            try:
                await http.request(Route("PATCH", path), json={})
            except discord.HTTPException as error:
                return error, asked
            return None, asked

        yield ask


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524])
async def test_a_failure_of_discord_is_raised_at_once(discord_says: Any, status: int) -> None:
    """discord.py would repeat it four times, with pauses of 1 + 3 + 5 + 7 seconds."""
    error, asked = await discord_says(status, {"code": 0, "message": "failed"})
    assert isinstance(error, discord.DiscordServerError)
    assert (error.status, asked) == (status, 1)


@pytest.mark.parametrize("path", ["/channels/1", "/channels/1/threads", "/webhooks/1/token"])
async def test_what_nobody_else_retries_is_left_to_discord_py(
    discord_says: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("discord.http.asyncio.sleep", sleep)
    assert await discord_says(502, {}, path) == (None, 2)
    assert slept


async def test_too_many_edits_of_old_messages_are_raised_at_once(discord_says: Any) -> None:
    error, asked = await discord_says(429, {"code": TOO_MANY_EDITS_OF_OLD, "retry_after": 600})
    assert is_too_old(error)
    assert (error.status, asked) == (429, 1)


async def test_rate_limits_are_left_to_discord_py(discord_says: Any) -> None:
    assert await discord_says(429, {"retry_after": 0, "message": "slow down"}) == (None, 2)


@pytest.fixture
async def emojis(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimpleNamespace]:
    """Uploads emojis with the real discord.py; `answers` are a server's, first to last."""
    world = SimpleNamespace(answers=[], asked=0, heard=[], slept=[])

    async def answer(_: web.Request) -> web.Response:
        world.asked += 1
        status, body, headers = world.answers.pop(0)
        text, headers = json.dumps(body).encode(), {"Via": "1.1", **headers}
        return web.Response(body=text, status=status, headers=headers, content_type=JSON)

    async def sleep(seconds: float) -> None:
        world.slept.append((world.asked, seconds))

    async def upload() -> None:
        await world.http.request(Route("POST", "/applications/1/emojis"), json={})

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(application) as server, aiohttp.ClientSession() as session:
        world.http, world.upload = HTTPClient(asyncio.get_running_loop()), upload
        monkeypatch.setattr(world.http, "_HTTPClient__session", session)
        monkeypatch.setattr(world.http, "_global_over", asyncio.Event())
        world.http._global_over.set()
        monkeypatch.setattr(Route, "BASE", str(server.make_url("/api/v10")))
        monkeypatch.setattr("discord.http.asyncio.sleep", sleep)
        limit_requests(world.http)
        watch_emoji_limit(world.http, lambda wait, uploaded: world.heard.append((wait, uploaded)))
        yield world


LAST = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "38.5", "X-RateLimit-Limit": "1"}


async def test_uploads_of_emojis_keep_to_the_headers(emojis: SimpleNamespace) -> None:
    emojis.answers += [(201, {}, LAST), (201, {}, LAST | {"X-RateLimit-Remaining": "1"})]
    await emojis.upload()
    await emojis.upload()
    assert emojis.heard == [(38.5, True), (0, True)]
    assert (1, 38.5) in emojis.slept, "before the second one"


async def test_a_limited_upload_of_an_emoji_is_repeated_when_discord_says(
    emojis: SimpleNamespace,
) -> None:
    body = {"message": "slow down", "retry_after": 1200, "global": False}
    emojis.answers += [(429, body, {"Retry-After": "1200"}), (201, {}, {})]
    await emojis.upload()
    assert emojis.heard == [(1200, False), (0, True)]
    assert (1, 1200) in emojis.slept


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_an_upload_that_may_have_been_carried_out_is_not_repeated_blindly(
    emojis: SimpleNamespace, status: int
) -> None:
    emojis.answers += [(status, {}, {})]
    with pytest.raises(discord.DiscordServerError):
        await emojis.upload()
    assert emojis.asked == 1


async def test_a_date_or_nothing_in_place_of_seconds_is_no_wait(emojis: SimpleNamespace) -> None:
    date = {"Retry-After": "Wed, 25 Nov 2026 12:00:00 GMT"}
    emojis.answers += [(429, {"retry_after": 1}, date), (201, {}, {})]
    await emojis.upload()
    assert emojis.heard == [(0, False), (0, True)]
