"""Layout of the chart of a player's rating: line, uncertainty, seasons."""

from __future__ import annotations

from itertools import pairwise

from bot.pictures.charts.chart_parts import (
    BELOW,
    BESIDE,
    Date,
    Plot,
    dates_along,
    draw_axes,
    language_of,
    room_beside,
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
    MOST_SIGNS,
    SAMPLE,
    SIGN,
    STYLES,
    draw_line,
    draw_sample,
    draw_sign,
    split_into_dashes,
)
from bot.pictures.descriptions import RatingChart
from bot.pictures.typeface import written_name
from bot.pictures.words import RatingWords
from bot.text import Say

PLOT = 470
"""Height of the axes."""
_SPACE = 24
"""Space between the edges of the axes and their content."""
_GAP = 20
"""Space between texts."""
_STYLE = STYLES[0]


def lay_out_rating(chart: RatingChart) -> Sheet:
    """Lay out the rating chart: heading, plot, current rating, key."""
    words, say = language_of(chart.language, chart.words)
    top = HEADING + (2 if chart.seasons else 1) * ROW + 40
    bottom = top + PLOT
    sheet = Sheet(bottom + BELOW + 2 * ROW + 56)
    sheet.write(MARGIN, HEADING, words.title)
    sheet.write(MARGIN, HEADING + ROW, written_name(chart.name), colour=_STYLE.colour)
    last = chart.points[-1]
    end = say.number(round(last.rating))
    give_or_take = f"±{say.number(round(last.spread))}"
    room = max(width_of(end), width_of(give_or_take)) + BESIDE
    plot = _draw_axes(sheet, chart, say, (top, bottom), room)
    _line(sheet, plot, chart)
    _seasons(sheet, plot, chart)
    y = min(plot.up.at(last.rating), bottom - ROW)
    sheet.write(WIDTH - MARGIN, y, end, colour=_STYLE.colour, align="right")
    sheet.write(WIDTH - MARGIN, y + ROW - 8, give_or_take, colour=FAINT, align="right")
    _keys(sheet, words, bottom + BELOW + ROW + 10)
    return sheet


def _draw_axes(
    sheet: Sheet, chart: RatingChart, say: Say, edges: tuple[float, float], room: float
) -> Plot:
    """Draw the axes between these upper and lower edges, with `room` free on the right."""
    top, bottom = edges
    low = min(point.rating - point.spread for point in chart.points)
    high = max(point.rating + point.spread for point in chart.points)
    if low == high:
        low, high = low - 1, high + 1
    beside = [(value, say.number(value)) for value in ticks(low, high, 6)]
    left, right = MARGIN + room_beside(beside), WIDTH - MARGIN - room
    first, last = chart.points[0].at, chart.points[-1].at
    across = Scale(first.timestamp(), last.timestamp(), left + _SPACE, right - _SPACE)
    up = Scale(low, high, bottom - _SPACE, top + _SPACE)
    plot = Plot(left, top, right, bottom, across, up)

    def fit(dates: list[Date]) -> bool:
        return all(
            across.at(later.timestamp()) - across.at(earlier.timestamp())
            >= (width_of(one) + width_of(other)) / 2 + _GAP
            for (earlier, one), (later, other) in pairwise(dates)
        )

    dates = dates_along(first, last, say.language, fit)
    draw_axes(sheet, plot, [(at.timestamp(), date) for at, date in dates], beside)
    return plot


def _line(sheet: Sheet, plot: Plot, chart: RatingChart) -> None:
    """Draw the line of the rating and its uncertainty band."""
    line = [plot.at(point.at.timestamp(), point.rating) for point in chart.points]
    ups = [plot.at(point.at.timestamp(), point.rating + point.spread) for point in chart.points]
    downs = [plot.at(point.at.timestamp(), point.rating - point.spread) for point in chart.points]
    if len(line) == 1:
        wide = SIGN / 2
        ups = [(x + side, y) for x, y in ups for side in (-wide, wide)]
        downs = [(x + side, y) for x, y in downs for side in (-wide, wide)]
    sheet.area([*ups, *reversed(downs)], BAND)
    draw_line(sheet, line, _STYLE, size=SIGN if len(line) <= MOST_SIGNS else 0)
    draw_sign(sheet, *line[-1], _STYLE, size=SIGN + 4)


def _seasons(sheet: Sheet, plot: Plot, chart: RatingChart) -> None:
    """Draw a line at the start of each season, with its name if it fits."""
    free = 0.0
    for season in chart.seasons:
        x = plot.across.at(season.begins.timestamp())
        if not plot.left <= x <= plot.right:
            continue
        for piece in split_into_dashes(((x, plot.top), (x, plot.bottom)), (2, 3), 3):
            sheet.stroke(piece, 3, INK)
        name = written_name(season.name)
        if free <= x <= WIDTH - MARGIN - name.width:
            free = x + _GAP + sheet.write(x, plot.top - 30, name, colour=FAINT)


def _keys(sheet: Sheet, words: RatingWords, y: float) -> None:
    """Draw the key of the line and the band below the axes."""
    x = MARGIN + SAMPLE + _GAP
    draw_sample(sheet, MARGIN, y, _STYLE)
    sheet.write(x, y, words.rating)
    y += ROW
    right = MARGIN + SAMPLE
    sheet.area(((MARGIN, y - 16), (right, y - 16), (right, y + 16), (MARGIN, y + 16)), BAND)
    sheet.write(x, y, words.uncertainty, width=WIDTH - MARGIN - x)
