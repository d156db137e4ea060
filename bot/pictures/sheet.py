"""The sheet that every picture is drawn on: its size, colours, lines and texts.

Lengths are in pixels from the upper left corner. A phone shows the sheet at a third of its size, so
text of 30 pixels looks about as large as that of a message. The sheet is dark with a rim, and so
stands out from light and from dark pages. Lines differ by their signs and dashes as well as by
colour, for people who see few colours.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from bot.pictures.lettering import font

WIDTH = 1050
"""The width of every picture."""
MARGIN = 36
"""The distance of texts and axes from the edges."""
TEXT, HEADING = 31, 38
"""The sizes of letters."""
MOST_SIGNS = 30
"""The largest number of signs on a line; with more values only some have a sign."""
_DPI = 150
_POINTS = 72 / _DPI
"""The size of a pixel in points: matplotlib measures letters and signs in points."""

PAPER, RIM, GRID, AXIS = "#20242d", "#59617a", "#363c4a", "#7b849b"
INK, FAINT = "#f3f4f7", "#c3c9d6"

Dashes = tuple[float, ...] | None


class Style(NamedTuple):
    """The look of a line: colour, sign at each value, dashes (`None` for a solid line)."""

    colour: str
    sign: str
    dashes: Dashes


_BLUE, _ORANGE, _PINK, _WHITE = "#5cc0ff", "#ffae1a", "#f59bd0", "#f3f4f7"
_GREEN, _RED = "#2fc99b", "#ff7a4d"
STYLES = (
    Style(_BLUE, "o", None),
    Style(_ORANGE, "s", (4, 1.2)),
    Style(_PINK, "^", None),
    Style(_WHITE, "D", (1.5, 1.2)),
    Style(_GREEN, "v", None),
    Style(_RED, "P", (4, 1.2, 1.2, 1.2)),
    Style(_BLUE, "X", (1.5, 1.2)),
    Style(_ORANGE, "*", None),
    Style(_PINK, "p", (4, 1.2)),
    Style(_WHITE, "<", None),
    Style(_GREEN, "h", (4, 1.2)),
    Style(_RED, ">", None),
)
"""Twelve styles, because twelve can play Grand Seigneur. Two of one colour differ in the rest."""


class Sheet:
    """A sheet of this height in pixels, empty at first; its width is always `WIDTH`."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.figure = Figure((WIDTH / _DPI, height / _DPI), dpi=_DPI, facecolor=PAPER)
        self._canvas = FigureCanvasAgg(self.figure)
        rim = Rectangle((0, 0), 1, 1, fill=False, edgecolor=RIM, linewidth=4 * _POINTS)
        rim.set_transform(self.figure.transFigure)
        self.figure.add_artist(rim)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        """A point as matplotlib counts: in parts of the sheet, from its lower left corner."""
        return x / WIDTH, 1 - y / self.height

    def write(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = TEXT,
        colour: str = INK,
        bold: bool = False,
        align: str = "left",
        width: float | None = None,
    ) -> float:
        """Write one line of text, its middle at the height `y`; returns its width.

        Text that is wider than `width` is cut.
        """
        text = Text(
            *self._at(x, y),
            words,
            fontproperties=font(bold=bold),
            fontsize=size * _POINTS,
            color=colour,
            ha=align,
            va="center_baseline",
            parse_math=False,
            transform=self.figure.transFigure,
        )
        text.set_figure(self.figure)
        self._cut(text, words, width)
        self.figure.add_artist(text)
        return self._width(text)

    def measure(self, words: str, *, size: float = TEXT, bold: bool = False) -> float:
        """The width of a text."""
        text = Text(text=words, fontproperties=font(bold=bold), parse_math=False)
        text.set_fontsize(size * _POINTS)
        text.set_figure(self.figure)
        return self._width(text)

    def _width(self, text: Text) -> float:
        return float(text.get_window_extent(self._canvas.get_renderer()).width)

    def _cut(self, text: Text, words: str, width: float | None) -> None:
        """Cut a text that is wider than `width`."""
        kept = len(words)
        while width is not None and kept > 1 and self._width(text) > width:
            kept -= 1
            text.set_text(words[:kept].rstrip() + "…")

    def sample(self, x: float, y: float, style: Style) -> None:
        """Draw a short piece of a line, from `x` on, with its sign in the middle."""
        look = strokes(style, sign=20) | {"markevery": [1]}
        xs, height = [(x + step) / WIDTH for step in (0, 36, 72)], self._at(x, y)[1]
        line = Line2D(xs, [height] * 3, **look, transform=self.figure.transFigure)
        self.figure.add_artist(line)

    def sign(self, x: float, y: float, draw: Callable[..., None]) -> None:
        """Draw a sign of `bot.pictures.signs` with its middle at this point."""
        draw(self.figure.add_artist, self.figure.transFigure, *self._at(x, y))

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """New axes between these edges, with a faint grid and without a frame."""
        x, y = self._at(left, bottom)
        axes = self.figure.add_axes((x, y, (right - left) / WIDTH, (bottom - top) / self.height))
        axes.set_facecolor("none")
        axes.grid(color=GRID, linewidth=2 * _POINTS)
        axes.set_axisbelow(True)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, pad=10 * _POINTS, colors=FAINT)
        return axes

    def png(self) -> bytes:
        """The picture as a PNG file."""
        for axes in self.figure.axes:
            for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
                label.set_fontproperties(font())
                label.set_fontsize((TEXT - 3) * _POINTS)
        file = io.BytesIO()
        self._canvas.print_png(file, metadata={"Software": None})
        return file.getvalue()


def strokes(style: Style, *, sign: float, line: float = 6, values: int = 1) -> dict[str, Any]:
    """The properties that matplotlib needs to draw a line of this style.

    `sign` and `line` are widths in pixels; 0 means no signs. With many `values` only some have a
    sign, so that the dashes between them can be seen.
    """
    every = -(-values // MOST_SIGNS)
    return {
        "color": style.colour,
        "linewidth": line * _POINTS,
        "linestyle": "-" if style.dashes is None else (0, style.dashes),
        "marker": style.sign if sign else "",
        "markersize": sign * _POINTS,
        "markevery": ((values - 1) % every, every),
        "markeredgecolor": PAPER,
        "markeredgewidth": 2 * _POINTS,
    }


def points(pixels: float) -> float:
    """A length in pixels, in points."""
    return pixels * _POINTS


def numbers(write: Callable[[int], str]) -> FuncFormatter:
    """The formatter for numbers along an axis, as `write` writes them."""
    return FuncFormatter(lambda value, _: write(round(value)))


def rounds_along(axes: Axes, first: int, last: int, write: Callable[[int], str]) -> None:
    """Write the numbers of rounds below these axes, as many as fit."""
    wanted = MaxNLocator(12, integer=True, min_n_ticks=1).tick_values(first, last)
    axes.xaxis.set_major_locator(FixedLocator([at for at in wanted if first <= at <= last]))
    axes.xaxis.set_major_formatter(numbers(write))


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """These positions, moved apart as little as needed for a distance of `gap` between any two."""
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    groups: list[tuple[float, list[int]]] = []  # middle and members, from low to high
    for index in order:
        middle, members = positions[index], [index]
        while groups and middle - groups[-1][0] < gap * (len(members) + len(groups[-1][1])) / 2:
            _, others = groups.pop()
            members = others + members
            middle = sum(positions[member] for member in members) / len(members)
        groups.append((middle, members))
    result = [0.0] * len(positions)
    for middle, members in groups:
        for place, member in enumerate(members):
            result[member] = middle + gap * (place - (len(members) - 1) / 2)
    return result
