"""A private message of the bot, and the token with which it can still be reached.

Discord lets an interaction's token edit and delete its private messages, and send more of them,
for fifteen minutes. Nobody but the person who has clicked ever sees such a message. Of the
interaction only the token is kept, and who reads in which language: the rest of it, with the page
that was clicked on and the table of then, is many times as large.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

import discord

from bot.ids import GuildId, MessageId, UserId, optional
from bot.runtime.discord_private import edit_webhook_message
from cogs.pages.controls import Page

TOKEN_LIFE = timedelta(minutes=15)
_MARGIN = timedelta(seconds=5)
_FLAGS = discord.MessageFlags(components_v2=True).value
_PINGS_NOBODY = discord.AllowedMentions.none().to_dict()


class _FirstAnswer(int):
    """What Discord calls the first answer to an interaction, or the message that was clicked on.

    It stands in addresses where else the id of a message stands.
    """

    def __format__(self, _: str, /) -> str:
        return "@original"


_FIRST_ANSWER = _FirstAnswer()


@dataclass(frozen=True, slots=True)
class PrivateMessage:
    """One private message, and the token of the newest interaction about it."""

    token: discord.Webhook
    """Through it the message is edited."""
    created_at: datetime
    """When the interaction was created; from then on the token counts."""
    user_id: UserId
    """The reader."""
    locale: str
    """The language of the reader's Discord."""
    guild_id: GuildId | None
    """The server in which they read it, if any."""
    id: MessageId
    """The message. Newer ones have larger ids, in the whole of Discord."""
    follows: bool = False
    """Whether it was sent after the interaction had another answer."""

    @classmethod
    def of(
        cls, interaction: discord.Interaction[Any], message_id: MessageId, *, follows: bool
    ) -> Self:
        """A message that this interaction was a click on, or that was an answer to it."""
        token, made, reader = (
            interaction.followup,
            interaction.created_at,
            UserId(interaction.user.id),
        )
        locale, guild_id = interaction.locale.value, optional(GuildId, interaction.guild_id)
        return cls(token, made, reader, locale, guild_id, message_id, follows)

    @property
    def ends_at(self) -> datetime:
        """Until when Discord lets us edit and delete it."""
        return self.created_at + TOKEN_LIFE - _MARGIN

    @property
    def name(self) -> MessageId:
        """What it is called in requests with the token."""
        return MessageId(self.id if self.follows else _FIRST_ANSWER)

    async def edit(self, page: Page) -> None:
        """Put this page in its place. Raises discord.py's errors.

        It is by far the most frequent request, so no objects are made of the answer.
        """
        await edit_webhook_message(
            self.token,
            self.name,
            {
                "components": page.to_components(),
                "attachments": [],
                "flags": _FLAGS,
                "allowed_mentions": _PINGS_NOBODY,
            },
        )

    async def delete(self) -> None:
        """Remove it. Raises discord.py's errors."""
        await self.token.delete_message(self.name)

    async def send_another(self, page: Page) -> PrivateMessage:
        """A new private message with this page at the bottom of the channel."""
        sent = await self.token.send(view=page, ephemeral=True, wait=True)
        return replace(self, id=MessageId(sent.id), follows=True)
