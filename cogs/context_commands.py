"""Context of slash commands, for the cogs that have them."""

from __future__ import annotations

from discord.ext import commands

from cogs.clicks.context import Context, Services
from cogs.delivery.replies import Interaction


class ContextCommands(commands.Cog):
    """Commands of the group ``/tichu`` that are answered with a context."""

    services: Services

    def _context(self, interaction: Interaction) -> Context:
        """Return the context of a command, shared by its check, callback and error handler."""
        if "context" not in interaction.extras:
            interaction.extras["context"] = Context(self.services, interaction)
        context: Context = interaction.extras["context"]
        return context
