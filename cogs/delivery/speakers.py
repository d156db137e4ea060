"""In whose language a message is: the reader's if it is private, the server's if it is not."""

from __future__ import annotations

from typing import Any

import discord

from bot.client import TichuBot
from bot.ids import GuildId
from bot.text import speech
from bot.text.cards import Speaker


def public_words(bot: TichuBot, guild_id: GuildId) -> Speaker:
    """Words for everybody in a server: its language."""
    guild = bot.get_guild(guild_id)
    locale = guild.preferred_locale.value if guild is not None else None
    return Speaker(speech(locale or bot.settings.default_language), bot.art)


def private_words(bot: TichuBot, interaction: discord.Interaction[Any]) -> Speaker:
    """Words for one reader: their own language."""
    return Speaker(speech(interaction.locale.value), bot.art)
