"""The sections of ``/tichu settings``, as buttons on each of its pages."""

from __future__ import annotations

from typing import Literal, TypeAlias

import discord

from bot.text import Say
from cogs.pages.controls import Controls, Part, row, text
from cogs.pages.verbs import Verb

ServerSection: TypeAlias = Literal["tables", "defaults", "people", "look"]
"""Pages of settings for managers of the server."""
Section: TypeAlias = Literal["", "calls"] | ServerSection
"""All pages; the first one is about the reader's own game."""
_CONTROLS = Controls()


def sections(shown: Section, say: Say, *, manages: bool) -> list[Part]:
    """Return the buttons to the other pages; those of the server only for managers."""

    def button(section: Section, verb: Verb, label: str, args: str = "") -> Part:
        colours = discord.ButtonStyle
        style = colours.primary if section == shown else colours.secondary
        return _CONTROLS.button(verb, label, args, style=style)

    parts = [
        row(
            button("", Verb.SETTINGS, say("Your game")),
            button("calls", Verb.NUDGES, say("Calls and invitations")),
        )
    ]
    if manages:
        parts += [
            text("-# " + say("This server:")),
            row(
                *(
                    button(section, Verb.SERVER, name, section)
                    for section, name in section_names(say).items()
                )
            ),
        ]
    return parts


def section_names(say: Say) -> dict[ServerSection, str]:
    """Return the names of the server's sections."""
    return {
        "tables": say("Tables"),
        "defaults": say("Defaults"),
        "people": say("People"),
        # Translators: the appearance
        "look": say("Look"),
    }
