"""Requests that reach Discord only when a test lets them."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from simcord.http.client import FakeHTTPClient

from tests.simcord_clicks import from_outside


class SlowRequests:
    """Holds requests of one method and route until a test releases them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, method: str, path: str) -> None:
        self.waiting: list[asyncio.Future[None]] = []
        self.slow = False
        request, outer = FakeHTTPClient.request, self

        async def slow_request(
            self: FakeHTTPClient, route: discord.http.Route, **given: Any
        ) -> Any:
            if outer.slow and (route.method, route.path) == (method, path):
                let = asyncio.get_running_loop().create_future()
                outer.waiting.append(let)
                await from_outside(let, "a slow request")
            return await request(self, route, **given)

        monkeypatch.setattr(FakeHTTPClient, "request", slow_request)

    def let_go(self) -> None:
        """Release all waiting and future requests."""
        self.slow = False
        for let in self.waiting:
            let.set_result(None)
