"""``/tichu replay``: step through a round that is over, for whoever may see its channel."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str
from discord.ext import commands

from bot.ids import TableId, optional
from bot.records import LARGEST_NUMBER
from cogs.clicks.router import Clicks
from cogs.delivery.replies import Interaction
from cogs.pages.history.replay import ReplayQuery


class ReplayCommands(commands.Cog):
    """The command of replays; a part of the cog `Tichu`."""

    clicks: Clicks

    @app_commands.command(description=locale_str("Step through a past round"))
    @app_commands.describe(
        table=locale_str("Number of the table (default: the last one here)"),
        number=locale_str("Number of the round (default: the last one finished)"),
    )
    @app_commands.rename(number="round")
    async def replay(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1, LARGEST_NUMBER] | None = None,
        number: app_commands.Range[int, 1, LARGEST_NUMBER] | None = None,
    ) -> None:
        """Private: one position of the round after the other, hands hidden or open."""
        await self.clicks.replays.open(
            interaction, optional(TableId, table), ReplayQuery(number or 0)
        )
