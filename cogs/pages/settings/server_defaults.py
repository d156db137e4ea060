"""The page of ``/tichu settings`` for this server's defaults of ``/tichu new``."""

from __future__ import annotations

from bot.text import Say, capital
from bot.text.cards import Speaker
from bot.text.options import all_options
from cogs.pages.controls import Controls, Page, Part, option, row, text
from cogs.pages.settings.server import BOT_DEFAULT, ServerView, server_page
from cogs.pages.table.lobby_options import option_selects, option_switches, switch_rows
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_MOST_COMPUTERS = 11


def defaults_page(view: ServerView, speaker: Speaker, note: str = "") -> Page:
    """Return the page of defaults: the options of a new table, each with a control."""
    say, settings, options = speaker.say, view.settings, view.options
    lines = [
        "### " + say("Defaults for /tichu new"),
        say("A new table, unless someone chooses otherwise:"),
        *(f"- {capital(each)}" for each in all_options(options, speaker)),
        f"- {_computers_text(settings.computers, say)}",
        "- "
        + (say("In a thread of its own") if _in_thread(view) else say("In the channel itself")),
    ]
    switches = [
        *option_switches(options, _CONTROLS, speaker, Verb.SERVER_DEFAULT),
        _CONTROLS.switch(
            Verb.SERVER_SET,
            say("Thread of its own"),
            "threads",
            on=_in_thread(view),
            disabled=options.turn_based,
        ),
    ]
    parts = [
        text("\n".join(lines)),
        *option_selects(options, _CONTROLS, speaker, Verb.SERVER_DEFAULT, longer=True),
        _computers_select(settings.computers, say),
        *switch_rows(switches),
    ]
    if settings.defaults:
        parts.append(
            row(_CONTROLS.button(Verb.SERVER_SET, say("Reset"), f"defaults.{BOT_DEFAULT}"))
        )
    return server_page("defaults", speaker, parts, note)


def _in_thread(view: ServerView) -> bool:
    """Return whether a new table gets a thread; a turn-based one always does."""
    return view.settings.threads or view.options.turn_based


def _computers_text(number: int, say: Say) -> str:
    """Return the text on how many computers sit down at a new table."""
    if not number:
        return say("No computers at the start")
    return say.many("{n} computer joins right away", "{n} computers join right away", number)


def _computers_select(chosen: int, say: Say) -> Part:
    """Return the select of how many computers sit down at a new table."""
    options = [
        option(_computers_text(number, say), f"computers.{number}", default=number == chosen)
        for number in range(_MOST_COMPUTERS + 1)
    ]
    return _CONTROLS.select(Verb.SERVER_SET, say("Computers at the start"), options, "computers")
