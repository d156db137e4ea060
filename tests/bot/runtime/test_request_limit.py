"""Time limits of requests to Discord, and retries left to their callers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import HTTPClient, Route
from pydantic import SecretStr

from bot.client import TichuBot
from bot.runtime.discord_requests import LONGEST_REQUEST_S, TOO_MANY_EDITS_OF_OLD, limit_requests
from bot.runtime.settings import Settings
from cogs.delivery.failed_requests import is_temporary, is_too_old

JSON = "application/json"
HANGS = 0
"""Placeholder status of a request without an answer."""


async def test_requests_have_a_time_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails with a discord.py that keeps its session elsewhere."""
    settings = Settings(
        _env_file=None,
        discord_token=SecretStr("secret"),
        heartbeat_file=tmp_path / "heartbeat",
        worker_processes=0,
    )
    bot = TichuBot(settings)
    limit_requests(bot.http)  # the simulated Discord has no session
    async with aiohttp.ClientSession() as session:
        monkeypatch.setattr(bot.http, "_HTTPClient__session", session)
        limit_requests(bot.http)
        assert session.timeout.total == LONGEST_REQUEST_S


@pytest.fixture
async def discord_says(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Callable[..., Awaitable[tuple[Exception | None, int]]]]:
    """Yield a function that returns a request's error and how often it was sent.

    discord.py and the server are real; only the address is not Discord's.
    """
    answers: list[tuple[int, dict[str, Any]]] = []
    asked = 0

    async def answer(_: web.Request) -> web.Response:
        nonlocal asked
        asked += 1
        status, body = answers.pop(0) if answers else (200, {})
        if status == HANGS:
            await asyncio.Event().wait()
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
            status: int,
            body: dict[str, Any],
            path: str = "/channels/1/messages/2",
            method: str = "PATCH",
            files: Sequence[str] = (),
        ) -> tuple[Exception | None, int]:
            nonlocal asked
            asked, answers[:] = 0, [(status, body)]
            try:
                if files:
                    form = [{"name": name, "value": b"data", "filename": name} for name in files]
                    await http.request(Route(method, path), form=form, files=[])
                else:
                    await http.request(Route(method, path), json={})
            except (discord.HTTPException, TimeoutError) as error:
                return error, asked
            return None, asked

        yield ask


@pytest.mark.parametrize("status", [500, 502, 503, 504, 524])
async def test_server_error_is_raised_at_once(discord_says: Any, status: int) -> None:
    """By default discord.py would repeat it four times, with pauses of 1 + 3 + 5 + 7 seconds."""
    error, asked = await discord_says(status, {"code": 0, "message": "failed"})
    assert isinstance(error, discord.DiscordServerError)
    assert (error.status, asked) == (status, 1)


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/channels/1"),
        ("PATCH", "/channels/1"),
        ("PUT", "/channels/1/thread-members/2"),
        ("POST", "/users/@me/channels"),
    ],
)
async def test_failures_that_block_a_table_are_raised_at_once(
    discord_says: Any, method: str, path: str
) -> None:
    error, asked = await discord_says(502, {}, path, method)
    assert isinstance(error, discord.DiscordServerError)
    assert asked == 1


@pytest.mark.parametrize(
    "method, path",
    [
        ("DELETE", "/channels/1"),
        ("POST", "/channels/1/threads"),
        ("PATCH", "/webhooks/1/token"),
    ],
)
async def test_other_requests_are_retried_by_discord_py(
    discord_says: Any, monkeypatch: pytest.MonkeyPatch, method: str, path: str
) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr("discord.http.asyncio.sleep", sleep)
    assert await discord_says(502, {}, path, method) == (None, 2)
    assert slept


async def test_too_many_edits_of_old_messages_are_raised_at_once(discord_says: Any) -> None:
    error, asked = await discord_says(429, {"code": TOO_MANY_EDITS_OF_OLD, "retry_after": 600})
    assert is_too_old(error)
    assert (error.status, asked) == (429, 1)


async def test_hanging_upload_is_replaced_by_text(
    discord_says: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.discord_requests.LONGEST_UPLOAD_S", 0.01)
    error, asked = await discord_says(HANGS, {}, files=["picture"])
    assert isinstance(error, TimeoutError)
    assert is_temporary(error)
    assert asked == 1
    assert await discord_says(200, {}, files=["picture"]) == (None, 1)


async def test_rate_limits_are_left_to_discord_py(discord_says: Any) -> None:
    assert await discord_says(429, {"retry_after": 0, "message": "slow down"}) == (None, 2)
