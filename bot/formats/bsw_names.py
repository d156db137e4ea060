"""Player names in BrettspielWelt logs, where nothing separates a name from the rest.

Other programs split a line at blanks, colons, hyphens or brackets, some of them in Latin-1, and
some identify a player only by name. So a name is URL-encoded: it is a single ASCII word, and can be
decoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote_plus, unquote_plus


def write_handles(names: Sequence[str]) -> list[str]:
    """Encode the names of a table for a log: `Computer+1`, `J%C3%B6rg`.

    Each is one word, and no two are equal: `+` is appended to an empty or repeated name.
    """
    handles: list[str] = []
    for name in names:
        handle = quote_plus(" ".join(name.split()), safe="")
        while handle in ("", *handles):
            handle += "+"
        handles.append(handle)
    return handles


def read_handle(handle: str) -> str:
    """Decode a name from a log. BrettspielWelt itself writes U+00A0 for a blank."""
    return " ".join(unquote_plus(handle).split())
