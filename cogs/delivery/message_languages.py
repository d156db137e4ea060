"""Languages of messages: the reader's for private, the server's for public ones.

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

_UNNAMED = discord.Locale.american_english
"""Locale that Discord reports for a server that has set no language."""


def server_language(bot: TichuBot, guild_id: GuildId | None) -> str:
    """Return a server's language: its managers' choice, else that of Discord.

    A server that is not a community cannot set a language, and Discord reports English for it.
    Without a server, or a language of it, this is the operator's default.
    """
    usual = bot.settings.default_language
    if guild_id is None:
        return usual
    if (chosen := bot.store.server_settings.get(guild_id).language) is not None:
        return chosen
    if (guild := bot.get_guild(guild_id)) is None:
        return usual
    named = guild.preferred_locale != _UNNAMED or "COMMUNITY" in guild.features
    found = guild.preferred_locale.value
    return found if named and is_supported(found) else usual


def public_words(bot: TichuBot, guild_id: GuildId) -> Speaker:
    """Return the words for everybody in a server, in its language."""
    say = speech(server_language(bot, guild_id))
    return Speaker(say, bot.art, novices_sit_in=bot.novices_sit_in)


def private_words(bot: TichuBot, user_id: UserId, locale: str, guild_id: GuildId | None) -> Speaker:
    """Return the words for one reader, with their language and cards.

    If they chose no language, it is `locale`, their Discord's, and then that of the server in which
    they read it. Their settings must be in memory (`know_reader`).
    """
    chosen = bot.store.personal_settings.cached(user_id)
    plain = card_style(bot, user_id, guild_id) == "text"
    art = Emojis.plain() if plain else bot.art
    language = chosen.language or locale
    found = language if is_supported(language) else server_language(bot, guild_id)
    return Speaker(speech(found), art, chosen.sorting)


def card_style(bot: TichuBot, user_id: UserId, guild_id: GuildId | None) -> CardStyle:
    """Return how a reader's hand is shown: as they have chosen, else as in the server.

    Their settings must be in memory (`know_reader`).
    """
    chosen = bot.store.personal_settings.cached(user_id).cards
    return chosen or bot.store.server_settings.get(guild_id or GuildId(0)).cards


def words_of_stranger(bot: TichuBot, user_id: UserId, guild_id: GuildId) -> Speaker:
    """Return the words for a reader without an interaction, which would name their language.

    If they chose no language, it is the one in which they were last seen, else the server's.
    """
    seen = bot.store.personal_settings.cached(user_id).seen_language
    return private_words(bot, user_id, seen or "", guild_id)


async def know_reader(bot: TichuBot, interaction: discord.Interaction[Any]) -> None:
    """Load a reader's settings into memory; if that fails, the defaults apply.

    Also stores the language of a person who wants direct messages.
    """
    settings, user_id = bot.store.personal_settings, UserId(interaction.user.id)
    locale = interaction.locale.value
    try:
        chosen = await settings.get(user_id)
        if chosen.nudge_way == "direct" and chosen.seen_language != locale:
            await settings.note_language(user_id, locale)
    except StorageError as error:
        log.log(error.level, "personal settings not loaded, using the defaults: %s", error)
