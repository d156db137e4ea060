"""Direct messages, sent only to people who chose them, outside of their quiet hours.

Reminders of the deal of the day are scheduled by `bot.live.reminders`. Only the notice that a table
has lost its thread can also go to people who chose mentions (`cogs.delivery.lost_thread_notices`).
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any

import discord

from bot.client import TichuBot
from bot.ids import ChannelId, MessageId, UserId
from bot.records import PersonalSettings
from bot.table.posts import LostThreadPost, NudgePost
from bot.table.quiet_hours import quiet_until
from cogs.delivery.failed_requests import is_temporary, log_text
from cogs.delivery.messages import NOBODY, Message
from cogs.delivery.nonces import create_once
from cogs.pages.controls import Notice

log = logging.getLogger(__name__)


async def send_directly(
    bot: TichuBot, user_id: UserId, notice: Notice, nonce: str
) -> tuple[ChannelId, MessageId] | None:
    """Send a direct message; return its channel and id, or `None` if Discord refuses it.

    Raises the request's error if it is temporary. A retry with the same `nonce` sends no second
    message.
    """
    try:
        return await open_and_send(bot, user_id, notice, nonce)
    except (discord.Forbidden, discord.NotFound) as error:
        if is_temporary(error):
            raise
        log.info("direct message rejected: %s", log_text(error))
        return None


async def open_and_send(
    bot: TichuBot, user_id: UserId, notice: Notice, nonce: str
) -> tuple[ChannelId, MessageId]:
    """Send a direct message; return its channel and id. Raises the request's error."""
    channel = await bot.create_dm(discord.Object(user_id))
    sent = await create_once(
        lambda derived: channel.send(**notice.message, allowed_mentions=NOBODY, nonce=derived),
        nonce,
        ChannelId(channel.id),
    )
    return ChannelId(channel.id), MessageId(sent.id)


def is_quiet(bot: TichuBot, settings: PersonalSettings) -> bool:
    """Return whether it is a quiet hour for a person with these settings."""
    return quiet_until(settings, bot.clock.now()) is not None


async def record_direct_message(
    bot: TichuBot,
    message: Message,
    user_id: UserId,
    sent: tuple[ChannelId, MessageId] | None,
) -> None:
    """Record in a nudge that a direct message was sent, or refused if `sent` is `None`.

    The record is stored, so that nobody gets a second message after a restart. Raises
    `StorageError`.
    """
    if isinstance(post := message.post, NudgePost | LostThreadPost):
        if sent is not None:
            update: dict[str, Any] = {"direct": {**post.direct, user_id: sent}}
        else:
            update = {"unreached": tuple(dict.fromkeys((*post.unreached, user_id)))}
        await _rewrite(bot, message, post.model_copy(update=update))


async def remove_postponed(bot: TichuBot, message: Message, user_ids: Collection[UserId]) -> None:
    """Remove these people from a nudge; they get a later one. Raises `StorageError`."""
    if isinstance(post := message.post, NudgePost | LostThreadPost):
        others = tuple(user_id for user_id in post.user_ids if user_id not in user_ids)
        await _rewrite(bot, message, post.model_copy(update={"user_ids": others}))


async def _rewrite(bot: TichuBot, message: Message, post: NudgePost | LostThreadPost) -> None:
    message.post = post
    if message.number is not None:
        await bot.tables.messages.rewrite(message.then.id, message.number, post)
