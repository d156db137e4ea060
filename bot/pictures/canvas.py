"""A picture in the making, and how pieces and texts are put on it."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.pictures.sprites import rounded, shape
from bot.pictures.typeface import Colour, Written, write

WHITE: Colour = (255, 255, 255)
PALE: Colour = (214, 228, 220)
"""Texts that are less important."""
CORNER = 30
"""The radius of the corners of a picture."""
BACKGROUND: Colour = (32, 35, 42)
RIM: Colour = (74, 79, 92)
STRIP: Colour = (22, 24, 30)
"""The strip with round and scores."""
FELT: Colour = (34, 92, 70)
FELT_LINE: Colour = (64, 128, 100)
DIRECTION: Colour = (140, 196, 168)
"""The arrows that say how play goes round."""
FELT_EDGE: Colour = (26, 72, 55)
WOOD: Colour = (104, 66, 38)
WOOD_EDGE: Colour = (62, 38, 22)
SHADE: Colour = (17, 40, 32)
"""Below plates and cards, which then seem to lie on the table."""
PILL: Colour = (18, 52, 40)
"""What notes on the table are written on."""

_rimmed = lru_cache(maxsize=128)(shape)
"""Plates and grounds of texts, kept: they are small."""
_cover = lru_cache(maxsize=64)(rounded)
"""Shapes in one colour, kept with one byte a pixel: those below cards are larger."""


class Canvas:
    """A picture in the making. Places are in pixels from the upper left corner."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def put(self, piece: Image.Image, left: float, top: float) -> None:
        """Put a piece on the picture."""
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
        """Put a rectangle with round corners on the picture."""
        size = round(width), round(height)
        if edge:
            self.put(_rimmed(*size, radius, fill, edge, rim), left, top)
        else:
            place = round(left), round(top)
            box = (*place, place[0] + size[0], place[1] + size[1])
            self.image.paste(fill, box, _cover(*size, radius))

    def write(self, text: Written, left: float, middle: float, colour: Colour = WHITE) -> None:
        """Write a text; `middle` is that of its capitals."""
        write(self.image, left, middle, text, colour)
