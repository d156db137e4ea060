"""Reads and writes the file with the past matches.

It is compressed JSON: an entry for each match, and in it a line for each action.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine import Seat

BOOK = Path(__file__).parent / "matches.json.xz"


class PastAction(NamedTuple):
    """One action of a match."""

    seconds: int
    """The time since the action before."""
    seat: Seat
    """The seat that acted; -1 for the clock."""
    chair: Seat
    """The chair of the person or computer player that decided it; -1 for nobody.

    It differs from `seat` where one person plays two hands, as the dealer in Trichu.
    """
    text: str
    """The action as it is stored (`bot.table.action_log`)."""


class PastMatch(NamedTuple):
    """A match that was played, or stopped before its end."""

    options: dict[str, Any]
    """The options of its table that differ from their default."""
    seats: tuple[str | None, ...]
    """The names by seat; `None` for a computer player."""
    days: int
    """The match began this many days and `hours` before the demo."""
    hours: int
    """See `days`."""
    stopped: bool
    """Whether it was stopped before its end."""
    actions: tuple[PastAction, ...]
    """All actions, in order."""


def read_book(file: Path = BOOK) -> list[PastMatch]:
    """Return the matches of the file, in the order of their tables, which are numbered from 1."""
    entries = json.loads(lzma.decompress(file.read_bytes()))
    return [
        PastMatch(
            **entry
            | {
                "seats": tuple(entry["seats"]),
                "actions": tuple(_action(line) for line in entry["actions"]),
            }
        )
        for entry in entries
    ]


def write_book(matches: Sequence[PastMatch], file: Path = BOOK) -> int:
    """Write the file anew; returns its size in bytes."""
    entries = [
        match._asdict() | {"actions": [" ".join(map(str, action)) for action in match.actions]}
        for match in matches
    ]
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _action(line: str) -> PastAction:
    """Return the action that a line of the file stands for: seconds, seat, chair and text."""
    seconds, seat, chair, text = line.split(" ", 3)
    return PastAction(int(seconds), int(seat), int(chair), text)
