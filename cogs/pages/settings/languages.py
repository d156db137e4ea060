"""The language select in ``/tichu settings``: for private texts, or for a server."""

from __future__ import annotations

from bot.runtime.settings import languages
from bot.text import Say, language_name
from cogs.pages.controls import Controls, Part, option
from cogs.pages.verbs import Verb

AS_DISCORD = "usual"
"""The value for the language set in Discord."""


def language_select(
    verb: Verb, chosen: str | None, say: Say, args: str = "", before: str = ""
) -> Part:
    """Return a select of languages; values begin with the text `before`.

    Each language has its own name for itself.
    """
    names = {
        AS_DISCORD: say("As in Discord"),
        **{each: language_name(each) for each in languages()},
    }
    options = [
        option(name, before + language, default=language == (chosen or AS_DISCORD))
        for language, name in names.items()
    ]
    return Controls().select(verb, say("Language…"), options, args)
