"""``/tichu profile``, and the same in the menu of a member: who has played how here."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.text import Say, speech
from bot.text.cards import variant_name
from cogs.clicks.router import Clicks
from cogs.delivery.replies import Interaction
from cogs.pages.profile import ProfileQuery
from engine import VARIANTS

MENU = "Tichu profile"
_EN: Say = speech("en")


class ProfileCommands:
    """The commands that show profiles; a part of the cog `Tichu`."""

    clicks: Clicks

    @app_commands.command(  # type: ignore[type-var]  # a part of a cog, not one itself
        description="How someone plays on this server"
    )
    @app_commands.describe(
        player="Whose profile (default: yours)",
        game="Which game (default: the one they play most)",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=variant_name(_EN, name), value=name) for name in VARIANTS]
    )
    async def profile(
        self, interaction: Interaction, player: discord.User | None = None, game: str | None = None
    ) -> None:
        """Private: figures, records, achievements, rating."""
        user = player or interaction.user
        await self.clicks.profiles.open(interaction, ProfileQuery(user.id, game))

    def profile_menu(self) -> app_commands.ContextMenu:
        """The entry in the menu of a member, for the command tree."""
        return app_commands.ContextMenu(name=MENU, callback=self._show_profile)

    @app_commands.guild_only()
    @app_commands.allowed_installs(guilds=True, users=False)
    async def _show_profile(self, interaction: Interaction, member: discord.Member) -> None:
        await self.clicks.profiles.open(interaction, ProfileQuery(member.id))
