"""Signs for what happened in a round: calls that were made or failed, and victories.

A call that was made is a disc, one that failed a struck square, and a double or triple victory is a
diamond. Calls differ by their letter as well. The colour only tells whose a sign is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Transform

from bot.pictures.lettering import font
from bot.pictures.sheet import INK, PAPER, points

SIZE = 40
"""The size of a sign in pixels, from edge to edge."""

Add = Callable[[Any], Any]
"""Adds something to a figure or to axes."""
Draw = Callable[..., None]
"""`bet` or `sweep`, perhaps with some arguments given already."""


def bet(
    add: Add,
    transform: Transform,
    x: float,
    y: float,
    *,
    grand: bool,
    made: bool,
    colour: str = INK,
    size: float = SIZE,
) -> None:
    """Draw a call at a point: T or G on a disc if it was made, in a struck square if not."""
    body = {"markeredgecolor": colour, "markeredgewidth": points(4), "linestyle": ""}
    if made:
        add(_mark(transform, x, y, "o", size, markerfacecolor=colour, **body))
    else:
        add(_mark(transform, x, y, "s", size * 0.84, markerfacecolor=PAPER, **body))
        add(_strike(transform, x, y, size, colour))
    letter = Text(
        x,
        y,
        "G" if grand else "T",
        fontproperties=font(bold=True),
        fontsize=points(size * 0.7),
        color=PAPER if made else colour,
        ha="center",
        va="center_baseline",
        transform=transform,
        zorder=6,
        path_effects=None if made else [withStroke(linewidth=points(7), foreground=PAPER)],
    )
    add(letter)


def sweep(
    add: Add, transform: Transform, x: float, y: float, *, colour: str = INK, size: float = SIZE
) -> None:
    """Draw a double or triple victory: a diamond around a point."""
    edge = {"markeredgecolor": colour, "markeredgewidth": points(4)}
    add(_mark(transform, x, y, "D", size * 0.9, markerfacecolor=PAPER, zorder=2.2, **edge))


def shifted(transform: Transform, pixels: float) -> Transform:
    """The same transform, but all points are moved up by some pixels."""
    return transform + Affine2D().translate(0, pixels)


def _mark(transform: Transform, x: float, y: float, sign: str, size: float, **more: Any) -> Line2D:
    """One marker of matplotlib; `more` are its further properties."""
    look: dict[str, Any] = {"zorder": 5, "linestyle": "", "clip_on": False} | more
    return Line2D([x], [y], marker=sign, markersize=points(size), transform=transform, **look)


def _strike(transform: Transform, x: float, y: float, size: float, colour: str) -> Line2D:
    """A stroke from corner to corner, beyond the square and behind its letter."""
    return Line2D(
        [x],
        [y],
        marker=[(-1, -1), (1, 1)],
        markersize=points(size * 1.15),
        markeredgecolor=colour,
        markeredgewidth=points(4),
        linestyle="",
        transform=transform,
        clip_on=False,
        zorder=5.5,
    )
