"""Encodes a picture as a small file: PNG with the fixed colours of `palette.png`.

All pictures of tables use the same few colours. With a fixed palette the encoder does not have to
search for the best colours of each picture, which would take most of its time.
"""

from __future__ import annotations

import io
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from bot.pictures.art import PALETTE
from bot.pictures.canvas import CORNER, RIM
from bot.pictures.typeface import Colour

COLOURS = 240
"""Number of palette entries for colours; the next `SHADES` entries are for the round corners."""
LEVEL = 4
"""zlib compression level, from 1 to 9; a higher level saves few bytes and costs much time."""
SHADES = 16
"""Number of palette entries for the corners, with the rim's colour from transparent to opaque."""
_UNUSED = (255, 0, 255)
"""Colour for reserved palette entries, which no picture has."""


class _Corner(NamedTuple):
    """Corner of a picture."""

    place: tuple[int, int]
    """Its upper left pixel."""
    flip: Image.Transpose | None
    """Transformation of the upper left corner into this one."""


@cache
def _colours() -> bytes:
    """Return the colours, three bytes each."""
    with Image.open(PALETTE) as file:
        return file.convert("RGB").tobytes()[: 3 * COLOURS]


@cache
def palette() -> Image.Image:
    """Return an image with the palette of all pictures of tables."""
    return palette_of(_colours())


def palette_of(colours: bytes) -> Image.Image:
    """Return an image whose palette has these colours: at most `COLOURS`, three bytes each."""
    image = Image.new("P", (1, 1))
    image.putpalette(colours + bytes(_UNUSED) * (COLOURS + SHADES - len(colours) // 3))
    return image


@cache
def _corner_images() -> tuple[Image.Image, Image.Image]:
    """Return the upper left corner of a picture, and the mask to paste it with.

    The pixels of the corner are the palette entries from `COLOURS` on. The mask leaves the inside
    of the picture unchanged.
    """
    scale = 8  # of the drawn shape, for smooth edges
    shape = Image.new("L", (CORNER * scale, CORNER * scale))
    ImageDraw.Draw(shape).ellipse((0, 0, 2 * CORNER * scale - 1, 2 * CORNER * scale - 1), fill=255)
    opacity = shape.resize((CORNER, CORNER), Image.Resampling.BOX)
    shades = opacity.point([COLOURS + alpha * (SHADES - 1) // 255 for alpha in range(256)])
    return shades, opacity.point([255] * 255 + [0])  # only opaque pixels belong to the picture


def encode(
    image: Image.Image, colours: Image.Image | None = None, rim: Colour = RIM, level: int = LEVEL
) -> bytes:
    """Encode a picture as PNG with the colours of a palette and round corners.

    The default palette is that of tables. `rim` is the colour at the edge of the picture, and
    `level` is the zlib compression level.
    """
    indexed = image.quantize(palette=colours or palette(), dither=Image.Dither.NONE)
    entries = indexed.getpalette() or []
    indexed.putpalette(bytes(entries[: 3 * COLOURS]) + bytes(rim) * SHADES)
    for corner in _corners(image.width, image.height):
        shades, mask = _corner_images()
        if corner.flip is not None:
            shades, mask = shades.transpose(corner.flip), mask.transpose(corner.flip)
        indexed.paste(shades, corner.place, mask)

    alphas = bytes([255] * COLOURS + [255 * n // (SHADES - 1) for n in range(SHADES)])
    file = io.BytesIO()
    indexed.save(file, "PNG", compress_level=level, transparency=alphas)
    return file.getvalue()


def _corners(width: int, height: int) -> tuple[_Corner, ...]:
    """Return the four corners of a picture of this size."""
    right, bottom = width - CORNER, height - CORNER
    return (
        _Corner((0, 0), None),
        _Corner((right, 0), Image.Transpose.FLIP_LEFT_RIGHT),
        _Corner((0, bottom), Image.Transpose.FLIP_TOP_BOTTOM),
        _Corner((right, bottom), Image.Transpose.ROTATE_180),
    )
