"""Which trouble is temporary, and how long the pause before a retry is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.storage import StorageUnavailable
from cogs.delivery.trouble import is_temporary, pause_s


def refusal(status: int, **headers: str) -> discord.HTTPException:
    """Discord says no."""
    response: Any = SimpleNamespace(status=status, reason="no", headers=headers)
    return discord.HTTPException(response, {"code": 0, "message": "no"})


@pytest.mark.parametrize(
    "error, temporary",
    [
        (refusal(500), True),
        (refusal(503), True),
        (refusal(429), True),
        (refusal(400), False),
        (refusal(403), False),
        (refusal(404), False),
        (aiohttp.ServerDisconnectedError(), True),
        (ConnectionResetError(), True),
        (TimeoutError(), True),
        (StorageUnavailable("full"), True),
        (KeyError("a bug"), False),
    ],
)
def test_refusals_are_not_temporary(error: Exception, temporary: bool) -> None:
    assert is_temporary(error) == temporary


def test_each_pause_is_longer_up_to_a_limit() -> None:
    pauses = [pause_s(failures, refusal(503)) for failures in range(1, 8)]
    assert pauses == [1, 2, 4, 8, 15, 15, 15]
    assert pause_s(100_000, ConnectionResetError()) == 15


def test_discord_says_how_long_to_wait() -> None:
    assert pause_s(1, refusal(429, **{"Retry-After": "37.5"})) == 37.5
    assert pause_s(3, refusal(503, **{"Retry-After": "1"})) == 4
    assert pause_s(1, refusal(503, **{"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})) == 15
