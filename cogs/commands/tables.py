"""``/tichu tables``: where there is a seat to take, and one's own tables."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from cogs.clicks.router import Clicks
from cogs.commands.wording import said
from cogs.delivery.replies import Interaction
from cogs.pages.table.open_tables import TITLES, TablesQuery, Which


class TablesCommands(commands.Cog):
    """The command of the list of tables; a part of the cog `Tichu`."""

    clicks: Clicks

    @app_commands.command(
        description=locale_str("Open tables with a seat for you, and your own tables")
    )
    @app_commands.describe(which=locale_str("Which tables (default: those on this server)"))
    @app_commands.choices(
        which=[Choice(name=said(title), value=name) for name, title in TITLES.items()]
    )
    async def tables(self, interaction: Interaction, which: Which = "server") -> None:
        """Private: a page of tables, each with what one can do there."""
        await self.clicks.tables.show(interaction, TablesQuery(which))
