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
"""Factor by which the table limits are higher where paused tables are counted, too."""


def server_policy(settings: ServerSettings) -> ServerPolicy:
    """Return the settings of a server for tables opened from now on."""
    return ServerPolicy(pictures=settings.pictures, hints=settings.hints, nudge_s=settings.nudge_s)


def usual_options(settings: ServerSettings) -> TableOptions:
    """Return the default options of tables in a server.

    Defaults set by managers that are not valid (any more) are ignored.
    """
    options = TableOptions().with_policy(server_policy(settings))
    chosen = settings.defaults
    # The game comes first, because it decides which other options are valid.
    for name in sorted(chosen, key=lambda name: name != "variant"):
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

    `usual` are the defaults. `rules` are choices of `Options` fields, `others` of `TableOptions`
    fields; a value of `None` keeps the default. Raises `IllegalAction` for rules that the game
    cannot have, `Refused` (``no-hints-allowed``) for hints if the server forbids them.
    """
    if others.get("hints") and not usual.policy.hints:
        raise Refused(Reason.NO_HINTS_ALLOWED)
    default_rules = usual.rules
    if variant not in (None, usual.variant):
        default_rules = usual.rules.for_variant(variant)
    chosen_rules = {name: value for name, value in rules.items() if value is not None}
    chosen_others = {name: value for name, value in others.items() if value is not None}
    new_rules = replace(default_rules, **chosen_rules)
    options = {**dict(usual), **chosen_others, "rules": new_rules}
    return TableOptions.model_validate(options).with_policy(usual.policy)


def changed_defaults(options: TableOptions) -> Mapping[str, str]:
    """Return the options that differ from the bot's defaults, as text.

    This is the form that `ServerSettings.defaults` stores and `usual_options` reads.
    """
    standard = TableOptions()
    values = _option_texts(options)
    usual = {**_option_texts(standard), **_rule_texts(Options(options.variant))}
    usual["variant"] = standard.variant
    return {name: value for name, value in values.items() if value != usual[name]}


def _option_texts(options: TableOptions) -> dict[str, str]:
    """Return every changeable option as text."""
    table_fields = CHANGEABLE & dict(options).keys()
    texts = {name: _text(getattr(options, name)) for name in table_fields}
    return texts | _rule_texts(options.rules)


def _rule_texts(rules: Options) -> dict[str, str]:
    """Return the changeable rules that this game has, as text."""
    rule_names = [name for name in sorted(CHANGEABLE) if getattr(rules, name, None) is not None]
    return {name: _text(getattr(rules, name)) for name in rule_names}


def _text(value: object) -> str:
    """Return a value in the form that `TableOptions.changed` takes."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
