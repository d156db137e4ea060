"""The sheet that every chart is laid out on: what is to be drawn, and where. Nothing is drawn here.

Lengths are in pixels from the upper left corner. A phone shows the sheet at 350 pixels of width. It
is dark with a rim, and so stands out from light and from dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.pictures.typeface import Colour, Written, shortened, written

WIDTH = 900
"""The width of every chart."""
MARGIN = 26
"""The distance of texts and axes from the edges."""
ROW = 54
"""The height of a row of texts."""
HEADING = 50
"""The middle of the heading's letters."""

PAPER: Colour = (32, 36, 45)
RIM: Colour = (89, 97, 122)
GRID: Colour = (54, 60, 74)
AXIS: Colour = (123, 132, 155)
BAND: Colour = (47, 95, 134)
"""The range in which a rating most likely lies."""
INK: Colour = (243, 244, 247)
FAINT: Colour = (195, 201, 214)
"""Texts that are less important."""

Point = tuple[float, float]
Points = tuple[Point, ...]


class Stroke(NamedTuple):
    """A line through these points."""

    points: Points
    width: float
    colour: Colour


class Area(NamedTuple):
    """An area between these corners."""

    corners: Points
    colour: Colour


class Call(NamedTuple):
    """The sign of a call around a point."""

    x: float
    y: float
    size: float
    """From edge to edge."""
    grand: bool
    made: bool
    colour: Colour


class Text(NamedTuple):
    """A line of text from `left` on; `middle` is that of its capitals."""

    left: float
    middle: float
    written: Written
    colour: Colour

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + self.written.width


@dataclass
class Sheet:
    """Everything on a sheet. What comes later lies above, calls above shapes, texts above all."""

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
        """Write one line of text, shortened to `width`; returns how wide it is.

        It is moved if it would leave the sheet.
        """
        text = shortened(written(words) if isinstance(words, str) else words, width)
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
