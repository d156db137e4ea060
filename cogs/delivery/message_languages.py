"""Languages of messages: the reader's for private messages, the server's for public ones.

A language that the bot does not support counts as not set.
"""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.art.emojis import Emojis
from bot.client import TichuBot
from bot.ids import GuildId, UserId
from bot.records import CardStyle
from bot.storage import StorageError
from bot.text import is_supported, speech
from bot.text.cards import Speaker

log = logging.getLogger(__name__)

_UNSET = discord.Locale.american_english
"""Locale that Discord reports for a server that has set no language."""


def server_language(bot: TichuBot, guild_id: GuildId | None) -> str:
    """Return the language that a server's managers have chosen, else the server's on Discord.

    Without either, return the operator's default. A server that is not a community cannot set a
    language on Discord, which then reports English.
    """
    default = bot.settings.default_language
    if guild_id is None:
        return default
    if (chosen := bot.store.server_settings.get(guild_id).language) is not None:
        return chosen
    if (guild := bot.get_guild(guild_id)) is None:
        return default
    is_set = guild.preferred_locale != _UNSET or "COMMUNITY" in guild.features
    language = guild.preferred_locale.value
    return language if is_set and is_supported(language) else default


def public_words(bot: TichuBot, guild_id: GuildId) -> Speaker:
    """Return the words for everybody in a server, in its language."""
    say = speech(server_language(bot, guild_id))
    return Speaker(say, bot.art, novices_sit_in=bot.novices_sit_in)


def private_words(bot: TichuBot, user_id: UserId, locale: str, guild_id: GuildId | None) -> Speaker:
    """Return the words for one reader, in their language and with cards as they have chosen.

    Readers who have chosen no language get that of their Discord client (`locale`), or the server's
    if that is not supported. Their settings must be in memory (`load_reader`).
    """
    settings = bot.store.personal_settings.cached(user_id)
    art = Emojis.plain() if card_style(bot, user_id, guild_id) == "text" else bot.art
    language = settings.language or locale
    if not is_supported(language):
        language = server_language(bot, guild_id)
    return Speaker(speech(language), art, settings.sorting)


def card_style(bot: TichuBot, user_id: UserId, guild_id: GuildId | None) -> CardStyle:
    """Return how a reader's hand is shown: as they have chosen, else as in the server.

    Their settings must be in memory (`load_reader`).
    """
    chosen = bot.store.personal_settings.cached(user_id).cards
    return chosen or bot.store.server_settings.get(guild_id or GuildId(0)).cards


def words_without_interaction(bot: TichuBot, user_id: UserId, guild_id: GuildId | None) -> Speaker:
    """Return the words for a reader of a message that answers no interaction.

    Readers who have chosen no language get that of their Discord client at their last interaction,
    if it is stored, else the server's, or without a server the operator's default.
    """
    client_language = bot.store.personal_settings.cached(user_id).seen_language
    return private_words(bot, user_id, client_language or "", guild_id)


async def load_reader(bot: TichuBot, interaction: discord.Interaction[Any]) -> None:
    """Load the settings of the user into memory; if that fails, the defaults apply.

    Also store the language of their Discord client, if they want direct messages.
    """
    settings, user_id = bot.store.personal_settings, UserId(interaction.user.id)
    locale = interaction.locale.value
    try:
        own = await settings.get(user_id)
        if own.direct_messages and own.seen_language != locale:
            await settings.note_language(user_id, locale)
    except StorageError as error:
        log.log(error.level, "personal settings not loaded, using the defaults: %s", error)
