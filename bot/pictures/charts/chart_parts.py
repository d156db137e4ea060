"""Parts shared by charts: axes, dates, symbols of calls and victories, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from gettext import NullTranslations
from typing import Any, NamedTuple

from babel.dates import format_skeleton
from pydantic import BaseModel

from bot.pictures.charts.scales import Scale
from bot.pictures.charts.sheet import FAINT, GRID, PAPER, Call, Point, Sheet, width_of
from bot.pictures.charts.styles import DIAMOND, place_shape
from bot.pictures.descriptions import Line
from bot.pictures.letters import plain
from bot.pictures.sprites import CROWN as CROWN_SHAPE
from bot.pictures.typeface import Colour, FontText, font_text, name_text
from bot.text import SOURCE, Say, speech

BESIDE = 16
"""Space between the plot and the texts left or right of it."""
BELOW = 36
"""Distance from the lower edge of the plot to the middle of the numbers below."""
GRID_LINE = 2
"""Width of a grid line."""

Mark = tuple[float, str]
"""Value on an axis, and its label."""


class Plot(NamedTuple):
    """Area of a sheet that the lines are drawn in, with the scales of its axes."""

    left: float
    top: float
    right: float
    bottom: float
    across: Scale
    up: Scale

    def at(self, x: float, y: float) -> Point:
        """Return the position of a pair of values on the sheet."""
        return self.across.at(x), self.up.at(y)

    def height_line(self, value: float) -> tuple[Point, Point]:
        """Return the horizontal line through the plot at a value of the vertical axis."""
        y = self.up.at(value)
        return (self.left, y), (self.right, y)


def label_width(marks: Iterable[Mark]) -> float:
    """Return the space that the labels on the left of the plot need."""
    return max(width_of(text) for _, text in marks) + BESIDE


def draw_axes(sheet: Sheet, plot: Plot, below: Iterable[Mark], beside: Iterable[Mark]) -> None:
    """Draw a grid line for each mark, with its label below or on the left."""
    for value, text in below:
        x = plot.across.at(value)
        sheet.stroke(((x, plot.top), (x, plot.bottom)), GRID_LINE, GRID)
        sheet.write(x, plot.bottom + BELOW, text, colour=FAINT, align="centre")
    for value, text in beside:
        sheet.stroke(plot.height_line(value), GRID_LINE, GRID)
        sheet.write(plot.left - BESIDE, plot.up.at(value), text, colour=FAINT, align="right")


SHORT = timedelta(days=6)
"""Time span below which an axis has only the first and the last day."""
LONG = timedelta(days=150)
"""Time span from which an axis has months instead of days."""

Date = tuple[datetime, str]
"""Time on an axis, and the date to write there."""


def dates_along(
    first: datetime, last: datetime, language: str, fit: Callable[[list[Date]], bool]
) -> list[Date]:
    """Return dates to write along an axis of times, as many as `fit` accepts.

    They are at equal steps of days, weeks, months or years. If not even two fit, return the first
    and the last day.
    """
    skeleton = "yMMM" if last - first >= LONG else "MMMd"

    def with_labels(moments: list[datetime]) -> list[Date]:
        return [(at, str(format_skeleton(skeleton, at, locale=language))) for at in moments]

    first, last = first.astimezone(UTC), last.astimezone(UTC)
    ends = with_labels([first, last] if first.date() != last.date() else [last])
    if last - first < SHORT:
        return ends
    for moments in _tick_dates(first, last):
        dates = with_labels(moments)
        if len(dates) > 1 and fit(dates):
            return dates
    return ends


def _tick_dates(first: datetime, last: datetime) -> Iterator[list[datetime]]:
    """Yield lists of dates in a range, from steps of one day or month up to many years."""
    if last - first < LONG:
        midnight = datetime(first.year, first.month, first.day, tzinfo=UTC) + timedelta(days=1)
        days = (last - midnight).days + 1
        for step in (1, 2, 3, 7, 14):
            yield [midnight + timedelta(days=index) for index in range(0, days, step)]
    # Months are counted from the year 0.
    months = [
        datetime(index // 12, index % 12 + 1, 1, tzinfo=UTC)
        for index in range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    ]
    months = [month for month in months if first <= month <= last]
    for step in (1, 2, 3, 6, 12, 24, 60, 120, 240):
        yield [month for month in months if (12 * month.year + month.month - 1) % step == 0]


CALL = 50
"""Size of the symbol of a call, whose letter is then as large as other text."""
CROWN = 40
"""Width of the crown of a winner."""
EDGE = 4
"""Width of the edges of symbols."""


def draw_call(
    sheet: Sheet, x: float, y: float, *, grand: bool, made: bool, colour: Colour, size: float
) -> None:
    """Draw the symbol of a call around a point; `sheet_picture` has its shape."""
    sheet.calls.append(Call(x, y, size, grand, made, colour))


def draw_victory(sheet: Sheet, x: float, y: float, *, colour: Colour, size: float) -> None:
    """Draw the symbol of a double or triple victory around a point: a diamond."""
    sheet.area(place_shape(DIAMOND, x, y, size / 2), colour)
    sheet.area(place_shape(DIAMOND, x, y, size / 2 - EDGE), PAPER)


def draw_crown(sheet: Sheet, x: float, y: float, colour: Colour) -> None:
    """Draw the crown of a winner around a point."""
    scale = CROWN / 100
    sheet.area(
        [
            (x + (shape_x - 50) * scale, y + (shape_y - 50) * scale)
            for shape_x, shape_y in CROWN_SHAPE
        ],
        colour,
    )


_ALL_DIGITS = 1234567890
"""Number with all digits, to check whether the fonts have the digits of a language."""


def names_text(line: Line) -> FontText:
    """Return the names of all players of a line."""
    return font_text(" & ".join(name_text(name).text for name in line.names))


def words_and_say(language: str, words: BaseModel) -> tuple[Any, Say]:
    """Return the words of a chart, and a `Say` that formats its numbers and dates.

    If the fonts lack characters of the language, both are in English. The `Say` has no
    translations, because the words are translated already.
    """
    say = Say(language, NullTranslations())
    if all(map(_is_displayable, [*words.model_dump().values(), say.number(_ALL_DIGITS)])):
        return words, say
    english = speech(SOURCE)
    return type(words).of(english), english  # type: ignore[attr-defined]


def _is_displayable(text: str) -> bool:
    """Return whether the fonts have all letters of a text."""
    return font_text(text).text == plain(text)
