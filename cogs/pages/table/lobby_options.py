"""The private page with all options of a lobby.

The host changes them, others read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import discord

from bot.ids import UserId
from bot.table.lobby import in_own_thread
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.state import Lobby
from bot.text import capital
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
from cogs.pages.controls import Controls, Page, Part, option, row, text
from cogs.pages.table.deal_lines import first_deal
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


def options_page(state: Lobby, reader: UserId, words: Speaker) -> Page:
    """Return the private page of options; the host gets controls, others only text."""
    say, deal = words.say, first_deal(state, words)
    if reader != state.host_id:
        lines = [f"- {capital(each)}" for each in all_options(state.options, words)]
        note = say("-# Only the host, {host}, can change them.", host=mention(state.host_id))
        return Page(text("\n".join(["### " + say("Options"), *lines, note])), *deal)
    controls = Controls(state.id, state.revision)
    note = say("-# Changes apply at once. The lobby shows what you changed.")
    if not in_own_thread(state):
        note += "\n" + say("-# For hours or days per turn, open a table with `/tichu new pace:`.")
    return Page(
        text("### " + say("Options") + "\n" + note),
        *option_selects(state.options, controls, words, longer=in_own_thread(state)),
        *switch_rows(option_switches(state.options, controls, words)),
        *deal,
    )


def option_selects(
    options: TableOptions,
    controls: Controls,
    words: Speaker,
    verb: Verb = Verb.OPTION,
    *,
    longer: bool,
) -> Iterator[Part]:
    """Yield a select for each option with more than two values.

    `longer` also offers the time limits that make a table turn-based. A turn-based table has no
    select for the bomb window, because its windows have no clock.
    """
    say, rules = words.say, options.rules

    def select(
        name: str, placeholder: str, current: object, labels: Iterable[tuple[object, str]]
    ) -> Part:
        choices = [
            option(capital(label), f"{name}.{value}", default=value == current)
            for value, label in labels
        ]
        return controls.select(verb, placeholder, choices, name)

    yield select(
        "variant",
        say("Game"),
        options.variant,
        ((name, game_title(say, name)) for name in VARIANTS),
    )
    name, suggested = ("rounds", ROUNDS) if rules.target is None else ("target", TARGETS)
    allowed_values, current = options.game.choices[name].allowed, getattr(rules, name)
    yield select(
        name,
        # Translators: of a match: how many points or rounds
        say("Length"),
        current,
        (
            (value, length(replace(rules, **{name: value}), say))
            for value in sorted({*suggested, current})
            if value in allowed_values
        ),
    )
    limits = {*TURN_LIMITS_S, *(TURN_BASED_S if longer else ()), options.turn_limit_s}
    yield select(
        "turn_limit_s",
        say("Time per turn"),
        options.turn_limit_s,
        ((value, turn_limit(value, say)) for value in sorted(limits)),
    )
    if not options.turn_based:
        yield select(
            "bomb_window_ms",
            say("Bomb window"),
            rules.bomb_window_ms,
            (
                (value, bomb_window(value, say))
                for value in sorted({*WINDOWS_MS, rules.bomb_window_ms})
            ),
        )
    yield select(
        "computers",
        say("Computer level"),
        options.computers,
        ((value, level(value, say)) for value in LEVELS),
    )


def switch_rows(switches: Iterable[Part]) -> Iterator[Part]:
    """Return rows of three switches each."""
    buttons = list(switches)
    return (row(*buttons[first : first + 3]) for first in range(0, len(buttons), 3))


def option_switches(
    options: TableOptions, controls: Controls, words: Speaker, verb: Verb = Verb.OPTION
) -> Iterator[Part]:
    """Yield a switch for each option with two values; it is on for the unusual value."""
    say, rules, game = words.say, options.rules, options.game

    def switch(
        label: str, name: str, usual_value: object, unusual_value: object, *, on: bool
    ) -> Part:
        colours = discord.ButtonStyle
        return controls.button(
            verb,
            label,
            f"{name}.{usual_value if on else unusual_value}",
            style=colours.success if on else colours.secondary,
            emoji="✅" if on else "⬜",
        )

    yield switch(say("Fast computers"), "pace", "human", "quick", on=options.pace == "quick")
    if options.policy.hints:
        yield switch(say("Hints (no ratings)"), "hints", "off", "on", on=options.hints)
    yield switch(say("Start when full"), "auto_start", "off", "on", on=options.auto_start)
    yield switch(say("Clockwise"), "direction", "anticlockwise", "clockwise", on=rules.clockwise)
    if game.grand_cards:
        is_drawn = rules.dealing == "drawn"
        yield switch(say("Cards dealt one by one"), "dealing", "dealt", "drawn", on=is_drawn)
    if game.scored:
        label = capital(missed_wish(options, say))
        yield switch(label, "wish_policy", "enforced", "penalty", on=rules.wish_penalty)
    if "decks" in game.choices:
        yield switch(say("Two decks"), "decks", 0, 2, on=bool(rules.decks))
