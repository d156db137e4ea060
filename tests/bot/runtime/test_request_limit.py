"""No request to Discord waits for ever."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest
from pydantic import SecretStr

from bot.client import TichuBot
from bot.runtime.request_limit import LONGEST_REQUEST_S, limit_requests
from bot.runtime.settings import Settings


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
