"""Layout of the chart of a team's chances in a round: two lines, turning points."""

from __future__ import annotations

from bot.pictures.charts.chart_parts import (
    BELOW,
    BESIDE,
    Plot,
    draw_axes,
    label_width,
    words_and_say,
)
from bot.pictures.charts.scales import Scale, rounds_along, spread
from bot.pictures.charts.sheet import (
    FAINT,
    HEADING,
    INK,
    MARGIN,
    ROW,
    WIDTH,
    Sheet,
    width_of,
)
from bot.pictures.charts.styles import (
    SAMPLE,
    STYLES,
    draw_line,
    draw_sample,
    split_into_dashes,
)
from bot.pictures.descriptions import ChancesChart
from bot.text import Say

PLOT = 400
"""Height of the plot."""
_SPACE = 24
"""Space between the edges of the plot and its content."""
_GAP = 20
"""Space between texts."""
_DOTS = (2.0, 3.0)
"""Dashes of a turning point, in line widths."""


def lay_out_chances(chart: ChancesChart) -> Sheet:
    """Lay out the chart of chances: heading, legend, plot, last values, key."""
    words, say = words_and_say(chart.language, chart.words)
    top = HEADING + 2 * ROW + 44
    bottom = top + PLOT
    has_key = bool(chart.turning_points)
    sheet = Sheet(bottom + BELOW + ROW * (2 if has_key else 1) + (56 if has_key else 40))
    sheet.write(MARGIN, HEADING, words.title)
    for index, word in enumerate((words.round, words.match)):
        y = HEADING + ROW * (1 + index) + 4
        draw_sample(sheet, MARGIN, y, STYLES[index])
        sheet.write(MARGIN + SAMPLE + _GAP, y, word, colour=STYLES[index].colour)
    plot = _draw_axes(sheet, chart, say, (top, bottom))
    for place in chart.turning_points:
        x = plot.across.at((chart.points[place - 1].trick + chart.points[place].trick) / 2)
        _draw_turning_point(sheet, (x, plot.top), (x, plot.bottom))
    _draw_lines(sheet, plot, chart, say)
    y = bottom + BELOW + ROW
    sheet.write((plot.left + plot.right) / 2, y, words.trick, colour=FAINT, align="centre")
    if has_key:
        y += ROW + 10
        _draw_turning_point(sheet, (MARGIN, y), (MARGIN + SAMPLE, y))
        sheet.write(MARGIN + SAMPLE + _GAP, y, words.turning_point)
    return sheet


def _draw_turning_point(sheet: Sheet, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a dotted line."""
    for dash in split_into_dashes((begin, end), _DOTS, 3):
        sheet.stroke(dash, 3, INK)


def _draw_axes(sheet: Sheet, chart: ChancesChart, say: Say, edges: tuple[float, float]) -> Plot:
    """Draw the axes between the upper and the lower edge, with space for the last values."""
    top, bottom = edges
    beside = [(share, say.percent(share)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    left = MARGIN + label_width(beside)
    right = WIDTH - MARGIN - width_of(say.percent(1.0)) - BESIDE
    first, last = chart.points[0].trick, chart.points[-1].trick
    across = Scale(first, last, left + _SPACE, right - _SPACE)
    up = Scale(0.0, 1.0, bottom - _SPACE, top + _SPACE)
    plot = Plot(left, top, right, bottom, across, up)
    tricks = rounds_along(first, last - 1, right - left, say.number)
    draw_axes(sheet, plot, [(trick, say.number(trick)) for trick in tricks], beside)
    return plot


def _draw_lines(sheet: Sheet, plot: Plot, chart: ChancesChart, say: Say) -> None:
    """Draw both lines, with their last values on the right."""
    lines = [[point.round for point in chart.points], [point.match for point in chart.points]]
    ends = spread([plot.up.at(line[-1]) for line in lines], ROW - 10)
    for line, style, y in reversed(list(zip(lines, STYLES[:2], ends, strict=True))):
        points = [
            plot.at(point.trick, share) for point, share in zip(chart.points, line, strict=True)
        ]
        draw_line(sheet, points, style)
        share = say.percent(line[-1])
        sheet.write(WIDTH - MARGIN, y, share, colour=style.colour, align="right")
