"""The options that a server gives its tables: its usual ones, and what it allows at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.errors import Reason, Refused
from bot.records import ServerSettings
from bot.table.options import CHANGEABLE, House, TableOptions
from engine import IllegalAction, Options

WITH_PAUSED = 4
"""Factor on the table limits of servers and people when paused tables are counted, too."""


def house_of(settings: ServerSettings) -> House:
    """What a server wants of the tables that are opened from now on."""
    return House(pictures=settings.pictures, hints=settings.hints, nudge_s=settings.nudge_s)


def usual_options(settings: ServerSettings) -> TableOptions:
    """The options of a table for which nobody has said any.

    What managers of the server have chosen and no table can have (any more) is left out.
    """
    options = TableOptions().in_house(house_of(settings))
    chosen = settings.defaults
    for name in sorted(chosen, key=lambda name: name != "variant"):  # the game decides on the rest
        try:
            options = options.changed(name, chosen[name])
        except (Refused, IllegalAction):
            continue
    return options


def chosen_options(
    usual: TableOptions,
    variant: str | None,
    rules: Mapping[str, Any],
    others: Mapping[str, Any],
) -> TableOptions:
    """The options of a table: the usual ones, but for what somebody has chosen.

    `rules` and `others` are options of the game and of the table by the names of their fields;
    `None` where nothing was chosen. Raises `IllegalAction` for rules that the game cannot have,
    `Refused` (``no-hints-allowed``) for hints where the server allows none.
    """
    if others.get("hints") and not usual.house.hints:
        raise Refused(Reason.NO_HINTS_ALLOWED)
    game = usual.rules if variant in (None, usual.variant) else usual.rules.in_game(variant)
    own = {name: value for name, value in rules.items() if value is not None}
    new = {name: value for name, value in others.items() if value is not None}
    options = {**dict(usual), **new, "rules": replace(game, **own)}
    return TableOptions.model_validate(options).in_house(usual.house)


def as_defaults(options: TableOptions) -> Mapping[str, str]:
    """The options, as text, that differ from those of the bot; `usual_options` reads them again."""
    standard = TableOptions()
    values = _values(options)
    usual = {**_values(standard), **_values_of_rules(Options(options.variant))}
    usual["variant"] = standard.variant
    return {name: value for name, value in values.items() if value != usual[name]}


def _values(options: TableOptions) -> dict[str, str]:
    """Every option that can be changed, as text."""
    own = CHANGEABLE & dict(options).keys()
    return {name: _text(getattr(options, name)) for name in own} | _values_of_rules(options.rules)


def _values_of_rules(rules: Options) -> dict[str, str]:
    """The rules that can be changed and that this game has, as text."""
    own = [name for name in sorted(CHANGEABLE) if getattr(rules, name, None) is not None]
    return {name: _text(getattr(rules, name)) for name in own}


def _text(value: object) -> str:
    """A value as `TableOptions.changed` takes it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
