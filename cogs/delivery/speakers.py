"""In whose language a message is: the reader's if it is private, the server's if it is not."""

from __future__ import annotations

import logging

from bot.art.emojis import Emojis
from bot.client import TichuBot
from bot.ids import GuildId, UserId
from bot.storage import StorageError
from bot.text import speech
from bot.text.cards import Speaker

log = logging.getLogger(__name__)


def public_words(bot: TichuBot, guild_id: GuildId) -> Speaker:
    """Words for everybody in a server: its language."""
    guild = bot.get_guild(guild_id)
    locale = guild.preferred_locale.value if guild is not None else None
    say = speech(locale or bot.settings.default_language)
    return Speaker(say, bot.art, novices_sit_in=bot.novices_sit_in)


def private_words(bot: TichuBot, user_id: UserId, locale: str) -> Speaker:
    """Words for one reader: their own language, and cards as they have chosen.

    What they have chosen must be in memory by now (`know_reader`).
    """
    chosen = bot.store.settings.remembered(user_id)
    art = Emojis.plain() if chosen.cards_as_text else bot.art
    return Speaker(speech(locale), art, chosen.sorting)


def words_of_stranger(bot: TichuBot, user_id: UserId, guild_id: GuildId) -> Speaker:
    """Words for one reader who has asked nothing, so that nobody knows in which language they read.

    They read that of the server where they play.
    """
    guild = bot.get_guild(guild_id)
    locale = guild.preferred_locale.value if guild is not None else bot.settings.default_language
    return private_words(bot, user_id, locale)


async def know_reader(bot: TichuBot, user_id: UserId) -> None:
    """Read into memory what a person has chosen; if that fails they read what all others do."""
    try:
        await bot.store.settings.personal(user_id)
    except StorageError as error:
        log.log(error.level, "nothing is known of what a reader has chosen: %s", error)
