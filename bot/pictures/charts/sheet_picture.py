"""Converts a sheet into a PNG file.

Shapes are drawn several times as large and then reduced, for smooth edges.
"""

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
from bot.pictures.typeface import Colour, font_text, write

_SCALE = 3
"""Factor by which shapes are drawn larger, before they are reduced."""
_LEVEL = 8
"""zlib compression level; high, because charts are rare."""
_SHADES = 4
"""Number of steps in which a smooth edge fades from a colour to the paper."""
_RIM = 3
"""Width of the rim."""
_STRIP = 96
"""Height of the strips in which a sheet is drawn."""
_HALO = ((-3, 0), (3, 0), (0, -3), (0, 3), (-2, -2), (2, -2), (-2, 2), (2, 2))
"""Offsets at which a letter is first written in the colour of the paper, as a gap around it."""
_SYMBOL_MARGIN = 8
"""Space around the symbol of a call, because the stroke through it is longer than the square."""


def png(sheet: Sheet) -> bytes:
    """Encode a sheet as PNG."""
    return encode(compose(sheet), _palette(), RIM, _LEVEL)


def compose(sheet: Sheet) -> Image.Image:
    """Draw a sheet, not yet with the colours of the palette."""
    image = _empty_sheet(sheet.height)
    for top in range(0, sheet.height, _STRIP):
        _draw_strip(image, sheet.shapes, top)
    for call in sheet.calls:
        symbol = _call_symbol(call.grand, call.made, call.colour, round(call.size))
        place = round(call.x - symbol.width / 2), round(call.y - symbol.height / 2)
        image.paste(symbol, place, symbol)
    for text in sheet.texts:
        write(image, text.left, text.middle, text.content, text.colour)
    return image


def _empty_sheet(height: int) -> Image.Image:
    """Return the background of an empty sheet."""
    image = Image.new("RGB", (WIDTH, height), RIM)
    radius = CORNER - _RIM
    round_ends = shape(WIDTH - 2 * _RIM, 2 * radius, radius, PAPER)
    for top in (_RIM, height - _RIM - 2 * radius):
        image.paste(round_ends, (_RIM, top), round_ends)
    image.paste(PAPER, (_RIM, CORNER, WIDTH - _RIM, height - CORNER))
    return image


def _draw_strip(image: Image.Image, shapes: list[Stroke | Area], top: int) -> None:
    """Draw the part of these shapes that is in the strip below `top`.

    They are drawn large and then reduced. To draw the whole picture at once would take much more
    memory, and time to fill it.
    """
    strip = image.crop((0, top, WIDTH, min(top + _STRIP, image.height)))
    large_strip = strip.resize(
        (strip.width * _SCALE, strip.height * _SCALE), Image.Resampling.NEAREST
    )
    pen = ImageDraw.Draw(large_strip)
    for piece in shapes:
        points = piece.corners if isinstance(piece, Area) else piece.points
        line_width = 0.0 if isinstance(piece, Area) else piece.width
        heights = [y for _, y in points]
        if max(heights) + line_width < top or min(heights) - line_width > top + strip.height:
            continue
        scaled = [(x * _SCALE, (y - top) * _SCALE) for x, y in points]
        if isinstance(piece, Area):
            pen.polygon(scaled, fill=piece.colour)
        else:
            pen.line(scaled, fill=piece.colour, width=round(line_width * _SCALE), joint="curve")
    image.paste(large_strip.reduce(_SCALE), (0, top))


@lru_cache(maxsize=64)
def _call_symbol(grand: bool, made: bool, colour: Colour, size: int) -> Image.Image:
    """Return the symbol of a call: a letter on a disc if it was made, in a struck square if not."""
    side = CALL + 2 * _SYMBOL_MARGIN
    large = Image.new("RGBA", (side * _SCALE, side * _SCALE), (*PAPER, 0))
    pen = ImageDraw.Draw(large)
    middle, radius, edge = side * _SCALE / 2, CALL * _SCALE / 2, EDGE * _SCALE
    pen.polygon(place_shape(DISC if made else SQUARE, middle, middle, radius), fill=colour)
    if not made:
        pen.polygon(place_shape(SQUARE, middle, middle, radius - edge), fill=PAPER)
        stroke = place_shape(((-1.15, 1.15), (1.15, -1.15)), middle, middle, radius)
        pen.line(stroke, fill=colour, width=edge)
    symbol = large.convert("RGBa").reduce(_SCALE).convert("RGBA")
    letter = font_text("G" if grand else "T")
    left = (side - letter.width) / 2
    if not made:
        for right, down in _HALO:  # keeps the stroke away from the letter
            write(symbol, left + right, side / 2 + down, letter, PAPER)
    write(symbol, left, side / 2, letter, PAPER if made else colour)
    scaled_side = round(side * size / CALL)
    return resize(symbol, scaled_side, scaled_side)


@cache
def _palette() -> Image.Image:
    """Return the palette of charts: their colours, and blends for the edges between two colours."""
    lines = list(dict.fromkeys(style.colour for style in STYLES))
    colours = [PAPER, RIM, GRID, AXIS, BAND, INK, FAINT, *lines]
    for colour in tuple(colours[1:]):
        colours += _blends(PAPER, colour, _SHADES)
    for colour in (INK, lines[0]):
        colours += _blends(BAND, colour, _SHADES)
    return palette_of(b"".join(map(bytes, dict.fromkeys(colours))))


def _blends(first: Colour, last: Colour, steps: int) -> list[Colour]:
    """Return the colours between two others, at `steps` equal steps from the first to the last."""
    return [
        (
            round(first[0] + (last[0] - first[0]) * step / steps),
            round(first[1] + (last[1] - first[1]) * step / steps),
            round(first[2] + (last[2] - first[2]) * step / steps),
        )
        for step in range(1, steps)
    ]
