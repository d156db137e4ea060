"""``/tichu settings``: what a person has chosen; for managers, what their server has."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from bot.runtime.zones import matching_zones, with_time
from cogs.clicks.router import Clicks
from cogs.clicks.settings import show_settings
from cogs.delivery.announcer import Announcer
from cogs.delivery.message_languages import know_reader
from cogs.delivery.replies import Interaction

_OFFERED = 25
"""The largest number of choices that Discord shows."""


class SettingsCommands:
    """The command of the settings; a part of the cog `Tichu`."""

    announcer: Announcer
    clicks: Clicks

    @app_commands.command(  # type: ignore[type-var]  # a part of a cog, not one itself
        description=locale_str("Your settings; this server's too, if you may manage it")
    )
    @app_commands.describe(zone=locale_str("Your time zone, for quiet hours: type a city"))
    async def settings(self, interaction: Interaction, zone: str | None = None) -> None:
        """Private: what can be chosen, and what is chosen."""
        if zone is None:
            await show_settings(self.announcer, interaction)
        else:
            await self.clicks.settings.choose_zone(interaction, zone)

    @settings.autocomplete("zone")
    async def _zones(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The time zones that may be meant, each with the time that it is there."""
        bot = self.announcer.bot
        await know_reader(bot, interaction)
        now, language = bot.clock.now(), self.announcer.private(interaction).say.language
        return [
            app_commands.Choice(name=with_time(name, now, language), value=name)
            for name in await matching_zones(typed, _OFFERED)
        ]
