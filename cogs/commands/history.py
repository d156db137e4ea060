"""``/tichu history`` and ``/tichu replay``: what is over, for whoever may see its channel."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.history.matches import Selection
from cogs.clicks.game import Clicks
from cogs.pages.replay import Spot

_MOST = 2**31 - 1
Interaction = discord.Interaction[Any]


class PastCommands(commands.Cog):
    """The commands that look back; part of the one group of commands."""

    clicks: Clicks

    @app_commands.command(description="Matches that are over, to look at them again")
    @app_commands.describe(
        player="In which this member sat (default: you)",
        which="Yours or the player's, or all of this channel or server",
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
        wanted = Selection(user.id if user is not None else 0, channel or 0)
        await self.clicks.past.show_history(interaction, wanted)

    @app_commands.command(description="Step through a round that is over")
    @app_commands.describe(
        table="Number of the table (default: the last one in this channel)",
        number="Number of the round (default: the last one that is over)",
    )
    @app_commands.rename(number="round")
    async def replay(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, _MOST] | None = None,
        number: app_commands.Range[int, 1, _MOST] | None = None,
    ) -> None:
        """Private: one position of the round after the other, hands hidden or open."""
        await self.clicks.past.show_replay(interaction, table, Spot(number or 0))
