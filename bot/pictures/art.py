"""Paths of the files that the picture of a table is composed of: cards, fonts, colours."""

from __future__ import annotations

from pathlib import Path

from bot.art.names import face

CARD_WIDTH, CARD_HEIGHT = 132, 186
"""Size of the card face files, in pixels."""

_HERE = Path(__file__).parent
FONTS = _HERE / "fonts"
"""Folder with the fonts and their licences."""
PALETTE = _HERE / "palette.png"
"""Image whose pixels are the colours of the pictures."""


def card_file(card: str) -> Path:
    """Return the path of a card's face. Raise `ValueError` if the notation is invalid."""
    return _HERE / "cards" / f"{face(card).lower()}.png"
