"""The page of ``/tichu settings`` for this server's defaults of ``/tichu new``."""

from __future__ import annotations

from bot.table.options import TableOptions
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Form, Page, Part, option, row, text
from cogs.pages.settings.server import BOT_DEFAULT, ServerView, server_page
from cogs.pages.table.lobby_options import (
    game_select,
    option_switches,
    options_text,
    switch_rows,
    usual_inputs,
)
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_MOST_COMPUTERS = 11


def defaults_page(view: ServerView, speaker: Speaker, note: str = "") -> Page:
    """Return the page of defaults: the options of a new table, each with a control."""
    say, settings, options = speaker.say, view.settings, view.options
    place = say("In a thread of its own") if _in_thread(view) else say("In the channel itself")
    computers = _computers_text(settings.computers, say)
    lines = [
        "### " + say("Defaults for /tichu new"),
        say("A new table, unless someone chooses otherwise:"),
        options_text(options, speaker, computers, place),
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
        game_select(options, _CONTROLS, speaker, Verb.SERVER_DEFAULT),
        _computers_select(settings.computers, say),
        *switch_rows(switches),
    ]
    buttons = [_CONTROLS.button(Verb.USUAL_DEFAULTS, say("Options"))]
    if settings.defaults:
        buttons.append(_CONTROLS.button(Verb.SERVER_SET, say("Reset"), f"defaults.{BOT_DEFAULT}"))
    return server_page("defaults", speaker, [*parts, row(*buttons)], note)


def defaults_form(options: TableOptions, speaker: Speaker) -> Form:
    """Return the form of the usual options of a new table."""
    say = speaker.say
    note = say("The game and the other options are on the page behind this form.")
    inputs = usual_inputs(options, speaker, note, longer=True)
    return _CONTROLS.form(Verb.SET_DEFAULTS, say("Defaults for /tichu new"), inputs, options.digest)


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
