"""Styles of lines. They differ by sign, dashes and colour, for colour-blind readers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.pictures.charts.sheet import PAPER, Point, Points, Sheet
from bot.pictures.typeface import Colour

MOST_SIGNS = 20
"""Maximum number of signs on a line; with more values only some have a sign."""
LINE = 6
"""Width of a line."""
SIGN = 22
"""Size of the signs on a line."""
SAMPLE = 86
"""Length of the sample of a line before a name."""
_EDGE = 2
"""Width of the gap around a sign."""


def _regular(corners: int, turned: float = 0.0) -> Points:
    """Return a regular polygon with its first corner on top, turned by a part of a circle."""
    angles = (math.tau * (n / corners + turned) for n in range(corners))
    return tuple((1.1 * math.sin(angle), -1.1 * math.cos(angle)) for angle in angles)


def _star(corners: int) -> Points:
    """Return a star with this number of outer corners."""
    outer, inner = _regular(corners), _regular(corners, 1 / (2 * corners))
    pairs = zip(outer, inner, strict=True)
    return tuple(point for (x, y), (a, b) in pairs for point in ((x, y), (a / 2, b / 2)))


def _turned(points: Points) -> Points:
    """Turn a shape by an eighth of a circle."""
    part = math.sqrt(0.5)
    return tuple((part * (x - y), part * (x + y)) for x, y in points)


DISC: Points = tuple((math.sin(math.tau * n / 32), math.cos(math.tau * n / 32)) for n in range(32))
SQUARE: Points = ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9))
DIAMOND = _turned(SQUARE)
_PLUS: Points = (
    (-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4),
    (0.4, 1.1), (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4),
)  # fmt: skip

Dashes = tuple[float, ...]
"""Alternating lengths of dashes and gaps, in line widths; empty for a solid line."""
_LONG: Dashes = (4, 1.2)
_SHORT: Dashes = (1.5, 1.2)
_MIXED: Dashes = (4, 1.2, 1.2, 1.2)


class Style(NamedTuple):
    """Style of a line. The sign is a polygon about as large as a circle of radius 1."""

    colour: Colour
    sign: Points
    dashes: Dashes = ()


_BLUE, _ORANGE, _PINK = (92, 192, 255), (255, 174, 26), (245, 155, 208)
_WHITE, _GREEN, _RED = (243, 244, 247), (47, 201, 155), (255, 122, 77)
STYLES = (
    Style(_BLUE, DISC),
    Style(_ORANGE, SQUARE, _LONG),
    Style(_PINK, _regular(3)),
    Style(_WHITE, DIAMOND, _SHORT),
    Style(_GREEN, _regular(3, 1 / 2)),
    Style(_RED, _PLUS, _MIXED),
    Style(_BLUE, _turned(_PLUS), _SHORT),
    Style(_ORANGE, _star(5)),
    Style(_PINK, _regular(5), _LONG),
    Style(_WHITE, _regular(3, 3 / 4)),
    Style(_GREEN, _regular(6), _LONG),
    Style(_RED, _regular(3, 1 / 4)),
)
"""Twelve styles, for twelve players of Grand Seigneur. Two of one colour differ otherwise."""


def draw_line(
    sheet: Sheet, points: Sequence[Point], style: Style, *, size: float = SIGN, width: float = LINE
) -> None:
    """Draw a line with signs of this size at its points, always at the last one.

    With a size of 0 there are no signs.
    """
    for piece in split_into_dashes(points, style.dashes, width):
        sheet.stroke(piece, width, style.colour)
    every = -(-len(points) // MOST_SIGNS)
    if size:
        for x, y in points[(len(points) - 1) % every :: every]:
            draw_sign(sheet, x, y, style, size=size)


def draw_sign(sheet: Sheet, x: float, y: float, style: Style, *, size: float = SIGN) -> None:
    """Draw a sign with a gap around it."""
    sheet.area(place_shape(style.sign, x, y, size / 2 + _EDGE), PAPER)
    sheet.area(place_shape(style.sign, x, y, size / 2), style.colour)


def draw_sample(sheet: Sheet, x: float, y: float, style: Style) -> None:
    """Draw a short piece of a line, from `x` on, with its sign in the middle."""
    for piece in split_into_dashes(((x, y), (x + SAMPLE, y)), style.dashes, LINE):
        sheet.stroke(piece, LINE, style.colour)
    draw_sign(sheet, x + SAMPLE / 2, y, style, size=SIGN + 2)


def place_shape(shape: Points, x: float, y: float, size: float) -> Points:
    """Scale a shape by `size` and move its middle to this point."""
    return tuple((x + size * a, y + size * b) for a, b in shape)


def split_into_dashes(
    points: Sequence[Point], dashes: Dashes, width: float
) -> Iterator[list[Point]]:
    """Yield the dashes of a line through these points."""
    if not dashes:
        yield list(points)
        return
    number, left = 0, dashes[0] * width
    piece = [points[0]]
    for (x, y), (to_x, to_y) in pairwise(points):
        length, done = math.hypot(to_x - x, to_y - y), 0.0
        while length - done > left:
            done += left
            at = x + (to_x - x) * done / length, y + (to_y - y) * done / length
            if number % 2 == 0:
                yield [*piece, at]
            piece = [at]
            number = (number + 1) % len(dashes)
            left = dashes[number] * width
        left -= length - done
        piece.append((to_x, to_y))
    if number % 2 == 0 and len(piece) > 1:
        yield piece
