"""Newest state, channel and language of one table, for its messages."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import cast

import discord

from bot.client import TichuBot
from bot.ids import ChannelId, GuildId, MessageId, TableId
from bot.table.posts import UNDELIVERED_FOR
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from cogs.delivery import deleted_channels
from cogs.delivery.failed_requests import is_unknown_channel
from cogs.delivery.message_languages import public_words
from cogs.delivery.messages import NOBODY, Message
from cogs.delivery.uploads import KeptFile
from cogs.pages.controls import Notice, Page

Files = Sequence[KeptFile | discord.File]
"""Files of a message after an edit."""
OLDEST_EDITED = timedelta(minutes=55)
"""Age from which a message is posted again instead of edited.

Discord limits edits of messages that are older than an hour.
"""


class ChannelContext:
    """Table and its channel, for all modules that write there.

    The module that posts a table message calls `table_posted` with the ids of table and message.
    """

    def __init__(
        self, bot: TichuBot, state: OpenTable, table_posted: Callable[[TableId, MessageId], None]
    ) -> None:
        self.bot = bot
        self.table_posted = table_posted
        self._last = state

    @property
    def table_id(self) -> TableId:
        """Id of the table."""
        return self._last.id

    @property
    def guild_id(self) -> GuildId:
        """Server of the table."""
        return self._last.guild_id

    @property
    def channel_id(self) -> ChannelId:
        """Channel or thread of the table."""
        return self._last.channel_id

    @property
    def state(self) -> OpenTable:
        """Newest state of the table; its last known one after its end."""
        return self.bot.tables.find(self._last.id) or self._last

    def set_state(self, state: OpenTable) -> None:
        """Store the newest state, also for the time after the table's end."""
        self._last = state

    @property
    def last_state(self) -> OpenTable:
        """State last passed to `set_state`."""
        return self._last

    @property
    def channel(self) -> discord.PartialMessageable:
        """Channel or thread of the table; it may no longer exist."""
        state = self._last
        return self.bot.get_partial_messageable(state.channel_id, guild_id=state.guild_id)

    def waits_for_permission(self, message: Message) -> bool:
        """Return whether a rejected message is kept until the bot is permitted to post it.

        It is dropped if the bot has left the server, or if it is older than `UNDELIVERED_FOR`.
        """
        created_at = message.created_at
        if self.bot.get_guild(self.guild_id) is None:
            return False
        return created_at is None or self.bot.clock.now() - created_at < UNDELIVERED_FOR

    async def close_if_gone(self, error: Exception) -> None:
        """Close the table if its channel is unknown and Discord confirms that."""
        if is_unknown_channel(error):
            await deleted_channels.close_if_gone(self.bot, self.state)

    async def replace_message(
        self,
        message_id: MessageId,
        page: Page | Notice,
        files: Files = (),
    ) -> bool:
        """Replace a message with a page and exactly these files.

        Return whether the message still exists; somebody may have deleted it.
        """
        message = self.channel.get_partial_message(message_id)
        try:
            await message.edit(
                **page.message, attachments=attachments(files), allowed_mentions=NOBODY
            )
        except discord.NotFound as error:
            if is_unknown_channel(error):
                raise
            return False
        return True

    async def remove(self, message_id: MessageId) -> None:
        """Remove a message, unless somebody has deleted it."""
        with contextlib.suppress(discord.NotFound):
            await self.channel.get_partial_message(message_id).delete()

    def too_old(self, message_id: MessageId) -> bool:
        """Return whether a message is too old to be edited."""
        if not self.bot.discord_behaviour.limits_old_edits:
            return False
        age = self.bot.clock.now() - discord.utils.snowflake_time(message_id)
        return age >= OLDEST_EDITED

    @property
    def table_is_old(self) -> bool:
        """True if the round's table message is too old to be edited, so it is posted again."""
        state = self.state
        message_id = state.messages.table
        return shows_round(state) and message_id is not None and self.too_old(message_id)

    @property
    def words(self) -> Speaker:
        """Words for everybody at the table, in the server's language."""
        return public_words(self.bot, self.guild_id)


def attachments(files: Files) -> list[discord.Attachment | discord.File]:
    """Return the files with the type that discord.py declares for attachments.

    A `KeptFile` will do, because discord.py calls only `to_dict` of a file that is kept.
    """
    return cast(list[discord.Attachment | discord.File], list(files))


def shows_round(state: OpenTable) -> bool:
    """Return whether the newest table message belongs to the current round."""
    return isinstance(state, Game) and state.messages.table_round == state.round.number
