"""In whose language a message is: the reader's if it is private, the server's if it is not.

Whose Discord is in a language that the bot does not speak has named none.
"""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.art.emojis import Emojis
from bot.client import TichuBot
from bot.ids import GuildId, UserId
from bot.storage import StorageError
from bot.text import speaks, speech
from bot.text.cards import Speaker

log = logging.getLogger(__name__)

_UNNAMED = discord.Locale.american_english
"""What Discord says of a server that has named no language."""


def server_language(bot: TichuBot, guild_id: GuildId | None) -> str:
    """The language of a server: what its managers have chosen, else what it is in Discord.

    A server that is no community cannot name its language: Discord then says it is English. Without
    a server, or a language of it, it is the one that whoever runs the bot has chosen.
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
    return found if named and speaks(found) else usual


def public_words(bot: TichuBot, guild_id: GuildId) -> Speaker:
    """Words for everybody in a server: its language."""
    say = speech(server_language(bot, guild_id))
    return Speaker(say, bot.art, novices_sit_in=bot.novices_sit_in)


def private_words(bot: TichuBot, user_id: UserId, locale: str, guild_id: GuildId | None) -> Speaker:
    """Words for one reader: language and cards as they have chosen.

    If they have chosen no language, it is `locale`, that of their Discord, else that of the server
    in which they read it. What they have chosen must be in memory by now (`know_reader`).
    """
    chosen = bot.store.personal_settings.remembered(user_id)
    art = Emojis.plain() if chosen.cards_as_text else bot.art
    language = chosen.language or locale
    found = language if speaks(language) else server_language(bot, guild_id)
    return Speaker(speech(found), art, chosen.sorting)


def words_of_stranger(bot: TichuBot, user_id: UserId, guild_id: GuildId) -> Speaker:
    """Words for one reader who has asked nothing: Discord does not say in which language they read.

    Without a choice of theirs it is the one in which they were last seen, else that of the server.
    """
    seen = bot.store.personal_settings.remembered(user_id).seen_language
    return private_words(bot, user_id, seen or "", guild_id)


async def know_reader(bot: TichuBot, interaction: discord.Interaction[Any]) -> None:
    """Read into memory what a person has chosen; if that fails they read what all others do.

    Of whoever wants direct messages it is noted in which language they read.
    """
    settings, user_id = bot.store.personal_settings, UserId(interaction.user.id)
    locale = interaction.locale.value
    try:
        chosen = await settings.get(user_id)
        if chosen.nudge_way == "direct" and chosen.seen_language != locale:
            await settings.note_language(user_id, locale)
    except StorageError as error:
        log.log(error.level, "nothing is known of what a reader has chosen: %s", error)
