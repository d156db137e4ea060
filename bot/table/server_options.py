"""Options that a server sets for its tables: defaults and permissions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.errors import Reason, Refused
from bot.records import ServerSettings
from bot.table.options import CHANGEABLE, ServerPolicy, TableOptions
from engine import IllegalAction, Options

WITH_PAUSED = 4
"""Factor on the table limits if paused tables are counted."""


def server_policy(settings: ServerSettings) -> ServerPolicy:
    """Return the settings of a server for tables opened from now on."""
    return ServerPolicy(pictures=settings.pictures, hints=settings.hints, nudge_s=settings.nudge_s)


def usual_options(settings: ServerSettings) -> TableOptions:
    """Return the default options of tables in a server.

    Defaults set by managers that are not valid (any more) are ignored.
    """
    options = TableOptions().with_policy(server_policy(settings))
    chosen = settings.defaults
    for name in sorted(chosen, key=lambda name: name != "variant"):  # the game sets the others
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
    """Return the options of a table: the defaults, overridden by a user's choices.

    `rules` and `others` are options of the game and of the table by the names of their fields;
    `None` values keep the default. Raises `IllegalAction` for rules that the game cannot have,
    `Refused` (``no-hints-allowed``) for hints if the server forbids them.
    """
    if others.get("hints") and not usual.policy.hints:
        raise Refused(Reason.NO_HINTS_ALLOWED)
    game = usual.rules if variant in (None, usual.variant) else usual.rules.for_variant(variant)
    own = {name: value for name, value in rules.items() if value is not None}
    new = {name: value for name, value in others.items() if value is not None}
    options = {**dict(usual), **new, "rules": replace(game, **own)}
    return TableOptions.model_validate(options).with_policy(usual.policy)


def as_defaults(options: TableOptions) -> Mapping[str, str]:
    """Return the options that differ from the bot's, for `usual_options`.

    The values are text.
    """
    standard = TableOptions()
    values = _values(options)
    usual = {**_values(standard), **_values_of_rules(Options(options.variant))}
    usual["variant"] = standard.variant
    return {name: value for name, value in values.items() if value != usual[name]}


def _values(options: TableOptions) -> dict[str, str]:
    """Return every changeable option as text."""
    own = CHANGEABLE & dict(options).keys()
    return {name: _text(getattr(options, name)) for name in own} | _values_of_rules(options.rules)


def _values_of_rules(rules: Options) -> dict[str, str]:
    """Return the changeable rules that this game has, as text."""
    own = [name for name in sorted(CHANGEABLE) if getattr(rules, name, None) is not None]
    return {name: _text(getattr(rules, name)) for name in own}


def _text(value: object) -> str:
    """Return a value in the form that `TableOptions.changed` takes."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
