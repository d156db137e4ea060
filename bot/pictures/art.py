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
"""Colours of the pictures: one pixel each."""


def card_file(card: str) -> Path:
    """Return the path of the face of a card in notation. Raise `ValueError` if unknown."""
    return _HERE / "cards" / f"{face(card).lower()}.png"
