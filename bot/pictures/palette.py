"""Turns a picture into a small file: PNG with a fixed set of colours, which `palette.png` holds.

All pictures of tables are put together from the same few colours, so nothing has to be counted:
that saves most of the time of an encoder that looks for the best colours of each picture.
"""

from __future__ import annotations

import io
from functools import cache

from PIL import Image

from bot.pictures.art import PALETTE

COLOURS = 240
"""The number of colours; the others of a palette are for the round corners."""
LEVEL = 6
"""How hard zlib tries, from 1 to 9."""


@cache
def palette() -> Image.Image:
    """An image whose palette has the colours."""
    with Image.open(PALETTE) as file:
        colours = file.convert("RGB").tobytes()
    image = Image.new("P", (1, 1))
    image.putpalette(colours[: 3 * COLOURS] + colours[:3] * (256 - COLOURS))
    return image


def encoded(image: Image.Image) -> bytes:
    """The PNG file of a picture."""
    few = image.quantize(palette=palette(), dither=Image.Dither.NONE)
    file = io.BytesIO()
    few.save(file, "PNG", compress_level=LEVEL)
    return file.getvalue()
