"""Layout of the chart of a match without points: each player's place after each round."""

from __future__ import annotations

from bot.pictures.charts.chart_parts import (
    BELOW,
    CROWN,
    Plot,
    draw_axes,
    draw_crown,
    label_width,
    names_text,
    words_and_say,
)
from bot.pictures.charts.scales import Scale, rounds_along
from bot.pictures.charts.sheet import FAINT, HEADING, MARGIN, ROW, WIDTH, Sheet
from bot.pictures.charts.styles import LINE, MOST_MARKERS, STYLES, draw_line
from bot.pictures.descriptions import PlacesChart
from bot.pictures.typeface import shorten_distinctly

_NAMES = 300
"""Maximum width of the names."""
_MARKER = 28
"""Size of the markers on the lines."""
_MOST_ROUNDS = 48
"""Maximum number of rounds to draw; in a longer match only every second, third, ... is drawn."""
_GAP = 12
"""Space before a name and before its crown."""


def lay_out_places(chart: PlacesChart) -> Sheet:
    """Lay out the places chart: heading, plot with place 1 on top, and names at the right."""
    words, say = words_and_say(chart.language, chart.words)
    players, rounds = len(chart.lines), len(chart.lines[0].values)
    top = HEADING + 40
    bottom = top + ROW * players
    sheet = Sheet(bottom + BELOW + ROW + 40)
    sheet.write(MARGIN, HEADING, words.places)
    beside = [(place, say.number(place)) for place in range(1, players + 1)]
    left, right = MARGIN + label_width(beside), WIDTH - MARGIN - _name_width(chart) - _GAP
    across = Scale(1, rounds, left + _MARKER, right - _MARKER)
    up = Scale(1, players, top + ROW / 2, bottom - ROW / 2)
    plot = Plot(left, top, right, bottom, across, up)
    rounds_to_label = rounds_along(1, rounds, right - left, say.number)
    draw_axes(sheet, plot, [(number, say.number(number)) for number in rounds_to_label], beside)
    _draw_lines(sheet, plot, chart)
    name_left = right + _GAP
    name_widths = [WIDTH - MARGIN - name_left - (_GAP + CROWN) * line.won for line in chart.lines]
    names = shorten_distinctly([names_text(line) for line in chart.lines], name_widths)
    for line, name, style in zip(chart.lines, names, STYLES, strict=False):
        y = up.at(line.values[-1])
        written_width = sheet.write(name_left, y, name, colour=style.colour)
        if line.won:
            draw_crown(sheet, name_left + written_width + _GAP + CROWN / 2, y, style.colour)
    middle = (left + right) / 2
    sheet.write(middle, bottom + BELOW + ROW, words.round, colour=FAINT, align="centre")
    return sheet


def _name_width(chart: PlacesChart) -> float:
    """Return the width of the column of names and crowns."""
    widths = (names_text(line).width + (_GAP + CROWN) * line.won for line in chart.lines)
    return min(_NAMES, max(widths))


def _draw_lines(sheet: Sheet, plot: Plot, chart: PlacesChart) -> None:
    """Draw the lines, the winners' lines last; they are thin if there are many rounds."""
    rounds = len(chart.lines[0].values)
    step = -(-rounds // _MOST_ROUNDS)  # rounded up
    crowded = (plot.right - plot.left) / rounds < 2 * _MARKER
    marker_space = 0.9 * (plot.right - plot.left) / min(rounds, MOST_MARKERS)
    size = min(_MARKER, max(0.6 * _MARKER, marker_space))
    for index in sorted(range(len(chart.lines)), key=lambda index: chart.lines[index].won):
        places = list(enumerate(chart.lines[index].values, start=1))
        drawn = places[(rounds - 1) % step :: step]  # the last round is always among them
        points = [plot.at(*round_and_place) for round_and_place in drawn]
        style = STYLES[index]._replace(dashes=()) if crowded else STYLES[index]
        draw_line(sheet, points, style, size=size, width=LINE / 2 if crowded else LINE)
