"""``/tichu learn``: the lessons of Learn Tichu."""

from __future__ import annotations

from discord import app_commands
from discord.app_commands import locale_str

from cogs.clicks.lessons import list_of_lessons
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Interaction, Reply


class LessonCommands:
    """The command of the lessons; a part of the cog `Tichu`."""

    announcer: Announcer

    @app_commands.command(  # type: ignore[type-var]  # a part of a cog, not one itself
        description=locale_str("Learn Tichu: short lessons, step by step")
    )
    async def learn(self, interaction: Interaction) -> None:
        """Private: all lessons, and how far you are."""
        await Reply(interaction).show(await list_of_lessons(self.announcer, interaction))
