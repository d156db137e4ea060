"""The picture of a match without points: everybody's place through the rounds, 1 on top."""

from __future__ import annotations

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, MaxNLocator

from bot.charts.descriptions import PlacesChart
from bot.charts.lettering import language_of, written_names
from bot.charts.sheet import (
    FAINT,
    HEADING,
    MARGIN,
    STYLES,
    TEXT,
    WIDTH,
    Sheet,
    numbers,
    strokes,
)

_ROW = 62
_NAMES = 330
_CROWN = "♛ "
_CROWDED = 25
"""So many rounds fit with signs of full size."""


def draw_places(chart: PlacesChart) -> bytes:
    """The PNG file."""
    words, say = language_of(chart.language, chart.words)
    players, rounds = len(chart.lines), len(chart.lines[0].values)
    top = 96
    bottom = top + _ROW * players
    right = WIDTH - MARGIN - _NAMES - 30
    sheet = Sheet(bottom + 104)
    sheet.write(MARGIN, 54, words.places, size=HEADING, bold=True, width=WIDTH - 2 * MARGIN)
    axes = sheet.axes(MARGIN + 50, top, right, bottom)
    axes.set_ylim(players + 0.5, 0.5)
    room = max(0.5, 0.02 * rounds)
    axes.set_xlim(1 - room, rounds + room)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(FixedLocator(range(1, players + 1)))
    axes.xaxis.set_major_formatter(numbers(say.number))
    axes.yaxis.set_major_formatter(numbers(say.number))
    scale = min(1.0, max(0.35, _CROWDED / rounds))
    for number, line in enumerate(chart.lines):
        style = STYLES[number % len(STYLES)]
        look = strokes(style, sign=26 * scale, line=6 * max(scale, 0.6))
        axes.add_line(Line2D(range(1, rounds + 1), line.values, **look, zorder=3 + line.won))  # type: ignore[arg-type]
        y = top + _ROW * (line.values[-1] - 0.5)
        names = (_CROWN if line.won else "") + written_names(line)
        sheet.write(right + 22, y, names, colour=style.colour, bold=line.won, width=_NAMES + 8)
    middle = (MARGIN + 50 + right) / 2
    sheet.write(middle, bottom + 66, words.round, size=TEXT - 3, colour=FAINT, align="center")
    return sheet.png()
