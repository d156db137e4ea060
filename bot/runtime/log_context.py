"""What the lines of a log are about: the table, its last action, the click, the error.

It belongs to the task that works on it. `bot.runtime.logs` writes it into each line.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final, TypeAlias

ErrorId: TypeAlias = str
"""Names one error: whoever met it reads it, and finds it again in the log."""
FIELDS: Final = ("table", "action", "interaction", "error")
"""The fields in the order in which a line has them."""
_SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Digits and letters that nobody takes for another one."""
_LENGTH: Final = 5

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})

_about: ContextVar[Mapping[str, int]] = ContextVar("log_context", default=_NOTHING)


def work_on(
    *, table: int | None = None, action: int | None = None, interaction: int | None = None
) -> None:
    """Let all that this task logs from now on be about this, and about nothing else.

    `table` is its number, `action` how many actions it had when the work began, `interaction`
    Discord's number of the click or command.
    """
    about = {"table": table, "action": action, "interaction": interaction}
    _about.set({field: value for field, value in about.items() if value is not None})


def since_action(number: int) -> None:
    """Let all that this task logs from now on say how many actions its table had then."""
    _about.set({**_about.get(), "action": number})


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """What a line is about: what it says itself (`extra`), and what this task works on."""
    about, own = _about.get(), vars(record)
    return {
        field: own.get(field, about.get(field))
        for field in FIELDS
        if field in own or field in about
    }


def new_error_id() -> ErrorId:
    """A name for an error, such as 7F3K2."""
    return "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
