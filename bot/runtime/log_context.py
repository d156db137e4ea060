"""Context of log lines: table, its last action, interaction, error id.

It belongs to the current task. `bot.runtime.logs` writes it into each line.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final, TypeAlias

ErrorId: TypeAlias = str
"""Error id shown to the user and written to the log."""
FIELDS: Final = ("table", "action", "interaction", "error")
"""Fields, in the order of a line."""
_SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Digits and letters that are not confused with each other."""
_LENGTH: Final = 5

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})

_about: ContextVar[Mapping[str, int]] = ContextVar("log_context", default=_NOTHING)


def work_on(
    *, table: int | None = None, action: int | None = None, interaction: int | None = None
) -> None:
    """Set the context of all log lines of the current task, in place of any earlier one.

    `table` is its number, `action` its number of actions when the work began, and `interaction` the
    Discord id of the click or command.
    """
    about = {"table": table, "action": action, "interaction": interaction}
    _about.set({field: value for field, value in about.items() if value is not None})


def since_action(number: int) -> None:
    """Set the number of actions in the context of the current task."""
    _about.set({**_about.get(), "action": number})


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the fields of a record: its own (`extra`), and those of the current task."""
    about, own = _about.get(), vars(record)
    return {
        field: own.get(field, about.get(field))
        for field in FIELDS
        if field in own or field in about
    }


def new_error_id() -> ErrorId:
    """Return a new error id, such as 7F3K2."""
    return "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
