"""Creates a message once, even if its request is repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

import discord

from bot.ids import ChannelId
from cogs.delivery.failed_requests import UNKNOWN_MESSAGE


async def create_once(
    send: Callable[[str], Awaitable[discord.Message]], nonce: str, channel_id: ChannelId
) -> discord.Message:
    """Create a message in a channel by `send`, which is called with the nonce of the request.

    The nonce of the request is derived from `nonce` and the channel, in case Discord does not keep
    the nonces of channels apart. For a few minutes Discord answers a repeated nonce with the
    existing message. If that message was deleted meanwhile, the answer is 404/10008 by intention
    (discord-api-docs, pull request 6647), and one more request with another nonce creates it again.
    Raises the errors of `send`.
    """
    first = _derive_nonce(nonce, str(channel_id))
    try:
        return await send(first)
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise
    return await send(_derive_nonce(first, "again"))


def _derive_nonce(nonce: str, purpose: str) -> str:
    """Return a nonce of 24 characters, always the same for the same arguments."""
    return hashlib.blake2b(f"{nonce}:{purpose}".encode(), digest_size=12).hexdigest()
