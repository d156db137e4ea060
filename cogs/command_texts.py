"""Texts of the slash commands in every language: descriptions, and names of choices.

The names of commands and options are English in every language, because people mention them to each
other, and Discord shows the English name in a mention of a command.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location
from discord.app_commands import TranslationContextTypes
from discord.app_commands import locale_str as _in_all_languages

from bot.table.options import TURN_BASED_S
from bot.text import SOURCE, Say, capital, speech
from bot.text.cards import variant_name
from bot.text.options import turn_limit
from engine import VARIANTS

_NAMES = {Location.command_name, Location.group_name, Location.parameter_name}
LONGEST = 100
"""Maximum number of characters of a text in Discord."""


def localized(compose: Callable[[Say], str]) -> app_commands.locale_str:
    """Return a text that `compose` makes from several messages of the catalogue.

    A text that is a single message is written as `locale_str`.
    """
    return _in_all_languages(compose(speech(SOURCE)), compose=compose)


def _pace(seconds: int, say: Say) -> str:
    """Return a limit of a turn as the name of a choice."""
    return capital(turn_limit(seconds, say))


GAMES = [
    app_commands.Choice(name=localized(partial(variant_name, name=name)), value=name)
    for name in VARIANTS
]
"""Choices of a game."""
TURN_BASED = [
    app_commands.Choice(name=localized(partial(_pace, limit)), value=limit)
    for limit in TURN_BASED_S
]
"""Choices of a limit of a turn in seconds, at turn-based pace."""


class CommandTranslator(app_commands.Translator):
    """Translator that reads the texts of commands from the message catalogues."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: TranslationContextTypes,
    ) -> str | None:
        """Return the text in this language, or `None` to keep the English one.

        Names are not translated. A translation that is too long is not used, because Discord would
        reject all commands for it.
        """
        if context.location in _NAMES or speech(locale.value).language == SOURCE:
            return None
        say, compose = speech(locale.value), string.extras.get("compose")
        text = say.translate(string.message, {}) if compose is None else compose(say)
        return None if text == string.message or len(text) > LONGEST else text
