"""Canvas that pieces and texts are drawn on, and its colours."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.pictures.sprites import rounded_mask, shape
from bot.pictures.typeface import Colour, Written, write

WHITE: Colour = (255, 255, 255)
PALE: Colour = (214, 228, 220)
"""Colour of less important texts."""
CORNER = 30
"""Radius of the corners of a picture."""
BACKGROUND: Colour = (32, 35, 42)
RIM: Colour = (74, 79, 92)
STRIP: Colour = (22, 24, 30)
"""Colour of the strip with round and scores."""
FELT: Colour = (34, 92, 70)
FELT_LINE: Colour = (64, 128, 100)
DIRECTION: Colour = (140, 196, 168)
"""Colour of the arrows that show the direction of play."""
FELT_EDGE: Colour = (26, 72, 55)
WOOD: Colour = (104, 66, 38)
WOOD_EDGE: Colour = (62, 38, 22)
SHADE: Colour = (17, 40, 32)
"""Shadow below plates and cards, which then seem to lie on the table."""
PILL: Colour = (18, 52, 40)
"""Background of notes on the table."""

_rimmed = lru_cache(maxsize=128)(shape)
"""Cached plates and text backgrounds, which are small."""
_cover = lru_cache(maxsize=64)(rounded_mask)
"""Cached masks of shapes, one byte per pixel; the shapes below cards are larger."""


class Canvas:
    """Picture being drawn. Coordinates are in pixels from the upper left corner."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def put(self, piece: Image.Image, left: float, top: float) -> None:
        """Paste a piece."""
        self.image.paste(piece, (round(left), round(top)), piece)

    def slab(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        radius: int,
        fill: Colour,
        edge: Colour | None = None,
        rim: int = 0,
    ) -> None:
        """Draw a rectangle with round corners."""
        size = round(width), round(height)
        if edge:
            self.put(_rimmed(*size, radius, fill, edge, rim), left, top)
        else:
            place = round(left), round(top)
            box = (*place, place[0] + size[0], place[1] + size[1])
            self.image.paste(fill, box, _cover(*size, radius))

    def write(self, text: Written, left: float, middle: float, colour: Colour = WHITE) -> None:
        """Write a text; `middle` is the vertical middle of its capitals."""
        write(self.image, left, middle, text, colour)
