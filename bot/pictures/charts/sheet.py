"""Sheet of a chart: the shapes, symbols and texts to draw, with their positions.

Positions are in pixels from the upper left corner. Sizes suit phones, which show the sheet 350
pixels wide. The sheet is dark with a rim, so that it contrasts with light and with dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.pictures.typeface import Colour, FontText, font_text, shorten

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
    """Line through points."""

    points: Points
    width: float
    colour: Colour


class Area(NamedTuple):
    """Filled polygon."""

    corners: Points
    colour: Colour


class Call(NamedTuple):
    """Symbol of a call; the point is its middle."""

    x: float
    y: float
    size: float
    """Height and width."""
    grand: bool
    made: bool
    colour: Colour


class Text(NamedTuple):
    """Line of text. It begins at `left`; `middle` is the vertical middle of its capitals."""

    left: float
    middle: float
    content: FontText
    colour: Colour

    @property
    def right(self) -> float:
        """Right end."""
        return self.left + self.content.width


@dataclass
class Sheet:
    """Content of a chart. Calls cover shapes, texts cover both; later items cover earlier ones."""

    height: int
    shapes: list[Stroke | Area] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def write(
        self,
        x: float,
        y: float,
        words: str | FontText,
        *,
        colour: Colour = INK,
        align: Literal["left", "centre", "right"] = "left",
        width: float = WIDTH - 2 * MARGIN,
    ) -> float:
        """Add a line of text, shortened to `width`. Return its actual width.

        A text that would cross an edge of the sheet is moved inwards.
        """
        text = shorten(font_text(words) if isinstance(words, str) else words, width)
        left = x - text.width * {"left": 0, "centre": 0.5, "right": 1}[align]
        left = max(MARGIN, min(left, WIDTH - MARGIN - text.width))
        self.texts.append(Text(left, y, text, colour))
        return text.width

    def stroke(self, points: Iterable[Point], width: float, colour: Colour) -> None:
        """Add a line through these points."""
        self.shapes.append(Stroke(tuple(points), width, colour))

    def area(self, corners: Iterable[Point], colour: Colour) -> None:
        """Add a filled polygon."""
        self.shapes.append(Area(tuple(corners), colour))


def width_of(words: str) -> float:
    """Return the width of a text in pixels."""
    return font_text(words).width
