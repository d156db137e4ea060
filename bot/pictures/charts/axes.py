"""The axes of a chart: a faint grid with numbers or dates at its edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bot.pictures.charts.scales import Scale
from bot.pictures.charts.sheet import FAINT, GRID, Point, Sheet, width_of

BESIDE = 16
"""The space between the axes and what is written to the left or right of them."""
BELOW = 36
"""From the lower edge of the axes to the middle of the numbers below them."""
GRID_LINE = 2
"""The width of a line of the grid."""

Mark = tuple[float, str]
"""A value on an axis and how it is written."""


class Plot(NamedTuple):
    """The part of a sheet between the axes: its edges, and what lies where."""

    left: float
    top: float
    right: float
    bottom: float
    across: Scale
    up: Scale

    def at(self, x: float, y: float) -> Point:
        """The place of a pair of values."""
        return self.across.at(x), self.up.at(y)

    def height_line(self, value: float) -> tuple[Point, Point]:
        """A line from edge to edge at this height."""
        y = self.up.at(value)
        return (self.left, y), (self.right, y)


def room_beside(marks: Iterable[Mark]) -> float:
    """The room that texts on the left of the axes need."""
    return max(width_of(text) for _, text in marks) + BESIDE


def draw_axes(sheet: Sheet, plot: Plot, below: Iterable[Mark], beside: Iterable[Mark]) -> None:
    """Draw the grid, and write what stands below and on the left."""
    for value, text in below:
        x = plot.across.at(value)
        sheet.stroke(((x, plot.top), (x, plot.bottom)), GRID_LINE, GRID)
        sheet.write(x, plot.bottom + BELOW, text, colour=FAINT, align="centre")
    for value, text in beside:
        sheet.stroke(plot.height_line(value), GRID_LINE, GRID)
        sheet.write(plot.left - BESIDE, plot.up.at(value), text, colour=FAINT, align="right")
