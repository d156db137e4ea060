"""Nonces of messages: stable for a message, different in another channel."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.ids import ChannelId
from cogs.delivery.nonces import create_once
from tests.strict_discord import LONGEST_NONCE


class Sent:
    """Records the nonces sent; answers the first ones with `failures`."""

    def __init__(self, *failures: Exception) -> None:
        self.nonces: list[str] = []
        self._failures = list(failures)

    async def send(self, nonce: str) -> Any:
        self.nonces.append(nonce)
        if self._failures:
            raise self._failures.pop(0)


def missing(code: int) -> discord.NotFound:
    response: Any = SimpleNamespace(status=404, reason="Not Found", headers={})
    return discord.NotFound(response, {"code": code, "message": "gone"})


async def nonces_of(nonce: str, channel_id: ChannelId, *failures: Exception) -> list[str]:
    sent = Sent(*failures)
    await create_once(sent.send, nonce, channel_id)
    return sent.nonces


async def test_nonce_depends_on_the_channel() -> None:
    nonce = "a" * LONGEST_NONCE
    (first,), (again,) = await nonces_of(nonce, ChannelId(1)), await nonces_of(nonce, ChannelId(1))
    (elsewhere,) = await nonces_of(nonce, ChannelId(2))
    assert first == again != elsewhere
    assert len(first) <= LONGEST_NONCE


async def test_reposted_message_has_another_nonce() -> None:
    first, second = await nonces_of("nonce", ChannelId(1), missing(10008))
    assert first != second
    with pytest.raises(discord.NotFound):
        await nonces_of("nonce", ChannelId(1), missing(10003))
