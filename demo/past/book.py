"""The data file with the past matches: how it is read and written.

It is JSON, compressed: one entry for a match, and in it one line for each action.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

BOOK = Path(__file__).parent / "matches.json.xz"


class PastAction(NamedTuple):
    """One action as it is stored (`bot.table.action_log`), so many seconds after the one before.

    `seat` is -1 where time acted; `chair` is where whoever decided it sits, -1 for nobody.
    """

    seconds: int
    seat: int
    chair: int
    text: str


class PastMatch(NamedTuple):
    """A match: its table options as far as they differ from the usual, and who sat where.

    `seats` holds names, None for a computer player. The match began so many `days` and `hours` ago;
    `stopped` tells that it was broken off.
    """

    options: dict[str, Any]
    seats: tuple[str | None, ...]
    days: int
    hours: int
    stopped: bool
    actions: tuple[PastAction, ...]


def read_book(file: Path = BOOK) -> list[PastMatch]:
    """The matches of the file, in the order of their tables, which are numbered from 1."""
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
    """Write the file anew; its size in bytes."""
    entries = [
        match._asdict() | {"actions": [" ".join(map(str, action)) for action in match.actions]}
        for match in matches
    ]
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _action(line: str) -> PastAction:
    seconds, seat, chair, text = line.split(" ", 3)
    return PastAction(int(seconds), int(seat), int(chair), text)
