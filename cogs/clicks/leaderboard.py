"""The command and the controls of the leaderboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import TichuBot
from bot.errors import Refused
from bot.storage import EVER, LATELY, Leaders, Place, Wanted, season_of
from bot.text import speech
from bot.text.cards import variant_name
from cogs.delivery.announcer import Surface
from cogs.delivery.replies import in_time, show
from cogs.pages.controls import Click
from cogs.pages.leaderboard import (
    LINES,
    Asked,
    last_page,
    last_seasons,
    leaderboard_page,
    read_asked,
)
from cogs.pages.verbs import Verb
from engine.variants import VARIANTS

Interaction = discord.Interaction[Any]
_PERIODS = {"ever": EVER, "season": "", "lately": LATELY}


class LeaderboardCommand(commands.Cog):
    """``/tichu leaderboard``, for the cog."""

    bot: TichuBot
    surface: Surface

    @app_commands.command(description="Who is good: the leaderboard of this server")
    @app_commands.describe(
        variant="Which game (default: that of the table in this channel)",
        order="What counts (default: the rating)",
        period="All time, this season (the calendar month), or the last 30 days",
        everywhere="All servers together: everybody who has joined that",
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
            app_commands.Choice(name="Share of matches won", value="win_rate"),
            app_commands.Choice(name="Points a round", value="points"),
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
        order: str = "rating",
        period: Literal["ever", "season", "lately"] = "ever",
        everywhere: bool = False,
    ) -> None:
        """Private: the first page, and the way to all others."""
        if variant is None:
            state = self.bot.tables.in_channel(interaction.channel_id or 0)
            variant = state.options.variant if state is not None else next(iter(VARIANTS))
        season = season_of(self.bot.clock.now())
        asked = (
            f"{variant}.{_PERIODS[period] or season}.{order}.{'all' if everywhere else 'here'}.0"
        )
        await show_leaderboard(self.surface, interaction, asked)


class LeaderboardClicks:
    """The controls of the leaderboard."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self.verbs: Mapping[str, Callable[[Click], Awaitable[None]]] = {Verb.LEADERS: self.turn}

    async def turn(self, click: Click) -> None:
        """Another part of this leaderboard, or another one."""
        asked = click.values[0] if click.values else click.args
        await show_leaderboard(self._surface, click.interaction, asked)


async def show_leaderboard(surface: Surface, interaction: Interaction, args: str) -> None:
    """The page that a control or the command asks for."""
    now = surface.bot.clock.now()
    seasons = last_seasons(season_of(now))
    asked = read_asked(args, seasons)
    if interaction.guild_id is None:
        raise Refused("unknown-button")
    user, board = interaction.user.id, asked.board(interaction.guild_id)
    store = surface.bot.store

    async def read() -> tuple[Asked, Leaders, Place | None, Wanted]:
        if board.period == LATELY:
            await store.keep_lately(now)
        own, wanted = await store.own_place(board, user), await store.wanted(user)
        found = await store.leaders(board, asked.page * LINES, LINES)
        there = replace(asked, page=min(asked.page, last_page(found.size)))
        if there != asked:  # the board has shrunk
            found = await store.leaders(board, there.page * LINES, LINES)
        return there, found, own, wanted

    there, found, own, wanted = await in_time(interaction, read())
    page = leaderboard_page(there, found, own, wanted, seasons, surface.private(interaction))
    await show(interaction, page)
