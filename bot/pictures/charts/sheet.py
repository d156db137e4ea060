"""Sheet of a chart: the positions of everything to be drawn.

Lengths are in pixels from the upper left corner. A phone shows the sheet 350 pixels wide. The sheet
is dark with a rim, so it stands out from light and from dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.pictures.typeface import Colour, Written, shorten, written

WIDTH = 900
"""Width of all charts."""
MARGIN = 26
"""Distance of texts and axes from the edges."""
ROW = 54
"""Height of a row of texts."""
HEADING = 50
"""Vertical middle of the heading's letters."""

PAPER: Colour = (32, 36, 45)
RIM: Colour = (89, 97, 122)
GRID: Colour = (54, 60, 74)
AXIS: Colour = (123, 132, 155)
BAND: Colour = (47, 95, 134)
"""Colour of the uncertainty band of a rating."""
INK: Colour = (243, 244, 247)
FAINT: Colour = (195, 201, 214)
"""Colour of less important texts."""

Point = tuple[float, float]
Points = tuple[Point, ...]


class Stroke(NamedTuple):
    """Line through these points."""

    points: Points
    width: float
    colour: Colour


class Area(NamedTuple):
    """Area between these corners."""

    corners: Points
    colour: Colour


class Call(NamedTuple):
    """Sign of a call around a point."""

    x: float
    y: float
    size: float
    """Edge length."""
    grand: bool
    made: bool
    colour: Colour


class Text(NamedTuple):
    """Line of text from `left` on; `middle` is the vertical middle of its capitals."""

    left: float
    middle: float
    written: Written
    colour: Colour

    @property
    def right(self) -> float:
        """Right end."""
        return self.left + self.written.width


@dataclass
class Sheet:
    """Content of a sheet. Later items cover earlier ones; calls cover shapes, texts cover all."""

    height: int
    shapes: list[Stroke | Area] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def write(
        self,
        x: float,
        y: float,
        words: str | Written,
        *,
        colour: Colour = INK,
        align: Literal["left", "centre", "right"] = "left",
        width: float = WIDTH - 2 * MARGIN,
    ) -> float:
        """Write one line of text, shortened to `width`, and return its width.

        The text is moved if it would leave the sheet.
        """
        text = shorten(written(words) if isinstance(words, str) else words, width)
        left = x - text.width * {"left": 0, "centre": 0.5, "right": 1}[align]
        left = max(MARGIN, min(left, WIDTH - MARGIN - text.width))
        self.texts.append(Text(left, y, text, colour))
        return text.width

    def stroke(self, points: Iterable[Point], width: float, colour: Colour) -> None:
        """Draw a line."""
        self.shapes.append(Stroke(tuple(points), width, colour))

    def area(self, corners: Iterable[Point], colour: Colour) -> None:
        """Fill an area."""
        self.shapes.append(Area(tuple(corners), colour))


def width_of(words: str) -> float:
    """Return the width of a text."""
    return written(words).width
