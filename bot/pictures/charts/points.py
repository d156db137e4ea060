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
    label_width,
    names_text,
    words_and_say,
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
    MARKER,
    SAMPLE,
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
"""Height of the plot."""
_SMALLEST_CALL = 0.4
"""Minimum scale of the symbols of calls, which are smaller if there are many rounds."""
_SPACE = 26
"""Space between the edges of the plot and the highest and lowest symbols."""
_GAP = 14
"""Space between symbols and texts."""

Draw = Callable[[Sheet, float, float], None]
"""Function that draws a symbol around a point."""


def lay_out_points(chart: ScoreChart) -> Sheet:
    """Lay out the score chart: heading, legend of names, plot, totals, key of symbols."""
    words, say = words_and_say(chart.language, chart.words)
    key_rows = list(_key_rows(_key_entries(chart, words)))
    columns = 2 if len(chart.lines) > 2 and _names_fit(chart, 2) else 1
    top = HEADING + 40 + ROW * -(-len(chart.lines) // columns)  # rounded up
    bottom = top + PLOT
    sheet = Sheet(bottom + BELOW + ROW * (1 + len(key_rows)) + (56 if key_rows else 40))
    sheet.write(MARGIN, HEADING, words.score)
    _draw_legend(sheet, chart, columns)
    size = _call_size(chart)
    plot = _draw_axes(sheet, chart, say, (top, bottom), size)
    _draw_target(sheet, plot, chart, f"{words.target} {say.number(chart.target or 0)}")
    _draw_lines(sheet, plot, chart, size)
    _draw_calls(sheet, plot, chart, size)
    _draw_totals(sheet, plot, chart, say)
    middle = (plot.left + plot.right) / 2
    sheet.write(middle, bottom + BELOW + ROW, words.round, colour=FAINT, align="centre")
    for index, row in enumerate(key_rows):
        y = bottom + BELOW + ROW * (2 + index) + 10
        x = float(MARGIN)
        for draw, word, width in row:
            draw(sheet, x + CALL / 2, y)
            sheet.write(x + CALL + _GAP, y, word, width=WIDTH - MARGIN - x - CALL - _GAP)
            x += width
    return sheet


# --- the names ------------------------------------------------------------------------------------


def _name_width(columns: int) -> float:
    """Return the maximum width of a name in a legend with this number of columns."""
    return (WIDTH - 2 * MARGIN) / columns - SAMPLE - CROWN - 3 * _GAP


def _names_fit(chart: ScoreChart, columns: int) -> bool:
    """Return whether all names fit into a legend with this number of columns."""
    return all(names_text(line).width <= _name_width(columns) for line in chart.lines)


def _draw_legend(sheet: Sheet, chart: ScoreChart, columns: int) -> None:
    """Write the names of the lines above the plot, in this number of columns."""
    names = [names_text(line) for line in chart.lines]
    names = shorten_distinctly(names, [_name_width(columns)] * len(names))
    for index, (line, name) in enumerate(zip(chart.lines, names, strict=True)):
        style = STYLES[index]
        x = MARGIN + (WIDTH - 2 * MARGIN) / columns * (index % columns)
        y = HEADING + ROW * (1 + index // columns) + 4
        draw_sample(sheet, x, y, style)
        x += SAMPLE + _GAP
        x += sheet.write(x, y, name, colour=style.colour) + _GAP
        if line.won:
            draw_crown(sheet, x + CROWN / 2, y, style.colour)


# --- the axes -------------------------------------------------------------------------------------


def _call_size(chart: ScoreChart) -> float:
    """Return the size of the symbols of calls, which is smaller if there are many rounds."""
    round_width = 0.72 * WIDTH / len(chart.lines[0].values)  # the plot has about 0.72 of the width
    return CALL * min(1.0, max(_SMALLEST_CALL, 1.6 * round_width / CALL))


def _draw_axes(
    sheet: Sheet, chart: ScoreChart, say: Say, edges: tuple[float, float], size: float
) -> Plot:
    """Draw the axes between the upper and the lower edge, with space for symbols of calls."""
    top, bottom = edges
    rounds = len(chart.lines[0].values)
    values = [0, chart.target or 0, *(value for line in chart.lines for value in line.values)]
    low, high = min(values), max(values)
    if low == high:
        high = 100
    # Made calls are stacked above the lines, failed ones below them (see `_draw_calls`).
    above, below = (
        _SPACE + size * max(0.3, 1.05 * _most_calls_at_a_point(chart, made))
        for made in (True, False)
    )
    most_ticks = int((PLOT - above - below) // ROW)
    beside = [(value, say.number(value)) for value in ticks(low, high, max(2, most_ticks))]
    totals_width = max(width_of(say.number(line.values[-1])) for line in chart.lines)
    left, right = MARGIN + label_width(beside), WIDTH - MARGIN - BESIDE - totals_width
    across = Scale(0, rounds, left + MARKER / 2, right - CALL / 2 - 6)
    up = Scale(low, high, bottom - below, top + above)
    plot = Plot(left, top, right, bottom, across, up)
    rounds_to_label = rounds_along(0, rounds, right - left, say.number)
    draw_axes(sheet, plot, [(number, say.number(number)) for number in rounds_to_label], beside)
    sheet.stroke(plot.height_line(0), 3, AXIS)
    return plot


def _most_calls_at_a_point(chart: ScoreChart, made: bool) -> int:
    """Return the largest number of calls, made or failed, to draw at one point."""
    calls = Counter((call.line, call.round) for call in chart.bets if call.made == made)
    return max(calls.values(), default=0)


def _draw_target(sheet: Sheet, plot: Plot, chart: ScoreChart, label: str) -> None:
    """Draw a dashed line at the target of the match, if it has one."""
    if chart.target is None:
        return
    for dash in split_into_dashes(plot.height_line(chart.target), (6, 4), 3):
        sheet.stroke(dash, 3, FAINT)
    sheet.write(plot.left + 10, plot.up.at(chart.target) - 30, label, colour=FAINT)


# --- the plot -------------------------------------------------------------------------------------


def _draw_lines(sheet: Sheet, plot: Plot, chart: ScoreChart, size: float) -> None:
    """Draw the symbols of double and triple victories, and over them the lines, winners last."""
    for victory in chart.sweeps:
        x, y = plot.at(victory.round, chart.lines[victory.line].values[victory.round - 1])
        draw_victory(sheet, x, y, colour=STYLES[victory.line].colour, size=max(size, 0.8 * CALL))
    for index in sorted(range(len(chart.lines)), key=lambda index: chart.lines[index].won):
        values = (0, *chart.lines[index].values)
        draw_line(sheet, [plot.at(*point) for point in enumerate(values)], STYLES[index])


def _draw_calls(sheet: Sheet, plot: Plot, chart: ScoreChart, size: float) -> None:
    """Draw made calls above the point of their round, and failed ones below it."""
    drawn: Counter[tuple[int, int, bool]] = Counter()
    for call in chart.bets:
        drawn[call.line, call.round, call.made] += 1
        distance = size * (1.05 * drawn[call.line, call.round, call.made] + 0.05)
        x, y = plot.at(call.round, chart.lines[call.line].values[call.round - 1])
        draw_call(
            sheet,
            x,
            y - distance if call.made else y + distance,
            grand=call.grand,
            made=call.made,
            colour=STYLES[call.line].colour,
            size=size,
        )


def _draw_totals(sheet: Sheet, plot: Plot, chart: ScoreChart, say: Say) -> None:
    """Write the final totals beside the ends of the lines."""
    heights = [plot.up.at(line.values[-1]) for line in chart.lines]
    for index, y in enumerate(spread(heights, ROW - 10)):
        total = say.number(chart.lines[index].values[-1])
        sheet.write(WIDTH - MARGIN, y, total, colour=STYLES[index].colour, align="right")


# --- the key --------------------------------------------------------------------------------------


def _key_entries(chart: ScoreChart, words: ScoreWords) -> list[tuple[Draw, str]]:
    """Return the entries of the key: each symbol in this chart, with its meaning."""
    meanings = (
        (False, True, words.tichu_made),
        (False, False, words.tichu_failed),
        (True, True, words.grand_made),
        (True, False, words.grand_failed),
    )
    present = {(call.grand, call.made) for call in chart.bets}
    entries: list[tuple[Draw, str]] = [
        (partial(draw_call, grand=grand, made=made, colour=INK, size=CALL), word)
        for grand, made, word in meanings
        if (grand, made) in present
    ]
    if chart.sweeps:
        victory = partial(draw_victory, colour=INK, size=CALL)
        meaning = {2: words.double_victory, 3: words.triple_victory}[chart.sweep_size]
        entries.append((victory, meaning))
    return entries


def _key_rows(entries: list[tuple[Draw, str]]) -> Iterator[list[tuple[Draw, str, float]]]:
    """Break the key into rows; yield each row with the widths of its entries."""
    row: list[tuple[Draw, str, float]] = []
    row_width = 0.0
    for draw, word in entries:
        width = CALL + _GAP + width_of(word) + 2 * _GAP
        if row and row_width + width - 2 * _GAP > WIDTH - 2 * MARGIN:
            yield row
            row, row_width = [], 0.0
        row.append((draw, word, width))
        row_width += width
    if row:
        yield row
