"""Discord that accepts messages and edits but loses answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter
from simcord.http.router import parse_form


class LossyDiscord:
    """Accepts requests like SimCord's Discord, but loses some answers.

    With `repeats` discord.py has sent an answer twice and got the error for the second one.
    `creations` are the nonces of the messages that the bot has tried to post, in order.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lost_messages = 0
        self.lost_edits = 0
        self.lost_answers = 0
        self.repeats = False
        self.creations: list[str | None] = []
        request, answer = FakeHTTPClient.request, FakeWebhookAdapter.request
        outer = self

        async def lossy_request(
            self: FakeHTTPClient, route: discord.http.Route, **given: Any
        ) -> Any:
            if (route.method, route.path) != ("POST", "/channels/{channel_id}/messages"):
                came = await request(self, route, **given)
                if outer.lost_edits and route.method == "PATCH":
                    outer.lost_edits -= 1
                    raise aiohttp.ServerDisconnectedError
                return came
            body, _ = parse_form(given.get("form") or [], [])
            body = body or given.get("json") or {}
            nonce = body.get("nonce") if body.get("enforce_nonce") else None
            outer.creations.append(nonce)
            came = await request(self, route, **given)
            if outer.lost_messages:
                outer.lost_messages -= 1
                raise aiohttp.ServerDisconnectedError
            return came

        async def lossy_answer(
            self: FakeWebhookAdapter, route: Any, *rest: Any, **given: Any
        ) -> Any:
            came = await answer(self, route, *rest, **given)
            if outer.lost_answers and "callback" in route.path:
                outer.lost_answers -= 1
                if outer.repeats:
                    heard: Any = SimpleNamespace(status=400, reason="Bad Request")
                    raise discord.HTTPException(heard, {"code": 40060, "message": "answered"})
                raise aiohttp.ServerDisconnectedError
            return came

        monkeypatch.setattr(FakeHTTPClient, "request", lossy_request)
        monkeypatch.setattr(FakeWebhookAdapter, "request", lossy_answer)
