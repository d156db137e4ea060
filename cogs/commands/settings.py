"""``/tichu settings``: what a person has chosen; for moderators, what their server has."""

from __future__ import annotations

from discord import app_commands

from cogs.clicks.settings import show_settings
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction


class SettingsCommands:
    """The command of the settings; a part of the cog `Tichu`."""

    announcer: Announcer

    @app_commands.command(  # type: ignore[type-var]  # a part of a cog, not one itself
        description="Your cards, auto-pass, time, leaderboards; moderators: table of honour"
    )
    async def settings(self, interaction: Interaction) -> None:
        """Private: what can be chosen, and what is chosen."""
        await show_settings(self.announcer, interaction)
