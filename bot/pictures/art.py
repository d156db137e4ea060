"""Where the files are that the picture of a table is put together from: cards, letters, colours."""

from __future__ import annotations

from pathlib import Path

from bot.art.names import face

CARD_WIDTH, CARD_HEIGHT = 132, 186
"""The size of the files with the faces of cards, in pixels."""

_HERE = Path(__file__).parent
FONTS = _HERE / "fonts"
"""The folder with the fonts and their licences."""
PALETTE = _HERE / "palette.png"
"""The colours of the pictures: one pixel each."""


def card_file(card: str) -> Path:
    """Return the path of the face of a card in notation; raises `ValueError` if there is none."""
    return _HERE / "cards" / f"{face(card).lower()}.png"
