"""Layout of the chart of a match without points: places after each round, 1 on top."""

from __future__ import annotations

from bot.pictures.charts.chart_parts import (
    BELOW,
    CROWN,
    Plot,
    draw_axes,
    draw_crown,
    language_of,
    room_beside,
    written_names,
)
from bot.pictures.charts.scales import Scale, rounds_along
from bot.pictures.charts.sheet import FAINT, HEADING, MARGIN, ROW, WIDTH, Sheet
from bot.pictures.charts.styles import LINE, MOST_SIGNS, STYLES, draw_line
from bot.pictures.descriptions import PlacesChart
from bot.pictures.typeface import shorten_distinctly

_NAMES = 300
"""Maximum width of the names."""
_SIGN = 28
"""Size of the signs on the lines."""
_MOST_ROUNDS = 48
"""Maximum number of drawn rounds; a longer match shows only every second, third, ... one."""
_GAP = 12
"""Space before a name and before its crown."""


def lay_out_places(chart: PlacesChart) -> Sheet:
    """Lay out the chart of a match without points."""
    words, say = language_of(chart.language, chart.words)
    players, rounds = len(chart.lines), len(chart.lines[0].values)
    top = HEADING + 40
    bottom = top + ROW * players
    sheet = Sheet(bottom + BELOW + ROW + 40)
    sheet.write(MARGIN, HEADING, words.places)
    beside = [(place, say.number(place)) for place in range(1, players + 1)]
    left, right = MARGIN + room_beside(beside), WIDTH - MARGIN - _name_room(chart) - _GAP
    across = Scale(1, rounds, left + _SIGN, right - _SIGN)
    up = Scale(1, players, top + ROW / 2, bottom - ROW / 2)
    plot = Plot(left, top, right, bottom, across, up)
    along = rounds_along(1, rounds, right - left, say.number)
    draw_axes(sheet, plot, [(number, say.number(number)) for number in along], beside)
    _lines(sheet, plot, chart)
    x = right + _GAP
    rooms = [WIDTH - MARGIN - x - (_GAP + CROWN) * line.won for line in chart.lines]
    names = shorten_distinctly([written_names(line) for line in chart.lines], rooms)
    for line, name, style in zip(chart.lines, names, STYLES, strict=False):
        y = up.at(line.values[-1])
        used = sheet.write(x, y, name, colour=style.colour)
        if line.won:
            draw_crown(sheet, x + used + _GAP + CROWN / 2, y, style.colour)
    middle = (left + right) / 2
    sheet.write(middle, bottom + BELOW + ROW, words.round, colour=FAINT, align="centre")
    return sheet


def _name_room(chart: PlacesChart) -> float:
    """Return the width for names and crowns."""
    widths = (written_names(line).width + (_GAP + CROWN) * line.won for line in chart.lines)
    return min(_NAMES, max(widths))


def _lines(sheet: Sheet, plot: Plot, chart: PlacesChart) -> None:
    """Draw the lines, winners on top. Lines are thin if there are many rounds."""
    rounds = len(chart.lines[0].values)
    every = -(-rounds // _MOST_ROUNDS)
    crowded = (plot.right - plot.left) / rounds < 2 * _SIGN
    room = 0.9 * (plot.right - plot.left) / min(rounds, MOST_SIGNS)
    size = min(_SIGN, max(0.6 * _SIGN, room))
    for number in sorted(range(len(chart.lines)), key=lambda number: chart.lines[number].won):
        values = list(enumerate(chart.lines[number].values, start=1))[(rounds - 1) % every :: every]
        points = [plot.at(*value) for value in values]
        style = STYLES[number]._replace(dashes=()) if crowded else STYLES[number]
        draw_line(sheet, points, style, size=size, width=LINE / 2 if crowded else LINE)
