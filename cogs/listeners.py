"""Listeners to Discord's events: clicks, deleted channels, changed permissions."""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord.ext import commands

from bot.client import TichuBot
from bot.ids import ChannelId, GuildId
from bot.table.state import OpenTable
from cogs.clicks.click import read_click
from cogs.clicks.context import ClickContext, Services
from cogs.clicks.router import answer_click
from cogs.delivery.deleted_channels import close, close_all_gone, close_or_pause
from cogs.delivery.replies import Interaction
from cogs.delivery.table_threads import pause_if_lost


class Listeners(commands.Cog):
    """Handles the events of Discord."""

    def __init__(self, bot: TichuBot, services: Services) -> None:
        self.bot = bot
        self.services = services

    async def cog_unload(self) -> None:
        """Cancel late pictures and pages, and wait briefly for messages in flight."""
        await self.services.reviewing.close()
        await self.services.pictures.close()
        await self.services.announcer.drain()

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer clicks on controls; the cog `Tichu` answers commands."""
        click = read_click(interaction)
        if click is not None and await self.bot.accepts(interaction):
            await answer_click(ClickContext(self.services, interaction, click))

    # --- deleted channels ----------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Close tables whose channel was deleted while the bot was offline."""
        await close_all_gone(self.bot)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a deleted channel, and of its threads."""
        await self._close(lambda table: channel.id in (table.channel_id, table.parent_channel_id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of a server that has removed the bot."""
        await self._close(lambda table: table.guild_id == guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the table of a deleted thread, or pause it if it is turn-based."""
        for table in self._tables_in(ChannelId(payload.thread_id)):
            await close_or_pause(self.bot, table)

    def _tables_in(self, channel_id: ChannelId) -> list[OpenTable]:
        return [table for table in self.bot.tables.all() if table.channel_id == channel_id]

    async def _close(self, is_gone: Callable[[OpenTable], bool]) -> None:
        """Close the tables whose channel is gone according to `is_gone`."""
        for table in list(self.bot.tables.all()):
            if is_gone(table):
                await close(self.bot, table)

    # --- changed permissions ------------------------------------------------------------------

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, channel: discord.abc.GuildChannel
    ) -> None:
        """Retry refused messages: permissions in a channel may have changed."""
        self.services.announcer.retry_refused(GuildId(channel.guild.id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: discord.Role, role: discord.Role) -> None:
        """Retry refused messages: a role of the bot may have changed."""
        self.services.announcer.retry_refused(GuildId(role.guild.id))

    @commands.Cog.listener()
    async def on_member_update(self, _: discord.Member, member: discord.Member) -> None:
        """Retry refused messages: the roles of the bot have changed."""
        self.services.announcer.retry_refused(GuildId(member.guild.id))

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry refused messages, and handle that a thread was archived or locked.

        An archived thread is opened again; a turn-based table pauses if its thread is locked.
        """
        self.services.announcer.retry_refused(GuildId(payload.guild_id))
        metadata = payload.data["thread_metadata"]
        for table in self._tables_in(ChannelId(payload.thread_id)):
            if metadata["archived"]:
                self.services.announcer.check_thread(table)
            if metadata.get("locked"):
                await pause_if_lost(self.bot, table)
