"""Converts a sheet into a PNG file. Shapes are drawn larger and reduced for smooth edges."""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import Image, ImageDraw

from bot.pictures.canvas import CORNER
from bot.pictures.charts.chart_parts import CALL, EDGE
from bot.pictures.charts.sheet import (
    AXIS,
    BAND,
    FAINT,
    GRID,
    INK,
    PAPER,
    RIM,
    WIDTH,
    Area,
    Sheet,
    Stroke,
)
from bot.pictures.charts.styles import DISC, SQUARE, STYLES, place_shape
from bot.pictures.palette import encode, palette_of
from bot.pictures.sprites import resize, shape
from bot.pictures.typeface import Colour, write, written

_FINE = 3
"""Scale factor of shapes while drawing."""
_LEVEL = 8
"""zlib compression level; high, because charts are rare."""
_SHADES = 4
"""Number of steps from a colour to the paper at the edge of a line."""
_RIM = 3
"""Width of the rim."""
_STRIP = 96
"""Height of the part of a sheet that is drawn at once."""
_HALO = ((-3, 0), (3, 0), (0, -3), (0, 3), (-2, -2), (2, -2), (-2, 2), (2, 2))
"""Offsets of the gap around a letter."""
_SPARE = 8
"""Space around the sign of a call, whose stroke is longer than the square."""


def png(sheet: Sheet) -> bytes:
    """Encode a sheet as PNG."""
    return encode(compose(sheet), _palette(), RIM, _LEVEL)


def compose(sheet: Sheet) -> Image.Image:
    """Draw a sheet in full colour."""
    image = _paper(sheet.height)
    for top in range(0, sheet.height, _STRIP):
        _draw_strip(image, sheet.shapes, top)
    for call in sheet.calls:
        sign = _call(call.grand, call.made, call.colour, round(call.size))
        place = round(call.x - sign.width / 2), round(call.y - sign.height / 2)
        image.paste(sign, place, sign)
    for text in sheet.texts:
        write(image, text.left, text.middle, text.written, text.colour)
    return image


def _paper(height: int) -> Image.Image:
    """Return the background of an empty sheet."""
    image = Image.new("RGB", (WIDTH, height), RIM)
    radius = CORNER - _RIM
    round_ends = shape(WIDTH - 2 * _RIM, 2 * radius, radius, PAPER)
    for top in (_RIM, height - _RIM - 2 * radius):
        image.paste(round_ends, (_RIM, top), round_ends)
    image.paste(PAPER, (_RIM, CORNER, WIDTH - _RIM, height - CORNER))
    return image


def _draw_strip(image: Image.Image, shapes: list[Stroke | Area], top: int) -> None:
    """Draw the part of these shapes below this height: large, and then reduced.

    Drawing the whole picture at once would need much more memory, and time to fill it.
    """
    strip = image.crop((0, top, WIDTH, min(top + _STRIP, image.height)))
    fine = strip.resize((strip.width * _FINE, strip.height * _FINE), Image.Resampling.NEAREST)
    pen = ImageDraw.Draw(fine)
    for piece in shapes:
        points = piece.corners if isinstance(piece, Area) else piece.points
        reach = 0.0 if isinstance(piece, Area) else piece.width
        heights = [y for _, y in points]
        if max(heights) + reach < top or min(heights) - reach > top + strip.height:
            continue
        large = [(x * _FINE, (y - top) * _FINE) for x, y in points]
        if isinstance(piece, Area):
            pen.polygon(large, fill=piece.colour)
        else:
            pen.line(large, fill=piece.colour, width=round(reach * _FINE), joint="curve")
    image.paste(fine.reduce(_FINE), (0, top))


@lru_cache(maxsize=64)
def _call(grand: bool, made: bool, colour: Colour, size: int) -> Image.Image:
    """Return the sign of a call."""
    side = CALL + 2 * _SPARE
    fine = Image.new("RGBA", (side * _FINE, side * _FINE), (*PAPER, 0))
    pen = ImageDraw.Draw(fine)
    middle, radius, edge = side * _FINE / 2, CALL * _FINE / 2, EDGE * _FINE
    pen.polygon(place_shape(DISC if made else SQUARE, middle, middle, radius), fill=colour)
    if not made:
        pen.polygon(place_shape(SQUARE, middle, middle, radius - edge), fill=PAPER)
        ends = place_shape(((-1.15, 1.15), (1.15, -1.15)), middle, middle, radius)
        pen.line(ends, fill=colour, width=edge)
    sign = fine.convert("RGBa").reduce(_FINE).convert("RGBA")
    letter = written("G" if grand else "T")
    left = (side - letter.width) / 2
    for right, down in _HALO if not made else ():
        write(sign, left + right, side / 2 + down, letter, PAPER)
    write(sign, left, side / 2, letter, PAPER if made else colour)
    across = round(side * size / CALL)
    return resize(sign, across, across)


@cache
def _palette() -> Image.Image:
    """Return all colours of charts, and the blends of two that meet at an edge."""
    lines = list(dict.fromkeys(style.colour for style in STYLES))
    colours = [PAPER, RIM, GRID, AXIS, BAND, INK, FAINT, *lines]
    for colour in tuple(colours[1:]):
        colours += _between(PAPER, colour, _SHADES)
    for colour in (INK, lines[0]):
        colours += _between(BAND, colour, _SHADES)
    return palette_of(b"".join(map(bytes, dict.fromkeys(colours))))


def _between(first: Colour, last: Colour, steps: int) -> list[Colour]:
    """Return the colours between two, in `steps` steps from the first to the last."""
    return [
        (
            round(first[0] + (last[0] - first[0]) * n / steps),
            round(first[1] + (last[1] - first[1]) * n / steps),
            round(first[2] + (last[2] - first[2]) * n / steps),
        )
        for n in range(1, steps)
    ]
