"""Metrics of durations, answers and requests to Discord."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import HTTPClient

from bot.runtime.discord_requests import MOST_ROUTES, count_requests, route_of
from bot.runtime.metrics import Histogram, Metrics


def test_duration_is_counted_in_its_bucket() -> None:
    times = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.11, 1.0, 7.0):
        times.observe(seconds)
    assert times.counts == [2, 2, 1]
    assert (times.count, times.largest) == (5, 7.0)
    assert times.total == pytest.approx(8.26)


def test_answers_are_counted_by_kind() -> None:
    metrics = Metrics()
    metrics.observe_response("play", 0.04)
    metrics.observe_response("play", 2.0)
    metrics.observe_response("/hand", 0.001)
    assert {kind: times.count for kind, times in metrics.answers.items()} == {"play": 2, "/hand": 1}
    assert metrics.answers["play"].largest == 2.0


@pytest.mark.parametrize(
    "path, route",
    [
        ("/api/v10/channels/123/messages", "/channels/{id}/messages"),
        ("/api/v10/channels/123/messages/456", "/channels/{id}/messages/{id}"),
        ("/api/v10/interactions/1/aW50ZX.J-_/callback", "/interactions/{id}/{token}/callback"),
        (
            "/api/v10/webhooks/1/123456/messages/@original",
            "/webhooks/{id}/{token}/messages/@original",
        ),
        ("/api/v10/webhooks/1/t0k", "/webhooks/{id}/{token}"),
        ("/api/v10/gateway/bot", "/gateway/bot"),
        ("/", "gateway"),
        ("/emojis/1.png", "other"),
    ],
)
def test_routes_have_no_ids_and_tokens(path: str, route: str) -> None:
    assert route_of(path) == route


@pytest.fixture
async def discord() -> AsyncIterator[TestServer]:
    """Yield a server that answers like Discord and hangs up on some paths."""

    async def answer(request: web.Request) -> web.Response:
        if request.path.endswith("lost"):
            assert request.transport is not None
            request.transport.abort()
        if request.path.endswith("429"):
            return web.Response(status=429, headers={"X-RateLimit-Scope": "shared"})
        return web.Response()

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", answer)
    server = TestServer(application)
    async with server:
        yield server


async def ask(metrics: Metrics, server: TestServer, *paths: str) -> None:
    """Request these paths of Discord's API from the server."""
    http = HTTPClient(asyncio.get_running_loop())
    async with aiohttp.ClientSession() as session:
        vars(http)["_HTTPClient__session"] = session  # as after a login
        count_requests(http, metrics)
        for path in paths:
            try:
                async with session.patch(server.make_url(f"/api/v10/{path}")):
                    pass
            except aiohttp.ClientError:
                assert path.endswith("lost")


async def test_requests_are_counted_with_their_outcome(discord: TestServer) -> None:
    metrics = Metrics()
    await ask(metrics, discord, "channels/1", "channels/2", "channels/429", "channels/3/lost")
    assert metrics.requests == {
        ("PATCH", "/channels/{id}", "200"): 2,
        ("PATCH", "/channels/{id}", "429"): 1,
        ("PATCH", "/channels/{id}/lost", "lost"): 1,
    }
    assert metrics.limited == {"shared": 1}
    assert metrics.request_times.count == 3


async def test_number_of_routes_is_limited(discord: TestServer) -> None:
    metrics = Metrics()
    await ask(metrics, discord, *(f"path{number}x" for number in range(MOST_ROUTES + 5)))
    assert len(metrics.requests) == MOST_ROUTES + 1
    assert metrics.requests["PATCH", "other", "200"] == 5
