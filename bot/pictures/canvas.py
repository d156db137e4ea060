"""Canvas for drawing pieces and texts, and the colours of pictures."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.pictures.sprites import rounded_mask, shape
from bot.pictures.typeface import Colour, FontText, write

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
"""Colour of the shadow below plates and cards."""
PILL: Colour = (18, 52, 40)
"""Background of notes on the table."""

_rimmed_shape = lru_cache(maxsize=128)(shape)
"""`shape` with a cache, for plates and backgrounds of texts, which are small."""
_mask = lru_cache(maxsize=64)(rounded_mask)
"""`rounded_mask` with a cache: a mask takes a quarter of the memory of a large shape."""


class Canvas:
    """Picture being drawn. Coordinates are in pixels from the upper left corner."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def put(self, image: Image.Image, left: float, top: float) -> None:
        """Paste an image with its upper left corner at this point."""
        self.image.paste(image, (round(left), round(top)), image)

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
        """Draw a rectangle with round corners, and with a rim if it has an `edge`."""
        size = round(width), round(height)
        if edge:
            self.put(_rimmed_shape(*size, radius, fill, edge, rim), left, top)
        else:
            place = round(left), round(top)
            box = (*place, place[0] + size[0], place[1] + size[1])
            self.image.paste(fill, box, _mask(*size, radius))

    def write(self, text: FontText, left: float, middle: float, colour: Colour = WHITE) -> None:
        """Write a text; `middle` is the vertical middle of its capitals."""
        write(self.image, left, middle, text, colour)
