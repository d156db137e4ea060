"""The options of a lobby: a form with the usual ones, and a private page with the others.

The host changes them, everybody can read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import discord

from bot.ids import UserId
from bot.table.lobby import in_own_thread
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.state import Lobby
from bot.text import Say, capital
from bot.text.cards import Speaker
from bot.text.options import (
    all_options,
    bomb_window,
    game_title,
    length,
    level,
    missed_wish,
    turn_limit,
)
from bot.text.people import mention
from cogs.pages.controls import (
    Controls,
    Form,
    Page,
    Part,
    checkboxes_input,
    choice_input,
    option,
    row,
    text,
)
from cogs.pages.verbs import Verb
from engine import VARIANTS
from players.levels import LEVELS

TARGETS = (100, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000)
ROUNDS = (
    *(0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 18, 20),
    *(21, 24, 27, 30, 40, 50, 75, 99),
)
TURN_LIMITS_S = (20, 30, 45, 60, 90, 120, 180, 300, 600, 900)
WINDOWS_MS = (1000, 1500, 2000, 3000, 4000, 5000, 7500, 10000)
"""Values that can be chosen with one tap.

``/tichu new`` accepts others, too.
"""


class _Switch(NamedTuple):
    """An option with two values."""

    name: str
    label: str
    usual_value: str
    unusual_value: str
    on: bool
    """True for the unusual value."""
    description: str = ""


def options_page(state: Lobby, reader: UserId, words: Speaker, note: str = "") -> Page:
    """Return the private page of options; the host gets controls, others only text.

    `note` is a refusal, if any.
    """
    say, options = words.say, state.options
    controls = Controls(state.id, state.revision)
    fair_deal = controls.button(Verb.FAIR_DEAL, say("Fair deal"), emoji="🔒")
    options_list = text("### " + say("All options") + "\n" + options_text(options, words))
    if options.event is not None:
        return Page(options_list, row(fair_deal))
    if reader != state.host_id:
        host = mention(state.host_id)
        only_host = text(say("-# Only the host, {host}, can change them.", host=host))
        return Page(options_list, only_host, row(fair_deal))
    notes = [note]
    if not in_own_thread(state):
        notes.insert(0, say("-# For hours or days per turn, open a table with `/tichu new pace:`."))
    return Page(
        options_list,
        *map(text, filter(None, notes)),
        game_select(options, controls, words),
        *switch_rows(option_switches(options, controls, words)),
        row(controls.button(Verb.OPTIONS, say("Options")), fair_deal),
    )


def options_text(options: TableOptions, words: Speaker, *more: str) -> str:
    """Return a list of all options, and of `more` lines."""
    return "\n".join(f"- {capital(each)}" for each in (*all_options(options, words), *more))


# --- the form ------------------------------------------------------------------------------------


def options_form(state: Lobby, words: Speaker) -> Form:
    """Return the host's form of the usual options."""
    say = words.say
    return Controls(state.id, state.revision).form(
        Verb.SET_OPTIONS,
        say("Options"),
        usual_inputs(
            state.options,
            words,
            say("The game and the other options are under “All options” in the lobby."),
            longer=in_own_thread(state),
        ),
        state.options.digest,
    )


def usual_inputs(options: TableOptions, words: Speaker, note: str, *, longer: bool) -> list[Part]:
    """Return the inputs of the usual options: those that a host changes most.

    `longer` also offers the time limits that make a table turn-based. A turn-based table has no
    input for the bomb window, because its windows have no clock. `note` is shown at the last input.
    """
    say, rules = words.say, options.rules

    def choice(
        name: str,
        label: str,
        current: object,
        labels: Iterable[tuple[object, str]],
        description: str = "",
    ) -> Part:
        return choice_input(label, name, _choices(name, current, labels), description)

    name, suggested = ("rounds", ROUNDS) if rules.target is None else ("target", TARGETS)
    allowed_values, current = options.game.choices[name].allowed, getattr(rules, name)
    lengths = (value for value in sorted({*suggested, current}) if value in allowed_values)
    limits = sorted({*TURN_LIMITS_S, *(TURN_BASED_S if longer else ()), options.turn_limit_s})
    windows = sorted({*WINDOWS_MS, rules.bomb_window_ms})
    inputs = [
        choice(
            name,
            # Translators: of a match: how many points or rounds
            say("Length"),
            current,
            ((value, length(options.changed(name, str(value)), say)) for value in lengths),
        ),
        choice(
            "turn_limit_s",
            say("Time per turn"),
            options.turn_limit_s,
            ((value, turn_limit(value, say)) for value in limits),
        ),
    ]
    if not options.turn_based:
        inputs.append(
            choice(
                "bomb_window_ms",
                say("Bomb window"),
                rules.bomb_window_ms,
                ((value, bomb_window(value, say)) for value in windows),
                # Translators: at most 100 characters, below the label of an input
                say("How long everyone can bomb after each play."),
            )
        )
    return [
        *inputs,
        choice(
            "computers",
            say("Computer level"),
            options.computers,
            ((value, level(value, say)) for value in LEVELS),
        ),
        checkboxes_input(
            # Translators: above checkboxes in a form: fast computers, hints, start when full
            say("Extras"),
            "switches",
            [
                option(
                    switch.label,
                    f"{switch.name}.{switch.unusual_value}",
                    description=switch.description,
                    default=switch.on,
                )
                for switch in _usual_switches(options, say)
            ],
            note,
        ),
    ]


