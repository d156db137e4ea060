"""``/tichu profile``, and the same in the menu of a member: who has played how here."""

from __future__ import annotations

from functools import partial

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.ids import UserId
from bot.text.cards import variant_name
from cogs.clicks.router import Clicks
from cogs.commands.wording import said
from cogs.delivery.replies import Interaction
from cogs.pages.profiles.profile import ProfileQuery
from engine import VARIANTS

MENU = "Tichu profile"


class ProfileCommands:
    """The commands that show profiles; a part of the cog `Tichu`."""

    clicks: Clicks

    @app_commands.command(  # type: ignore[type-var]  # a part of a cog, not one itself
        description=locale_str("How someone plays on this server")
    )
    @app_commands.describe(
        player=locale_str("Whose profile (default: yours)"),
        game=locale_str("Which game (default: the one they play most)"),
    )
    @app_commands.choices(
        game=[Choice(name=said(partial(variant_name, name=name)), value=name) for name in VARIANTS]
    )
    async def profile(
        self, interaction: Interaction, player: discord.User | None = None, game: str | None = None
    ) -> None:
        """Private: figures, records, achievements, rating."""
        user = player or interaction.user
        await self.clicks.profiles.open(interaction, ProfileQuery(UserId(user.id), game))

    def profile_menu(self) -> app_commands.ContextMenu:
        """The entry in the menu of a member, for the command tree."""
        return app_commands.ContextMenu(name=MENU, callback=self._show_profile)

    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def _show_profile(self, interaction: Interaction, member: discord.Member) -> None:
        await self.clicks.profiles.open(interaction, ProfileQuery(UserId(member.id)))
