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
"""All pages; the empty one is about the reader's own game."""
_CONTROLS = Controls()


def section_buttons(current: Section, say: Say, *, manages: bool) -> list[Part]:
    """Return the rows of buttons to all pages; those of the server only for managers."""

    def button(section: Section, verb: Verb, label: str, args: str = "") -> Part:
        colours = discord.ButtonStyle
        style = colours.primary if section == current else colours.secondary
        return _CONTROLS.button(verb, label, args, style=style)

    rows = [
        row(
            button("", Verb.SETTINGS, say("Your game")),
            button("calls", Verb.NUDGES, say("Calls and invitations")),
        )
    ]
    if manages:
        rows += [
            text("-# " + say("This server:")),
            row(
                *(
                    button(section, Verb.SERVER, name, section)
                    for section, name in section_names(say).items()
                )
            ),
        ]
    return rows


def section_names(say: Say) -> dict[ServerSection, str]:
    """Return the names of the server's sections."""
    return {
        "tables": say("Tables"),
        "defaults": say("Defaults"),
        "people": say("People"),
        # Translators: the appearance
        "look": say("Look"),
    }
