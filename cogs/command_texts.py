"""Texts of the slash commands in every language: descriptions, and names of choices.

The names of commands and options are English everywhere, as people name them to each other, and
a mention of a command shows its English name.
"""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location
from discord.app_commands import TranslationContextTypes
from discord.app_commands import locale_str as _in_all_languages

from bot.text import SOURCE, Say, speech

_NAMES = {Location.command_name, Location.group_name, Location.parameter_name}
LONGEST = 100
"""The characters that Discord allows."""


def said(words: Callable[[Say], str]) -> app_commands.locale_str:
    """A text of a command that these words make in every language.

    A text that is a message of its own is written as `locale_str`.
    """
    return _in_all_languages(words(speech(SOURCE)), said=words)


class CommandTranslator(app_commands.Translator):
    """Translates the texts of commands from the catalogues."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: TranslationContextTypes,
    ) -> str | None:
        """The text in this language; `None`, which is English, for names and without a translation.

        One that is too long stays English, too: Discord would refuse all commands for it.
        """
        if context.location in _NAMES or speech(locale.value).language == SOURCE:
            return None
        say, words = speech(locale.value), string.extras.get("said")
        text = say.translate(string.message, {}) if words is None else words(say)
        return None if text == string.message or len(text) > LONGEST else text
