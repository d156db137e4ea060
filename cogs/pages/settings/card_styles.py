"""The select of ways to show a hand in ``/tichu settings``: one's own, or a server's default."""

from __future__ import annotations

from collections.abc import Mapping

from bot.art.names import card_plain
from bot.text import Say
from cogs.pages.controls import Controls, Part, option
from cogs.pages.verbs import Verb

AS_SERVER = "usual"
"""The value for the default of the server."""


def card_styles(say: Say) -> dict[str, str]:
    """Return the names of the ways to show a hand (`CardStyle`)."""
    return {
        "picture": say("Picture of the hand"),
        "emojis": say("Emojis"),
        "text": say("Text, such as {card}", card=card_plain("J8")),
    }


def card_select(
    verb: Verb,
    say: Say,
    names: Mapping[str, str],
    chosen: str,
    args: str = "",
    value_prefix: str = "",
) -> Part:
    """Return a select of ways to show a hand, given the name of each.

    The values of the options begin with `value_prefix`.
    """
    options = [
        option(name, value_prefix + style, default=style == chosen) for style, name in names.items()
    ]
    # Translators: a select of ways to show the hand
    return Controls().select(verb, say("Cards…"), options, args)
