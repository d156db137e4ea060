"""Draws the picture of a person's rating: a line through time, its range, the seasons."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from babel.dates import format_skeleton
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, date2num, num2date
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from bot.pictures.descriptions import RatingChart
from bot.pictures.lettering import language_of, written_name
from bot.pictures.sheet import (
    FAINT,
    HEADING,
    INK,
    MARGIN,
    MOST_SIGNS,
    STYLES,
    TEXT,
    WIDTH,
    Sheet,
    numbers,
    points,
    strokes,
)
from bot.pictures.words import RatingWords
from bot.text import Say

_TOP, _PLOT = 200, 540
"""Where the axes begin, and their height."""
_BAND = "#2f5f86"
"""The colour of the range in which the rating most likely lies."""
_STYLE = STYLES[0]
_SHORT = timedelta(days=6)
"""If the picture spans less time than this, the axis has only the first and the last day."""
_LONG = timedelta(days=150)
"""If it spans this much or more, the axis has months instead of days."""


def draw_rating(chart: RatingChart) -> bytes:
    """The picture as a PNG file."""
    words, say = language_of(chart.language, chart.words)
    bottom = _TOP + _PLOT
    sheet = Sheet(bottom + 160)
    sheet.write(MARGIN, 54, words.title, size=HEADING, bold=True, width=WIDTH - 2 * MARGIN)
    name = written_name(chart.name)
    sheet.write(MARGIN, 108, name, colour=_STYLE.colour, bold=True, width=WIDTH - 2 * MARGIN)
    last = chart.points[-1]
    end = say.number(round(last.rating))
    give_or_take = f"±{say.number(round(last.spread))}"
    room = max(sheet.measure(end, bold=True), sheet.measure(give_or_take, size=TEXT - 4))
    right = WIDTH - MARGIN - room - 24
    axes = sheet.axes(MARGIN + 92, _TOP, right, bottom)
    _scales(axes, chart, say)
    _line(axes, chart)
    _seasons(sheet, axes, chart, right)
    low, high = axes.get_ylim()
    y = bottom - (last.rating - low) / (high - low) * _PLOT
    sheet.write(WIDTH - MARGIN, y, end, colour=_STYLE.colour, bold=True, align="right")
    sheet.write(WIDTH - MARGIN, y + 38, give_or_take, size=TEXT - 4, colour=FAINT, align="right")
    _keys(sheet, chart, words, bottom + 112)
    return sheet.png()


def _scales(axes: Axes, chart: RatingChart, say: Say) -> None:
    """Set what the axes span, and where they have numbers and dates."""
    first, last = chart.points[0].at, chart.points[-1].at
    span = max(last - first, timedelta(days=1))
    axes.set_xlim(date2num(first - 0.03 * span), date2num(last + 0.03 * span))
    low = min(point.rating - point.spread for point in chart.points)
    high = max(point.rating + point.spread for point in chart.points)
    space = max(high - low, 1.0)
    axes.set_ylim(low - 0.06 * space, high + 0.06 * space)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], integer=True))
    axes.yaxis.set_major_formatter(numbers(say.number))
    axes.xaxis.set_major_locator(AutoDateLocator(UTC, minticks=2, maxticks=5))
    if span < _SHORT:
        ends = {at.date(): _day(at) for at in (last, first)}
        axes.xaxis.set_major_locator(FixedLocator(list(ends.values())))
    skeleton = "yMMM" if span >= _LONG else "MMMd"

    def written(value: float, _: int) -> str:
        return str(format_skeleton(skeleton, num2date(value), locale=say.language))

    axes.xaxis.set_major_formatter(FuncFormatter(written))


def _line(axes: Axes, chart: RatingChart) -> None:
    """Draw the line of the rating and the band in which it most likely lies."""
    days = [_day(point.at) for point in chart.points]
    ratings = [point.rating for point in chart.points]
    low = [point.rating - point.spread for point in chart.points]
    high = [point.rating + point.spread for point in chart.points]
    width = 0 if len(days) > 1 else points(16)
    axes.fill_between(days, low, high, color=_BAND, linewidth=width, zorder=0.6)
    few = len(days) <= MOST_SIGNS
    axes.add_line(Line2D(days, ratings, **strokes(_STYLE, sign=18 if few else 0), zorder=3))
    axes.add_line(Line2D(days[-1:], ratings[-1:], **strokes(_STYLE, sign=22), zorder=4))


def _day(moment: datetime) -> float:
    """A moment as the number of days with which matplotlib measures time."""
    return float(date2num(moment))


def _seasons(sheet: Sheet, axes: Axes, chart: RatingChart, right: float) -> None:
    """Draw a line where a season begins, with its name above where there is room for it."""
    left, last = axes.get_xlim()
    free = 0.0
    for season in chart.seasons:
        day = _day(season.begins)
        if not left <= day <= last:
            continue
        axes.axvline(day, color=INK, linewidth=1.4, linestyle=(0, (2, 3)), zorder=2)
        x = float(axes.transData.transform((day, 0))[0])
        if free <= x <= right - TEXT:
            room = WIDTH - MARGIN - x
            name = written_name(season.name)
            free = x + 20 + sheet.write(x, _TOP - 24, name, size=TEXT - 4, colour=FAINT, width=room)


def _keys(sheet: Sheet, chart: RatingChart, words: RatingWords, y: float) -> None:
    """Explain the line and the band below the axes."""
    small = TEXT - 3
    sheet.sample(MARGIN, y, _STYLE)
    x = MARGIN + 88.0
    x += sheet.write(x, y, words.rating, size=small) + 40
    patch = Rectangle((x / WIDTH, 1 - (y + 16) / sheet.height), 50 / WIDTH, 32 / sheet.height)
    patch.set(facecolor=_BAND, linewidth=0, transform=sheet.figure.transFigure)
    sheet.figure.add_artist(patch)
    sheet.write(x + 64, y, words.uncertainty, size=small, width=WIDTH - MARGIN - x - 64)
