"""``/tichu history``: matches that are over, for whoever may see their channel."""

from __future__ import annotations

from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.history.listing import HistoryQuery
from bot.ids import ChannelId, UserId
from cogs.clicks.router import Clicks
from cogs.delivery.replies import Interaction


class HistoryCommands(commands.Cog):
    """The command of the history; a part of the cog `Tichu`."""

    clicks: Clicks

    @app_commands.command(description=locale_str("Past matches"))
    @app_commands.describe(
        player=locale_str("Whose matches (default: yours)"),
        which=locale_str("One player's, or all of this channel or server"),
    )
    @app_commands.choices(
        which=[
            Choice(name=locale_str("One player's"), value="own"),
            Choice(name=locale_str("This channel's"), value="channel"),
            Choice(name=locale_str("This server's"), value="server"),
        ]
    )
    async def history(
        self,
        interaction: Interaction,
        player: discord.Member | None = None,
        which: Literal["own", "channel", "server"] = "own",
    ) -> None:
        """Private: the matches that are over, newest first, each a tap away."""
        user = player or (interaction.user if which == "own" else None)
        channel = interaction.channel_id if which == "channel" else None
        query = HistoryQuery(UserId(user.id if user is not None else 0), ChannelId(channel or 0))
        await self.clicks.history.open(interaction, query)
