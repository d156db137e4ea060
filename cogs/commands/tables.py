"""``/tichu tables``: where there is a seat to take, and one's own tables."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.text import speech
from cogs.clicks.router import Clicks
from cogs.delivery.replies import Interaction
from cogs.pages.tables import TITLES, TablesQuery, Which


class TablesCommands(commands.Cog):
    """The command of the list of tables; a part of the cog `Tichu`."""

    clicks: Clicks

    @app_commands.command(description="Open tables with a seat for you, and your own tables")
    @app_commands.describe(which="Which tables (default: those on this server)")
    @app_commands.choices(
        which=[
            app_commands.Choice(name=title(speech("en")), value=name)
            for name, title in TITLES.items()
        ]
    )
    async def tables(self, interaction: Interaction, which: Which = "server") -> None:
        """Private: a page of tables, each with what one can do there."""
        await self.clicks.tables.show(interaction, TablesQuery(which))
