"""Layout of the charts of a player's rating and accuracy: line, uncertainty, seasons."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from bot.pictures.charts.chart_parts import (
    BELOW,
    BESIDE,
    Date,
    Plot,
    dates_along,
    draw_axes,
    label_width,
    words_and_say,
)
from bot.pictures.charts.scales import Scale, ticks
from bot.pictures.charts.sheet import (
    BAND,
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
    MARKER,
    MOST_MARKERS,
    SAMPLE,
    STYLES,
    draw_line,
    draw_marker,
    draw_sample,
    split_into_dashes,
)
from bot.pictures.descriptions import AccuracyChart, RatingChart, Season, TrendChart
from bot.pictures.typeface import name_text
from bot.pictures.words import AccuracyWords, RatingWords
from bot.text import Say

PLOT = 470
"""Height of the plot."""
_SPACE = 24
"""Space between the edges of the plot and its content."""
_GAP = 20
"""Space between texts."""
_STYLE = STYLES[0]
_LEAST_COST = 2.0
"""Smallest upper end of the axis of costs, in points."""


def lay_out_trend(chart: TrendChart) -> Sheet:
    """Lay out the chart of a rating or accuracy: heading, plot, current value, key."""
    words, say = words_and_say(chart.language, chart.words)
    seasons = chart.seasons if isinstance(chart, RatingChart) else ()
    top = HEADING + (2 if seasons else 1) * ROW + 40
    bottom = top + PLOT
    sheet = Sheet(bottom + BELOW + 2 * ROW + 56)
    sheet.write(MARGIN, HEADING, words.title)
    sheet.write(MARGIN, HEADING + ROW, name_text(chart.name), colour=_STYLE.colour)
    last = chart.points[-1]
    digits = 1 if isinstance(chart, AccuracyChart) else None
    current_value = say.decimal(round(last.value, digits))
    uncertainty = f"±{say.decimal(round(last.spread, digits))}"
    room = max(width_of(current_value), width_of(uncertainty)) + BESIDE
    plot = _draw_axes(sheet, chart, say, (top, bottom), room)
    _draw_trend_line(sheet, plot, chart)
    _draw_seasons(sheet, plot, seasons)
    y = min(plot.up.at(last.value), bottom - ROW)
    sheet.write(WIDTH - MARGIN, y, current_value, colour=_STYLE.colour, align="right")
    sheet.write(WIDTH - MARGIN, y + ROW - 8, uncertainty, colour=FAINT, align="right")
    _draw_key(sheet, words, bottom + BELOW + ROW + 10)
    return sheet


def _draw_axes(
    sheet: Sheet, chart: TrendChart, say: Say, edges: tuple[float, float], room: float
) -> Plot:
    """Draw the axes between the upper and the lower edge, with `room` free on the right."""
    top, bottom = edges
    low = min(point.value - point.spread for point in chart.points)
    high = max(point.value + point.spread for point in chart.points)
    if isinstance(chart, AccuracyChart):  # 0 is as good as the Expert
        low, high = min(low, 0.0), max(high, _LEAST_COST)
    if low == high:
        low, high = low - 1, high + 1
    beside = [(value, say.number(value)) for value in ticks(low, high, 6)]
    left, right = MARGIN + label_width(beside), WIDTH - MARGIN - room
    first, last = chart.points[0].at, chart.points[-1].at
    across = Scale(first.timestamp(), last.timestamp(), left + _SPACE, right - _SPACE)
    up = Scale(low, high, bottom - _SPACE, top + _SPACE)
    plot = Plot(left, top, right, bottom, across, up)

    def fits_without_overlap(dates: list[Date]) -> bool:
        return all(
            across.at(later.timestamp()) - across.at(earlier.timestamp())
            >= (width_of(earlier_date) + width_of(later_date)) / 2 + _GAP
            for (earlier, earlier_date), (later, later_date) in pairwise(dates)
        )

    dates = dates_along(first, last, say.language, fits_without_overlap)
    draw_axes(sheet, plot, [(at.timestamp(), date) for at, date in dates], beside)
    return plot


def _draw_trend_line(sheet: Sheet, plot: Plot, chart: TrendChart) -> None:
    """Draw the band of the uncertainty, and over it the line of the values."""
    line = [plot.at(point.at.timestamp(), point.value) for point in chart.points]
    upper = [plot.at(point.at.timestamp(), point.value + point.spread) for point in chart.points]
    lower = [plot.at(point.at.timestamp(), point.value - point.spread) for point in chart.points]
    if len(line) == 1:  # a band with one point would have no width
        half_width = MARKER / 2
        upper = [(x + side, y) for x, y in upper for side in (-half_width, half_width)]
        lower = [(x + side, y) for x, y in lower for side in (-half_width, half_width)]
    sheet.area([*upper, *reversed(lower)], BAND)
    draw_line(sheet, line, _STYLE, size=MARKER if len(line) <= MOST_MARKERS else 0)
    draw_marker(sheet, *line[-1], _STYLE, size=MARKER + 4)


def _draw_seasons(sheet: Sheet, plot: Plot, seasons: Iterable[Season]) -> None:
    """Draw a line at the start of each season, with its name if it fits."""
    free_from = 0.0
    for season in seasons:
        x = plot.across.at(season.begins.timestamp())
        if not plot.left <= x <= plot.right:
            continue
        for dash in split_into_dashes(((x, plot.top), (x, plot.bottom)), (2, 3), 3):
            sheet.stroke(dash, 3, INK)
        name = name_text(season.name)
        if free_from <= x <= WIDTH - MARGIN - name.width:
            free_from = x + _GAP + sheet.write(x, plot.top - 30, name, colour=FAINT)


def _draw_key(sheet: Sheet, words: RatingWords | AccuracyWords, y: float) -> None:
    """Draw the key of the line and the band below the axes."""
    x = MARGIN + SAMPLE + _GAP
    draw_sample(sheet, MARGIN, y, _STYLE)
    sheet.write(x, y, words.line, width=WIDTH - MARGIN - x)
    y += ROW
    right = MARGIN + SAMPLE
    sheet.area(((MARGIN, y - 16), (right, y - 16), (right, y + 16), (MARGIN, y + 16)), BAND)
    sheet.write(x, y, words.uncertainty, width=WIDTH - MARGIN - x)
