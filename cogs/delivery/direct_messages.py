"""Direct messages, which only people get who have asked for them, and not in their quiet hours."""

from __future__ import annotations

import hashlib
import logging

import discord

from bot.client import TichuBot
from bot.ids import ChannelId, MessageId, UserId
from bot.records import PersonalSettings
from bot.table.quiet_hours import quiet_until
from cogs.delivery.messages import NOBODY
from cogs.delivery.trouble import is_temporary, log_text
from cogs.pages.controls import Page

log = logging.getLogger(__name__)


async def sent_directly(
    bot: TichuBot, user_id: UserId, page: Page, nonce: str
) -> tuple[ChannelId, MessageId] | None:
    """The direct message to this person, by channel and id; `None` if Discord refuses it.

    Raises what requests raise in trouble that may pass: tried again with the same `nonce`, it comes
    once.
    """
    own = hashlib.blake2b(f"{nonce}:{user_id}".encode(), digest_size=12).hexdigest()
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        sent = await channel.send(view=page, allowed_mentions=NOBODY, nonce=own)
    except (discord.Forbidden, discord.NotFound) as error:
        if is_temporary(error):
            raise
        log.info("a direct message was refused (%s)", log_text(error))
        return None
    return channel.id, sent.id


def is_quiet(bot: TichuBot, chosen: PersonalSettings) -> bool:
    """Whether it is a quiet hour for a person who has chosen this."""
    return quiet_until(chosen, bot.clock.now()) is not None
