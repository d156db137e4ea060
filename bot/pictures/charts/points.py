"""Layout of the chart of a match for points: lines, calls, victories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from bot.pictures.charts.chart_parts import (
    BELOW,
    BESIDE,
    CALL,
    CROWN,
    Plot,
    draw_axes,
    draw_call,
    draw_crown,
    draw_victory,
    language_of,
    room_beside,
    written_names,
)
from bot.pictures.charts.scales import Scale, rounds_along, spread, ticks
from bot.pictures.charts.sheet import (
    AXIS,
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
    SIGN,
    STYLES,
    draw_line,
    draw_sample,
    split_into_dashes,
)
from bot.pictures.descriptions import ScoreChart
from bot.pictures.typeface import shorten_distinctly
from bot.pictures.words import ScoreWords
from bot.text import Say

PLOT = 440
"""Height of the axes."""
_SMALLEST = 0.4
"""Minimum scale of the signs of calls, if there are many rounds."""
_SPACE = 26
"""Space between the edges of the axes and the highest and lowest signs."""
_GAP = 14
"""Space between signs and texts."""

Draw = Callable[[Sheet, float, float], None]
"""Function that draws a sign around a point."""


def lay_out_points(chart: ScoreChart) -> Sheet:
    """Lay out the score chart: heading, legend, plot, totals, key."""
    words, say = language_of(chart.language, chart.words)
    keys = list(_rows(_keys(chart, words)))
    across = 2 if len(chart.lines) > 2 and _fit(chart, 2) else 1
    top = HEADING + 40 + ROW * -(-len(chart.lines) // across)
    bottom = top + PLOT
    sheet = Sheet(bottom + BELOW + ROW * (1 + len(keys)) + (56 if keys else 40))
    sheet.write(MARGIN, HEADING, words.score)
    _legend(sheet, chart, across)
    size = _call_size(chart)
    plot = _draw_axes(sheet, chart, say, (top, bottom), size)
    _target(sheet, plot, chart, f"{words.target} {say.number(chart.target or 0)}")
    _lines(sheet, plot, chart, size)
    _calls(sheet, plot, chart, size)
    _totals(sheet, plot, chart, say)
    middle = (plot.left + plot.right) / 2
    sheet.write(middle, bottom + BELOW + ROW, words.round, colour=FAINT, align="centre")
    for number, row in enumerate(keys):
        y = bottom + BELOW + ROW * (2 + number) + 10
        x = float(MARGIN)
        for draw, word, width in row:
            draw(sheet, x + CALL / 2, y)
            sheet.write(x + CALL + _GAP, y, word, width=WIDTH - MARGIN - x - CALL - _GAP)
            x += width
    return sheet


# --- the names ------------------------------------------------------------------------------------


def _name_room(across: int) -> float:
    """Return the width of a name if `across` names are in a row."""
    return (WIDTH - 2 * MARGIN) / across - SAMPLE - CROWN - 3 * _GAP


def _fit(chart: ScoreChart, across: int) -> bool:
    """Return whether all names fit if `across` names are in a row."""
    return all(written_names(line).width <= _name_room(across) for line in chart.lines)


def _legend(sheet: Sheet, chart: ScoreChart, across: int) -> None:
    """Write the names of the lines above the axes."""
    names = [written_names(line) for line in chart.lines]
    names = shorten_distinctly(names, [_name_room(across)] * len(names))
    for number, (line, name) in enumerate(zip(chart.lines, names, strict=True)):
        style = STYLES[number]
        x = MARGIN + (WIDTH - 2 * MARGIN) / across * (number % across)
        y = HEADING + ROW * (1 + number // across) + 4
        draw_sample(sheet, x, y, style)
        x += SAMPLE + _GAP
        x += sheet.write(x, y, name, colour=style.colour) + _GAP
        if line.won:
            draw_crown(sheet, x + CROWN / 2, y, style.colour)


# --- the axes -------------------------------------------------------------------------------------


def _call_size(chart: ScoreChart) -> float:
    """Return the size of the signs of calls: smaller if there are many rounds."""
    step = 0.72 * WIDTH / len(chart.lines[0].values)
    return CALL * min(1.0, max(_SMALLEST, 1.6 * step / CALL))


def _draw_axes(
    sheet: Sheet, chart: ScoreChart, say: Say, edges: tuple[float, float], size: float
) -> Plot:
    """Draw the axes between these upper and lower edges, with space for signs of calls."""
    top, bottom = edges
    rounds = len(chart.lines[0].values)
    values = [0, chart.target or 0, *(value for line in chart.lines for value in line.values)]
    low, high = min(values), max(values)
    if low == high:
        high = 100
    above, below = (
        _SPACE + size * max(0.3, 1.05 * _highest(chart, made)) for made in (True, False)
    )
    most = int((PLOT - above - below) // ROW)
    beside = [(value, say.number(value)) for value in ticks(low, high, max(2, most))]
    ends = max(width_of(say.number(line.values[-1])) for line in chart.lines)
    left, right = MARGIN + room_beside(beside), WIDTH - MARGIN - BESIDE - ends
    across = Scale(0, rounds, left + SIGN / 2, right - CALL / 2 - 6)
    up = Scale(low, high, bottom - below, top + above)
    plot = Plot(left, top, right, bottom, across, up)
    along = rounds_along(0, rounds, right - left, say.number)
    draw_axes(sheet, plot, [(number, say.number(number)) for number in along], beside)
    sheet.stroke(plot.height_line(0), 3, AXIS)
    return plot


def _highest(chart: ScoreChart, made: bool) -> int:
    """Return the maximum number of made or failed calls at one point."""
    calls = Counter((call.line, call.round) for call in chart.bets if call.made == made)
    return max(calls.values(), default=0)


def _target(sheet: Sheet, plot: Plot, chart: ScoreChart, label: str) -> None:
    """Draw the line of the target, if the match has one."""
    if chart.target is None:
        return
    for piece in split_into_dashes(plot.height_line(chart.target), (6, 4), 3):
        sheet.stroke(piece, 3, FAINT)
    sheet.write(plot.left + 10, plot.up.at(chart.target) - 30, label, colour=FAINT)


# --- what happened --------------------------------------------------------------------------------


def _lines(sheet: Sheet, plot: Plot, chart: ScoreChart, size: float) -> None:
    """Draw the lines, winners on top, and victories around their points."""
    for victory in chart.sweeps:
        x, y = plot.at(victory.round, chart.lines[victory.line].values[victory.round - 1])
        draw_victory(sheet, x, y, colour=STYLES[victory.line].colour, size=max(size, 0.8 * CALL))
    for number in sorted(range(len(chart.lines)), key=lambda number: chart.lines[number].won):
        values = (0, *chart.lines[number].values)
        draw_line(sheet, [plot.at(*point) for point in enumerate(values)], STYLES[number])


def _calls(sheet: Sheet, plot: Plot, chart: ScoreChart, size: float) -> None:
    """Draw calls above the points of their rounds if they were made, otherwise below."""
    stacked: Counter[tuple[int, int, bool]] = Counter()
    for call in chart.bets:
        stacked[call.line, call.round, call.made] += 1
        away = size * (1.05 * stacked[call.line, call.round, call.made] + 0.05)
        x, y = plot.at(call.round, chart.lines[call.line].values[call.round - 1])
        draw_call(
            sheet,
            x,
            y - away if call.made else y + away,
            grand=call.grand,
            made=call.made,
            colour=STYLES[call.line].colour,
            size=size,
        )


def _totals(sheet: Sheet, plot: Plot, chart: ScoreChart, say: Say) -> None:
    """Write the final totals beside the ends of the lines."""
    wanted = [plot.up.at(line.values[-1]) for line in chart.lines]
    for number, y in enumerate(spread(wanted, ROW - 10)):
        end = say.number(chart.lines[number].values[-1])
        sheet.write(WIDTH - MARGIN, y, end, colour=STYLES[number].colour, align="right")


# --- the key --------------------------------------------------------------------------------------


def _keys(chart: ScoreChart, words: ScoreWords) -> list[tuple[Draw, str]]:
    """Return the signs in this chart, each with its meaning."""
    meanings = (
        (False, True, words.tichu_made),
        (False, False, words.tichu_failed),
        (True, True, words.grand_made),
        (True, False, words.grand_failed),
    )
    present = {(call.grand, call.made) for call in chart.bets}
    keys: list[tuple[Draw, str]] = [
        (partial(draw_call, grand=grand, made=made, colour=INK, size=CALL), word)
        for grand, made, word in meanings
        if (grand, made) in present
    ]
    if chart.sweeps:
        victory = partial(draw_victory, colour=INK, size=CALL)
        meaning = {2: words.double_victory, 3: words.triple_victory}[chart.sweep_size]
        keys.append((victory, meaning))
    return keys


def _rows(keys: list[tuple[Draw, str]]) -> Iterator[list[tuple[Draw, str, float]]]:
    """Yield the rows of the key, as full as possible; each entry has its width."""
    row: list[tuple[Draw, str, float]] = []
    used = 0.0
    for draw, word in keys:
        width = CALL + _GAP + width_of(word) + 2 * _GAP
        if row and used + width - 2 * _GAP > WIDTH - 2 * MARGIN:
            yield row
            row, used = [], 0.0
        row.append((draw, word, width))
        used += width
    if row:
        yield row
