"""``/tichu leaderboard``: who is good at a game, by rating or otherwise."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.client import TichuBot
from bot.rating.tallies import season_of
from bot.score_records import EVER, LATELY, Order
from bot.text import speech
from bot.text.cards import variant_name
from cogs.clicks.leaderboard import show_leaderboard
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction
from cogs.pages.leaderboard import BoardQuery
from engine import VARIANTS

_PERIODS = {"ever": EVER, "season": "", "lately": LATELY}


class LeaderboardCommands(commands.Cog):
    """The command of the leaderboard; a part of the cog `Tichu`."""

    bot: TichuBot
    announcer: Announcer

    @app_commands.command(description="Leaderboard of this server")
    @app_commands.describe(
        variant="Which game (default: the one played here)",
        order="What counts (default: rating)",
        period="All time, this month, or the last 30 days",
        everywhere="All servers together, with everyone who joined that board",
    )
    @app_commands.rename(order="by", period="time")
    @app_commands.choices(
        variant=[
            app_commands.Choice(name=variant_name(speech("en"), name), value=name)
            for name in VARIANTS
        ],
        order=[
            app_commands.Choice(name="Rating", value="rating"),
            app_commands.Choice(name="Matches won", value="wins"),
            app_commands.Choice(name="Win rate", value="win_rate"),
            app_commands.Choice(name="Points per round", value="points"),
            app_commands.Choice(name="Tichus made", value="calls"),
        ],
        period=[
            app_commands.Choice(name="All time", value="ever"),
            app_commands.Choice(name="This season", value="season"),
            app_commands.Choice(name="Last 30 days", value="lately"),
        ],
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        variant: str | None = None,
        order: Order = "rating",
        period: Literal["ever", "season", "lately"] = "ever",
        everywhere: bool = False,
    ) -> None:
        """Private: the first page, and the way to all others."""
        if variant is None:
            state = self.bot.tables.in_channel(interaction.channel_id or 0)
            variant = state.options.variant if state is not None else next(iter(VARIANTS))
        query = BoardQuery(
            variant,
            _PERIODS[period] or season_of(self.bot.clock.now()),
            order,
            everywhere,
        )
        await show_leaderboard(self.announcer, interaction, query)
