"""The slash commands for one person alone: lessons, puzzles, the deal of the day, challenges."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.app_commands import locale_str

from cogs.clicks.challenges import open_challenges
from cogs.clicks.daily import show_daily
from cogs.clicks.lessons import list_of_lessons
from cogs.clicks.puzzles import show_puzzle
from cogs.context_commands import ContextCommands
from cogs.delivery.replies import Interaction


class SoloCommands(ContextCommands):
    """Commands of the group ``/tichu`` that need no table; part of its cog."""

    @app_commands.command(description=locale_str("Learn Tichu: short lessons, step by step"))
    async def learn(self, interaction: Interaction) -> None:
        """Show the list of lessons privately, with the user's progress."""
        ctx = self._context(interaction)
        await ctx.reply.show(await list_of_lessons(ctx))

    @app_commands.command(description=locale_str("A puzzle at your level: find the best choice"))
    async def puzzle(self, interaction: Interaction) -> None:
        """Show the puzzle that the user has begun privately, or else a new one."""
        await show_puzzle(self._context(interaction))

    @app_commands.command(
        description=locale_str("The deal of the day: the same for everyone, one try, two minutes")
    )
    async def daily(self, interaction: Interaction) -> None:
        """Show the deal of the day privately, with the user's result."""
        await show_daily(self._context(interaction))

    @app_commands.command(description=locale_str("Challenge someone to the same four deals"))
    @app_commands.describe(player=locale_str("Who to challenge (default: show your challenges)"))
    async def challenge(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Challenge somebody, or show the user's challenges privately."""
        await open_challenges(self._context(interaction), player)
