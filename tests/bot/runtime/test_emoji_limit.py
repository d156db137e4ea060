"""Rate limit of emoji uploads: Discord's headers are followed and no retry is blind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from types import SimpleNamespace

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import HTTPClient, Route

from bot.runtime.discord_requests import limit_requests, watch_emoji_limit

JSON = "application/json"


@pytest.fixture
async def emojis(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimpleNamespace]:
    """Yield an uploader of the real discord.py; `answers` are the server's, in order."""
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


async def test_limited_upload_is_repeated_when_discord_allows_it(
    emojis: SimpleNamespace,
) -> None:
    body = {"message": "slow down", "retry_after": 1200, "global": False}
    emojis.answers += [(429, body, {"Retry-After": "1200"}), (201, {}, {})]
    await emojis.upload()
    assert emojis.heard == [(1200, False), (0, True)]
    assert (1, 1200) in emojis.slept


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_upload_with_an_unknown_outcome_is_not_repeated(
    emojis: SimpleNamespace, status: int
) -> None:
    emojis.answers += [(status, {}, {})]
    with pytest.raises(discord.DiscordServerError):
        await emojis.upload()
    assert emojis.asked == 1


async def test_ignores_retry_after_without_seconds(emojis: SimpleNamespace) -> None:
    date = {"Retry-After": "Wed, 25 Nov 2026 12:00:00 GMT"}
    emojis.answers += [(429, {"retry_after": 1}, date), (201, {}, {})]
    await emojis.upload()
    assert emojis.heard == [(0, False), (0, True)]
