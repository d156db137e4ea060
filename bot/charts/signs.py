"""Signs for what happened in a round: calls made (discs) and failed (struck squares), sweeps.

They differ by shape, and calls by their letter; the colour only tells whose they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation, Transform

from bot.charts.lettering import font
from bot.charts.sheet import INK, PAPER, points

SIZE = 40
"""Pixels from edge to edge of a sign."""

Add = Callable[[Any], Any]
Draw = Callable[..., None]


def bet(
    add: Add,
    at: Transform,
    x: float,
    y: float,
    *,
    grand: bool,
    made: bool,
    colour: str = INK,
    size: float = SIZE,
) -> None:
    """A call at a point: T or G on a disc if it was made, in a struck square if not."""
    body = {"markeredgecolor": colour, "markeredgewidth": points(4), "linestyle": ""}
    if made:
        add(_mark(at, x, y, "o", size, markerfacecolor=colour, **body))
    else:
        add(_mark(at, x, y, "s", size * 0.84, markerfacecolor=PAPER, **body))
        add(_strike(at, x, y, size, colour))
    letter = Text(
        x,
        y,
        "G" if grand else "T",
        fontproperties=font(bold=True),
        fontsize=points(size * 0.7),
        color=PAPER if made else colour,
        ha="center",
        va="center_baseline",
        transform=at,
        zorder=6,
    )
    add(letter)


def sweep(
    add: Add, at: Transform, x: float, y: float, *, colour: str = INK, size: float = SIZE
) -> None:
    """A double or triple victory: a diamond around a point."""
    edge = {"markeredgecolor": colour, "markeredgewidth": points(4)}
    add(_mark(at, x, y, "D", size * 0.9, markerfacecolor=PAPER, zorder=2.2, **edge))


def shifted(at: Transform, figure_scale: Transform, pixels: float) -> Transform:
    """The same points, so many pixels higher."""
    return at + ScaledTranslation(0, points(pixels) / 72, figure_scale)


def _mark(at: Transform, x: float, y: float, sign: str, size: float, **look: Any) -> Line2D:
    look = {"zorder": 5, "linestyle": ""} | look
    return Line2D([x], [y], marker=sign, markersize=points(size), transform=at, **look)


def _strike(at: Transform, x: float, y: float, size: float, colour: str) -> Line2D:
    """A stroke from corner to corner, beyond the square and behind its letter."""
    return Line2D(
        [x],
        [y],
        marker=[(-1, -1), (1, 1)],
        markersize=points(size * 1.15),
        markeredgecolor=colour,
        markeredgewidth=points(4),
        linestyle="",
        transform=at,
        zorder=5.5,
    )
