"""Draws the picture of a match without points: everybody's place through the rounds, 1 on top."""

from __future__ import annotations

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator

from bot.pictures.descriptions import PlacesChart
from bot.pictures.lettering import language_of, written_names
from bot.pictures.sheet import (
    FAINT,
    HEADING,
    MARGIN,
    MOST_SIGNS,
    STYLES,
    TEXT,
    WIDTH,
    Sheet,
    numbers,
    rounds_along,
    strokes,
)

_ROW = 62
"""The height of one place."""
_NAMES = 330
"""The largest width of the names."""
_CROWN = "♛ "
"""What stands before the name of a winner."""


def draw_places(chart: PlacesChart) -> bytes:
    """The picture as a PNG file."""
    words, say = language_of(chart.language, chart.words)
    players, rounds = len(chart.lines), len(chart.lines[0].values)
    top = 96
    bottom = top + _ROW * players
    sheet = Sheet(bottom + 104)
    names = [(_CROWN if line.won else "") + written_names(line) for line in chart.lines]
    room = min(_NAMES, max(sheet.measure(name, bold=True) for name in names))
    right = WIDTH - MARGIN - room - 30
    sheet.write(MARGIN, 54, words.places, size=HEADING, bold=True, width=WIDTH - 2 * MARGIN)
    axes = sheet.axes(MARGIN + 50, top, right, bottom)
    axes.set_ylim(players + 0.5, 0.5)
    beside = max(0.5, 0.02 * rounds)
    axes.set_xlim(1 - beside, rounds + beside)
    axes.yaxis.set_major_locator(FixedLocator(range(1, players + 1)))
    rounds_along(axes, 1, rounds, say.number)
    axes.yaxis.set_major_formatter(numbers(say.number))
    for style, line, name in zip(STYLES, chart.lines, names, strict=False):
        look = strokes(style, sign=26, line=6 if rounds <= MOST_SIGNS else 4, values=rounds)
        axes.add_line(Line2D(range(1, rounds + 1), line.values, **look, zorder=3 + line.won))
        y = top + _ROW * (line.values[-1] - 0.5)
        sheet.write(right + 22, y, name, colour=style.colour, bold=line.won, width=room + 8)
    middle = (MARGIN + 50 + right) / 2
    sheet.write(middle, bottom + 66, words.round, size=TEXT - 3, colour=FAINT, align="center")
    return sheet.png()
