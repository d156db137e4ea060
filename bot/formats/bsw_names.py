"""Names as logs of BrettspielWelt write them, in which nothing sets them apart from their line.

Other programs take a line apart at blanks, colons, hyphens or brackets, some of them in Latin-1,
and some know a player by the name alone. So a name is written as in the address of a web page: it
is a single word of plain characters, and can be read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote_plus, unquote_plus


def write_handles(names: Sequence[str]) -> list[str]:
    """The names of a table as a log writes them: `Computer+1`, `J%C3%B6rg`.

    Each is one word, and no two are equal: `+` is put behind a name that is empty or stands before.
    """
    handles: list[str] = []
    for name in names:
        handle = quote_plus(" ".join(name.split()), safe="")
        while handle in ("", *handles):
            handle += "+"
        handles.append(handle)
    return handles


def read_handle(handle: str) -> str:
    """The name that a log writes so. BrettspielWelt itself writes U+00A0 for a blank."""
    return " ".join(unquote_plus(handle).split())
