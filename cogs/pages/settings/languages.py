"""The select of a language in ``/tichu settings``, for private texts or for a server."""

from __future__ import annotations

from bot.runtime.settings import languages
from bot.text import Say, language_name
from cogs.pages.controls import Controls, Part, option
from cogs.pages.verbs import Verb

AS_DISCORD = "usual"
"""The value for the language set in Discord."""


def language_select(
    verb: Verb, chosen: str | None, say: Say, args: str = "", value_prefix: str = ""
) -> Part:
    """Return a select of languages, each by its name in itself.

    The values of the options begin with `value_prefix`.
    """
    names = {
        AS_DISCORD: say("As in Discord"),
        **{each: language_name(each) for each in languages()},
    }
    options = [
        option(name, value_prefix + language, default=language == (chosen or AS_DISCORD))
        for language, name in names.items()
    ]
    return Controls().select(verb, say("Language…"), options, args)
