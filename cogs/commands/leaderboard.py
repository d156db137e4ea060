"""``/tichu leaderboard``: who is good at a game, by rating or otherwise."""

from __future__ import annotations

from functools import partial
from typing import Literal

from discord import app_commands
from discord.app_commands import Choice, locale_str
from discord.ext import commands

from bot.client import TichuBot
from bot.ids import ChannelId
from bot.rating.tallies import season_of
from bot.score_records import EVER, LATELY, Order
from bot.text.cards import variant_name
from bot.text.options import capital
from cogs.clicks.leaderboard import show_leaderboard
from cogs.commands.wording import said
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction
from cogs.pages.profiles.leaderboard import BoardQuery
from engine import VARIANTS

_PERIODS = {"ever": EVER, "season": "", "lately": LATELY}


class LeaderboardCommands(commands.Cog):
    """The command of the leaderboard; a part of the cog `Tichu`."""

    bot: TichuBot
    announcer: Announcer

    @app_commands.command(description=locale_str("Leaderboard of this server"))
    @app_commands.describe(
        variant=locale_str("Which game (default: the one played here)"),
        order=locale_str("What counts (default: rating)"),
        period=locale_str("All time, this month, or the last 30 days"),
        everywhere=locale_str("All servers together, with everyone who joined that board"),
    )
    @app_commands.rename(order="by", period="time")
    @app_commands.choices(
        variant=[
            Choice(name=said(partial(variant_name, name=name)), value=name) for name in VARIANTS
        ],
        order=[
            Choice(name=locale_str("Rating"), value="rating"),
            Choice(name=locale_str("Matches won"), value="wins"),
            Choice(name=locale_str("Win rate"), value="win_rate"),
            Choice(name=locale_str("Points per round"), value="points"),
            Choice(name=locale_str("Tichus made"), value="calls"),
        ],
        period=[
            Choice(name=said(lambda say: capital(say("all time"))), value="ever"),
            Choice(name=locale_str("This season"), value="season"),
            Choice(name=said(lambda say: capital(say("last 30 days"))), value="lately"),
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
            state = self.bot.tables.in_channel(ChannelId(interaction.channel_id or 0))
            variant = state.options.variant if state is not None else next(iter(VARIANTS))
        query = BoardQuery(
            variant,
            _PERIODS[period] or season_of(self.bot.clock.now()),
            order,
            everywhere,
        )
        await show_leaderboard(self.announcer, interaction, query)
