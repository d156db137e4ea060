"""Parts shared by charts: axes, dates, signs of calls and victories, names."""

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
from bot.pictures.typeface import Colour, Written, written, written_name
from bot.text import SOURCE, Say, speech

BESIDE = 16
"""Space between the axes and the texts left or right of them."""
BELOW = 36
"""Distance from the lower edge of the axes to the middle of the numbers below."""
GRID_LINE = 2
"""Width of a grid line."""

Mark = tuple[float, str]
"""Value on an axis, and its label."""


class Plot(NamedTuple):
    """Area of a sheet between the axes."""

    left: float
    top: float
    right: float
    bottom: float
    across: Scale
    up: Scale

    def at(self, x: float, y: float) -> Point:
        """Return the point of a pair of values."""
        return self.across.at(x), self.up.at(y)

    def height_line(self, value: float) -> tuple[Point, Point]:
        """Return the line from edge to edge at this height."""
        y = self.up.at(value)
        return (self.left, y), (self.right, y)


def room_beside(marks: Iterable[Mark]) -> float:
    """Return the width of the labels on the left of the axes."""
    return max(width_of(text) for _, text in marks) + BESIDE


def draw_axes(sheet: Sheet, plot: Plot, below: Iterable[Mark], beside: Iterable[Mark]) -> None:
    """Draw the grid, and the labels below and on the left."""
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
"""Time on the axis, and the date written there."""


def dates_along(
    first: datetime, last: datetime, language: str, fit: Callable[[list[Date]], bool]
) -> list[Date]:
    """Return as many round dates as `fit`, at least two; else the first and last day."""
    skeleton = "yMMM" if last - first >= LONG else "MMMd"

    def dated(moments: list[datetime]) -> list[Date]:
        return [(at, str(format_skeleton(skeleton, at, locale=language))) for at in moments]

    first, last = first.astimezone(UTC), last.astimezone(UTC)
    ends = dated([first, last] if first.date() != last.date() else [last])
    if last - first < SHORT:
        return ends
    for moments in _choices(first, last):
        dates = dated(moments)
        if len(dates) > 1 and fit(dates):
            return dates
    return ends


def _choices(first: datetime, last: datetime) -> Iterator[list[datetime]]:
    """Yield the days, weeks, months and years in a range, in growing steps."""
    if last - first < LONG:
        midnight = datetime(first.year, first.month, first.day, tzinfo=UTC) + timedelta(days=1)
        days = (last - midnight).days + 1
        for step in (1, 2, 3, 7, 14):
            yield [midnight + timedelta(days=number) for number in range(0, days, step)]
    months = [
        datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        for number in range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    ]
    months = [month for month in months if first <= month <= last]
    for step in (1, 2, 3, 6, 12, 24, 60, 120, 240):
        yield [month for month in months if (12 * month.year + month.month - 1) % step == 0]


CALL = 50
"""Size of the sign of a call, whose letter is then as large as other text."""
CROWN = 40
"""Width of the crown of a winner."""
EDGE = 4
"""Width of the edges of signs."""


def draw_call(
    sheet: Sheet, x: float, y: float, *, grand: bool, made: bool, colour: Colour, size: float
) -> None:
    """Draw a call around a point: T or G on a disc if it was made, in a struck square if not."""
    sheet.calls.append(Call(x, y, size, grand, made, colour))


def draw_victory(sheet: Sheet, x: float, y: float, *, colour: Colour, size: float) -> None:
    """Draw a double or triple victory: a diamond around a point."""
    sheet.area(place_shape(DIAMOND, x, y, size / 2), colour)
    sheet.area(place_shape(DIAMOND, x, y, size / 2 - EDGE), PAPER)


def draw_crown(sheet: Sheet, x: float, y: float, colour: Colour) -> None:
    """Draw the sign of a winner around a point."""
    scale = CROWN / 100
    sheet.area([(x + (a - 50) * scale, y + (b - 50) * scale) for a, b in CROWN_SHAPE], colour)


_DIGITS = 1234567890
"""Number with all digits, to test whether the fonts have those of a language."""


def written_names(line: Line) -> Written:
    """Return the names of all players of a line."""
    return written(" & ".join(written_name(name).text for name in line.names))


def language_of(language: str, words: BaseModel) -> tuple[Any, Say]:
    """Return the words of a picture, and a `Say` that formats its numbers and dates.

    Both are English if the fonts lack characters of this language. The `Say` has no translations,
    because the words are translated already.
    """
    say = Say(language, NullTranslations())
    if all(map(_complete, [*words.model_dump().values(), say.number(_DIGITS)])):
        return words, say
    english = speech(SOURCE)
    return type(words).of(english), english  # type: ignore[attr-defined]


def _complete(text: str) -> bool:
    """Return whether the fonts can write the whole text."""
    return written(text).text == plain(text)
