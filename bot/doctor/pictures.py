"""Two test pictures of the doctor: cards that the bot has anyway."""

from __future__ import annotations

from typing import Final

from bot.art.names import card_file

FIRST: Final = "first.png"
SECOND: Final = "second.png"
_CARDS: Final = {FIRST: "DRAGON", SECOND: "PHOENIX"}


def picture_of(name: str) -> bytes:
    """Return the picture with this name."""
    return card_file(_CARDS[name]).read_bytes()


def picture_file(name: str | None) -> tuple[str, bytes] | None:
    """Return the name with its picture, or `None` without a name."""
    return None if name is None else (name, picture_of(name))
