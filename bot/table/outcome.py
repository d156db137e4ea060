"""What a command or a deadline leads to: the next state, how it is stored, what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.records import Change
from bot.table.state import OpenTable
from engine import Event


class Outcome(NamedTuple):
    """The next state of a table, the change that stores it, and the events of the engine."""

    after: OpenTable
    change: Change
    events: Sequence[Event] = ()


def noted(after: OpenTable) -> Outcome:
    """The outcome when only what a table remembers has changed: no action, no seat."""
    return Outcome(after, Change(desk=write_desk(after)))


def write_desk(table: OpenTable) -> str:
    """The desk of a table as it is stored."""
    return table.desk().model_dump_json(exclude={"messages": {"lobby", "table"}})
