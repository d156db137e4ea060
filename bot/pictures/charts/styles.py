"""Styles of lines: colours, and for colour-blind readers also markers and dashes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.pictures.charts.sheet import PAPER, Point, Points, Sheet
from bot.pictures.typeface import Colour

MOST_MARKERS = 20
"""Maximum number of markers on a line; if it has more points, only some get a marker."""
LINE = 6
"""Width of a line."""
MARKER = 22
"""Size of the markers on a line."""
SAMPLE = 86
"""Length of the sample of a line in a legend."""
_EDGE = 2
"""Width of the gap around a marker."""


def _regular(corners: int, turn: float = 0.0) -> Points:
    """Return a regular polygon with a corner on top, then turned by a fraction of a circle."""
    angles = (math.tau * (index / corners + turn) for index in range(corners))
    return tuple((1.1 * math.sin(angle), -1.1 * math.cos(angle)) for angle in angles)


def _star(corners: int) -> Points:
    """Return a star with this number of outer corners."""
    outer, inner = _regular(corners), _regular(corners, 1 / (2 * corners))
    pairs = zip(outer, inner, strict=True)
    return tuple(
        point
        for (x, y), (inner_x, inner_y) in pairs
        for point in ((x, y), (inner_x / 2, inner_y / 2))
    )


def _turned_by_an_eighth(points: Points) -> Points:
    """Return a shape turned by an eighth of a circle."""
    factor = math.sqrt(0.5)
    return tuple((factor * (x - y), factor * (x + y)) for x, y in points)


DISC: Points = tuple((math.sin(math.tau * n / 32), math.cos(math.tau * n / 32)) for n in range(32))
SQUARE: Points = ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9))
DIAMOND = _turned_by_an_eighth(SQUARE)
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
    """Style of a line. Its marker is a polygon about as large as a circle of radius 1."""

    colour: Colour
    marker: Points
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
    Style(_BLUE, _turned_by_an_eighth(_PLUS), _SHORT),
    Style(_ORANGE, _star(5)),
    Style(_PINK, _regular(5), _LONG),
    Style(_WHITE, _regular(3, 3 / 4)),
    Style(_GREEN, _regular(6), _LONG),
    Style(_RED, _regular(3, 1 / 4)),
)
"""Styles for the twelve players of Grand Seigneur. Each colour occurs twice, with two markers."""


def draw_line(
    sheet: Sheet,
    points: Sequence[Point],
    style: Style,
    *,
    size: float = MARKER,
    width: float = LINE,
) -> None:
    """Draw a line with markers of this size at its points, always at the last one.

    With a size of 0 there are no markers.
    """
    for piece in split_into_dashes(points, style.dashes, width):
        sheet.stroke(piece, width, style.colour)
    step = -(-len(points) // MOST_MARKERS)  # rounded up
    if size:
        for x, y in points[(len(points) - 1) % step :: step]:
            draw_marker(sheet, x, y, style, size=size)


def draw_marker(sheet: Sheet, x: float, y: float, style: Style, *, size: float = MARKER) -> None:
    """Draw the marker of a style around a point, with a gap around the marker."""
    sheet.area(place_shape(style.marker, x, y, size / 2 + _EDGE), PAPER)
    sheet.area(place_shape(style.marker, x, y, size / 2), style.colour)


def draw_sample(sheet: Sheet, x: float, y: float, style: Style) -> None:
    """Draw a short line in this style for a legend; it begins at `x`."""
    for piece in split_into_dashes(((x, y), (x + SAMPLE, y)), style.dashes, LINE):
        sheet.stroke(piece, LINE, style.colour)
    draw_marker(sheet, x + SAMPLE / 2, y, style, size=MARKER + 2)


def place_shape(shape: Points, x: float, y: float, size: float) -> Points:
    """Scale a shape by `size` and move its middle to this point."""
    return tuple((x + size * shape_x, y + size * shape_y) for shape_x, shape_y in shape)


def split_into_dashes(
    points: Sequence[Point], dashes: Dashes, width: float
) -> Iterator[list[Point]]:
    """Yield each dash of a line through these points, as the points of the dash.

    `width` is that of the line. Without `dashes` yield the whole line.
    """
    if not dashes:
        yield list(points)
        return

    index, remaining = 0, dashes[0] * width  # dashes have even indices, gaps odd ones
    dash = [points[0]]  # the points since the last change between a dash and a gap
    for (x, y), (to_x, to_y) in pairwise(points):
        length, covered = math.hypot(to_x - x, to_y - y), 0.0
        while length - covered > remaining:
            covered += remaining
            end = x + (to_x - x) * covered / length, y + (to_y - y) * covered / length
            if index % 2 == 0:
                yield [*dash, end]
            dash = [end]
            index = (index + 1) % len(dashes)
            remaining = dashes[index] * width
        remaining -= length - covered
        dash.append((to_x, to_y))
    if index % 2 == 0 and len(dash) > 1:
        yield dash
