"""Encodes a picture as a small file: PNG with the fixed colours of `palette.png`.

All pictures of tables use the same few colours, so no colours are counted. That saves most of the
time of an encoder that searches for the best colours of each picture.
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
"""Number of colours; the other palette entries are for the round corners."""
LEVEL = 4
"""zlib compression level, from 1 to 9: a higher one saves few bytes and costs much time."""
SHADES = 16
"""Number of the other palette entries: the colour of the rim, from clear to opaque."""
_UNUSED = (255, 0, 255)
"""Colour that no picture has, which reserves these entries."""


class _Part(NamedTuple):
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
    """Return an image with a palette of these colours, at most `COLOURS`, three bytes each."""
    image = Image.new("P", (1, 1))
    image.putpalette(colours + bytes(_UNUSED) * (COLOURS + SHADES - len(colours) // 3))
    return image


@cache
def _corner() -> tuple[Image.Image, Image.Image]:
    """Return the upper left corner: its palette entries and their mask."""
    fine = 8
    shape = Image.new("L", (CORNER * fine, CORNER * fine))
    ImageDraw.Draw(shape).ellipse((0, 0, 2 * CORNER * fine - 1, 2 * CORNER * fine - 1), fill=255)
    cover = shape.resize((CORNER, CORNER), Image.Resampling.BOX)
    shades = cover.point([COLOURS + alpha * (SHADES - 1) // 255 for alpha in range(256)])
    return shades, cover.point([255] * 255 + [0])


def encode(
    image: Image.Image, colours: Image.Image | None = None, rim: Colour = RIM, level: int = LEVEL
) -> bytes:
    """Encode a picture as PNG with the colours of a palette and round corners.

    The default palette is that of tables. `rim` is the colour at the edge of the picture, and
    `level` is the zlib compression level.
    """
    few = image.quantize(palette=colours or palette(), dither=Image.Dither.NONE)
    chosen = few.getpalette() or []
    few.putpalette(bytes(chosen[: 3 * COLOURS]) + bytes(rim) * SHADES)
    for part in _corners(image.width, image.height):
        shades, where = _corner()
        if part.flip is not None:
            shades, where = shades.transpose(part.flip), where.transpose(part.flip)
        few.paste(shades, part.place, where)
    clear = bytes([255] * COLOURS + [255 * n // (SHADES - 1) for n in range(SHADES)])
    file = io.BytesIO()
    few.save(file, "PNG", compress_level=level, transparency=clear)
    return file.getvalue()


def _corners(width: int, height: int) -> tuple[_Part, ...]:
    """Return the four corners of a picture of this size."""
    right, low = width - CORNER, height - CORNER
    return (
        _Part((0, 0), None),
        _Part((right, 0), Image.Transpose.FLIP_LEFT_RIGHT),
        _Part((0, low), Image.Transpose.FLIP_TOP_BOTTOM),
        _Part((right, low), Image.Transpose.ROTATE_180),
    )
