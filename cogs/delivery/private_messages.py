"""A private message of the bot, and the interaction through which it can still be reached.

Discord lets an interaction's token edit and delete its private messages, and send more of them,
for fifteen minutes. Nobody but the person who has clicked ever sees such a message.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.ids import MessageId
from cogs.pages.controls import Page

TOKEN_LIFE = timedelta(minutes=15)
_MARGIN = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class PrivateMessage:
    """One private message and the newest interaction about it."""

    interaction: discord.Interaction[Any]
    """A click on the message, or what the message was an answer to."""
    id: MessageId
    """The message. Newer ones have larger ids, in the whole of Discord."""
    follows: bool = False
    """Whether it was sent after the interaction had another answer."""

    @property
    def ends_at(self) -> datetime:
        """Until when Discord lets us edit and delete it."""
        return self.interaction.created_at + TOKEN_LIFE - _MARGIN

    async def edit(self, page: Page) -> None:
        """Put this page in its place. Raises discord.py's errors."""
        if self.follows:
            await self.interaction.followup.edit_message(self.id, view=page)
        else:
            await self.interaction.edit_original_response(view=page)

    async def delete(self) -> None:
        """Remove it. Raises discord.py's errors."""
        if self.follows:
            await self.interaction.followup.delete_message(self.id)
        else:
            await self.interaction.delete_original_response()

    async def send_another(self, page: Page) -> PrivateMessage:
        """A new private message with this page at the bottom of the channel."""
        sent = await self.interaction.followup.send(view=page, ephemeral=True, wait=True)
        return PrivateMessage(self.interaction, sent.id, follows=True)