def read_choices(
    values: Sequence[str], options: TableOptions, words: Speaker
) -> tuple[tuple[str, str], ...]:
    """Return names and values of the options in a submitted form.

    Checkboxes that are not among its `values` have their usual value.
    """
    unchecked = {each.name: each.usual_value for each in _usual_switches(options, words.say)}
    chosen = (value.partition(".") for value in values)
    return tuple((unchecked | {name: value for name, _, value in chosen}).items())


# --- the page ------------------------------------------------------------------------------------


def game_select(
    options: TableOptions, controls: Controls, words: Speaker, verb: Verb = Verb.OPTION
) -> Part:
    """Return the select of the game."""
    titles = ((name, game_title(words.say, name)) for name in VARIANTS)
    choices = _choices("variant", options.variant, titles)
    return controls.select(verb, words.say("Game"), choices, "variant")


def option_switches(
    options: TableOptions, controls: Controls, words: Speaker, verb: Verb = Verb.OPTION
) -> Iterator[Part]:
    """Yield a switch for each option with two values that is not in the form."""
    colours = discord.ButtonStyle
    for switch in _other_switches(options, words.say):
        requested = switch.usual_value if switch.on else switch.unusual_value
        yield controls.button(
            verb,
            switch.label,
            f"{switch.name}.{requested}",
            style=colours.success if switch.on else colours.secondary,
            emoji="✅" if switch.on else "⬜",
        )


def switch_rows(switches: Iterable[Part]) -> Iterator[Part]:
    """Return rows of three switches each."""
    buttons = list(switches)
    return (row(*buttons[first : first + 3]) for first in range(0, len(buttons), 3))


def _choices(name: str, current: object, labels: Iterable[tuple[object, str]]) -> list[Part]:
    """Return the options of a select, with the current value chosen."""
    return [
        option(capital(label), f"{name}.{value}", default=value == current)
        for value, label in labels
    ]


def _usual_switches(options: TableOptions, say: Say) -> Iterator[_Switch]:
    """Yield the options with two values in the form."""
    # Translators: at most 100 characters, below “Fast computers”
    fast = say("They play without pausing to think.")
    is_quick = options.pace == "quick"
    yield _Switch("pace", say("Fast computers"), "human", "quick", is_quick, fast)
    if options.policy.hints:
        yield _Switch("hints", say("Hints (no ratings)"), "off", "on", options.hints)
    # Translators: at most 100 characters, below “Start when full”
    full = say("Play begins without the host once all seats are taken.")
    yield _Switch("auto_start", say("Start when full"), "off", "on", options.auto_start, full)
    if "decks" in options.game.choices:
        yield _Switch("decks", say("Two decks"), "0", "2", bool(options.rules.decks))


def _other_switches(options: TableOptions, say: Say) -> Iterator[_Switch]:
    """Yield the options with two values on the page."""
    rules, game = options.rules, options.game
    yield _Switch("direction", say("Clockwise"), "anticlockwise", "clockwise", rules.clockwise)
    if game.grand_cards:
        label = say("Cards dealt one by one")
        yield _Switch("dealing", label, "dealt", "drawn", rules.dealing == "drawn")
    if game.scored:
        label = capital(missed_wish(options, say))
        yield _Switch("wish_policy", label, "enforced", "penalty", rules.wish_penalty)
