"""Private (ephemeral) messages of the bot, and the tokens that edit them.

For fifteen minutes an interaction's token can edit and delete its private messages and send more of
them. Only the user who clicked ever sees such a message. Of the interaction only the token, the
reader and their language are kept in memory, because the rest, with the clicked page and the table
at that time, is many times as large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

import discord

from bot.ids import ChannelId, GuildId, MessageId, UserId, optional
from bot.runtime.discord_private import edit_webhook_message
from cogs.delivery.uploads import Files, KeptFile, shown_files
from cogs.pages.controls import Page

TOKEN_LIFE = timedelta(minutes=15)
"""Time for which Discord accepts the token of an interaction."""
_MARGIN = timedelta(seconds=5)
_FLAGS = discord.MessageFlags(components_v2=True).value
_MENTIONS_NOBODY = discord.AllowedMentions.none().to_dict()


class _FirstAnswer(int):
    """Number that URLs show as `@original`.

    That is Discord's name for the first answer to an interaction, or for the clicked message. The
    methods of discord.py accept only numbers as the ids of messages.
    """

    def __format__(self, _: str, /) -> str:
        return "@original"


_FIRST_ANSWER = _FirstAnswer()


@dataclass(frozen=True, slots=True)
class PrivateMessage:
    """One private message, and the token of the newest interaction about it."""

    token: discord.Webhook
    """Webhook that edits the message."""
    created_at: datetime
    """Creation time of the interaction, at which the token's life begins."""
    user_id: UserId
    """The reader."""
    locale: str
    """The language of the reader's Discord."""
    guild_id: GuildId | None
    """The server in which they read it, if any."""
    channel_id: ChannelId | None
    """The channel in which they read it, if Discord has named it."""
    id: MessageId
    """The message. Newer ones have larger ids, in the whole of Discord."""
    is_followup: bool = False
    """True if it was sent as a followup, after another answer to the interaction."""

    @classmethod
    def from_interaction(
        cls, interaction: discord.Interaction[Any], message_id: MessageId, *, is_followup: bool
    ) -> Self:
        """Return the message from an interaction that clicked it or is answered by it."""
        return cls(
            token=interaction.followup,
            created_at=interaction.created_at,
            user_id=UserId(interaction.user.id),
            locale=interaction.locale.value,
            guild_id=optional(GuildId, interaction.guild_id),
            channel_id=optional(ChannelId, interaction.channel_id),
            id=message_id,
            is_followup=is_followup,
        )

    @property
    def ends_at(self) -> datetime:
        """Time at which the token expires, less a margin."""
        return self.created_at + TOKEN_LIFE - _MARGIN

    @property
    def id_in_url(self) -> MessageId:
        """Name of the message in the URLs of requests with the token."""
        return MessageId(self.id if self.is_followup else _FIRST_ANSWER)

    async def edit(self, page: Page, files: Files = ()) -> tuple[KeptFile, ...]:
        """Replace the page and all files; return its files. Raises discord.py's errors.

        Edits without a new file are by far the most frequent requests, so no objects are built from
        Discord's answer.
        """
        kept = tuple(file for file in files if isinstance(file, KeptFile))
        if len(kept) < len(files):
            attachments: list[Any] = list(files)
            return shown_files(
                await self.token.edit_message(self.id_in_url, view=page, attachments=attachments)
            )
        await edit_webhook_message(
            self.token,
            self.id_in_url,
            {
                "components": page.to_components(),
                "attachments": [file.to_dict() for file in kept],
                "flags": _FLAGS,
                "allowed_mentions": _MENTIONS_NOBODY,
            },
        )
        return kept

    async def delete(self) -> None:
        """Delete the message. Raises discord.py's errors."""
        await self.token.delete_message(self.id_in_url)

    async def send_another(
        self, page: Page, files: Sequence[discord.File] = ()
    ) -> tuple[PrivateMessage, tuple[KeptFile, ...]]:
        """Send a new private message with this page at the bottom of the channel.

        Returns the message and its files.
        """
        given: dict[str, Any] = {"files": files} if files else {}
        sent = await self.token.send(view=page, ephemeral=True, wait=True, **given)
        return replace(self, id=MessageId(sent.id), is_followup=True), shown_files(sent)
