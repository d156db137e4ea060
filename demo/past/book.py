"""File of the past matches.

It is compressed JSON: an entry for each match, with a line for each action.
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
    """Action of a match."""

    seconds: int
    """Time since the previous action."""
    seat: Seat
    """Seat that acted; -1 for the clock."""
    chair: Seat
    """Chair of the person or computer player that decided it; -1 for nobody.

    It differs from `seat` if one person plays two hands, like the dealer in Trichu.
    """
    text: str
    """Action in its stored form (`bot.table.action_log`)."""


class PastMatch(NamedTuple):
    """Match that was played to its end, or stopped before."""

    options: dict[str, Any]
    """Options of its table that differ from their default."""
    seats: tuple[str | None, ...]
    """Names by seat; `None` for a computer player."""
    days: int
    """Days before the demo at which the match began, in addition to `hours`."""
    hours: int
    """Hours before the demo, in addition to `days`."""
    stopped: bool
    """True if it was stopped before its end."""
    actions: tuple[PastAction, ...]
    """All actions, in order."""


def read_book(file: Path = BOOK) -> list[PastMatch]:
    """Return the matches of the file in the order of their tables, which start at 1."""
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
    """Overwrite the file. Returns its size in bytes."""
    entries = [
        match._asdict() | {"actions": [" ".join(map(str, action)) for action in match.actions]}
        for match in matches
    ]
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _action(line: str) -> PastAction:
    """Return the action of a line in the file: seconds, seat, chair and text."""
    seconds, seat, chair, text = line.split(" ", 3)
    return PastAction(int(seconds), int(seat), int(chair), text)
