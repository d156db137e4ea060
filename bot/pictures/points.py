"""Draws the picture of a match for points: a line for each team or player, calls, victories."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from bot.pictures.descriptions import ScoreChart
from bot.pictures.lettering import language_of, written_names
from bot.pictures.sheet import (
    AXIS,
    FAINT,
    HEADING,
    MARGIN,
    STYLES,
    TEXT,
    WIDTH,
    Sheet,
    numbers,
    rounds_along,
    spread,
    strokes,
)
from bot.pictures.signs import SIZE, Draw, bet, shifted, sweep
from bot.pictures.words import ScoreWords
from bot.text import Say

ROW = 50
"""The height of a row of names or of keys."""
_PLOT = 560
"""The height of the axes."""
_CROWN = " ♛"
"""What stands behind the names of winners."""
_CROWDED = 20
"""The number of rounds up to which signs have their full size."""


def draw_points(chart: ScoreChart) -> bytes:
    """The picture as a PNG file."""
    words, say = language_of(chart.language, chart.words)
    rows = -(-len(chart.lines) // _across(chart))
    keys = _keys(chart, words)
    top = 112 + ROW * rows
    bottom = top + _PLOT
    sheet = Sheet(bottom + 110 + ROW * len(_flow(Sheet(1), keys)))
    sheet.write(MARGIN, 54, words.score, size=HEADING, bold=True, width=WIDTH - 2 * MARGIN)
    _legend(sheet, chart)
    ends = [say.number(line.values[-1]) for line in chart.lines]
    room = max(sheet.measure(end, bold=True) for end in ends)
    axes = sheet.axes(MARGIN + 92, top, WIDTH - MARGIN - room - 24, bottom)
    _scales(axes, chart, say)
    _lines(axes, chart)
    _calls_and_victories(axes, chart)
    _totals(sheet, axes, chart, ends, (top, bottom))
    _target(axes, chart, words, say, sheet)
    sheet.write(WIDTH / 2, bottom + 66, words.round, size=TEXT - 3, colour=FAINT, align="center")
    for number, row in enumerate(_flow(sheet, keys)):
        x = float(MARGIN)
        for draw, word, width in row:
            y = bottom + 118 + ROW * number
            sheet.sign(x + SIZE / 2, y, draw)
            sheet.write(x + SIZE + 14, y, word, size=TEXT - 3, width=WIDTH - x - SIZE - MARGIN)
            x += width
    return sheet.png()


def _across(chart: ScoreChart) -> int:
    """The number of names in a row of the legend: one for two teams, whose names are long."""
    return 1 if len(chart.lines) == 2 else 2


def _legend(sheet: Sheet, chart: ScoreChart) -> None:
    """Write the names of the lines above the axes."""
    across = _across(chart)
    width = (WIDTH - 2 * MARGIN) / across
    for number, line in enumerate(chart.lines):
        x = MARGIN + width * (number % across)
        y = 112 + ROW * (number // across)
        style = STYLES[number]
        sheet.sample(x, y, style)
        crown = sheet.measure(_CROWN, bold=True) if line.won else 0.0
        room = width - 94 - crown - 16
        names = written_names(line)
        used = sheet.write(x + 94, y, names, colour=style.colour, bold=line.won, width=room)
        if line.won:
            sheet.write(x + 94 + used, y, _CROWN, colour=style.colour, bold=True)


def _scales(axes: Axes, chart: ScoreChart, say: Say) -> None:
    """Set what the axes span, and where they have numbers."""
    rounds = len(chart.lines[0].values)
    shown = [0, chart.target or 0, *(value for line in chart.lines for value in line.values)]
    low, high = min(shown), max(shown)
    space = (high - low) or 100
    axes.set_ylim(low - 0.15 * space, high + 0.15 * space)
    axes.set_xlim(-0.015 * rounds, rounds * 1.025)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10], integer=True))
    rounds_along(axes, 0, rounds, say.number)
    axes.yaxis.set_major_formatter(numbers(say.number))
    axes.axhline(0, color=AXIS, linewidth=1.2, zorder=1)


def _lines(axes: Axes, chart: ScoreChart) -> None:
    """Draw the line of each team or player."""
    rounds = len(chart.lines[0].values)
    for number, line in enumerate(chart.lines):
        look = strokes(STYLES[number], sign=18, values=rounds + 1)
        values = (0, *line.values)
        axes.add_line(Line2D(range(rounds + 1), values, **look, zorder=3 + line.won / 2))


def _scale(rounds: int) -> float:
    """The factor by which signs are smaller when there are many rounds."""
    return min(1.0, max(0.4, _CROWDED / rounds))


def _calls_and_victories(axes: Axes, chart: ScoreChart) -> None:
    """Draw victories around their points, calls above them if made and below if failed."""
    size = SIZE * _scale(len(chart.lines[0].values))
    around = max(size, 0.8 * SIZE)
    for victory in chart.sweeps:
        y = chart.lines[victory.line].values[victory.round - 1]
        colour = STYLES[victory.line].colour
        sweep(axes.add_artist, axes.transData, victory.round, y, colour=colour, size=around)
    stacked: dict[tuple[int, int, bool], int] = {}
    for call in chart.bets:
        key = call.line, call.round, call.made
        stacked[key] = stacked.get(key, 0) + 1
        away = size * (0.05 + 1.05 * stacked[key])
        at = shifted(axes.transData, away if call.made else -away)
        y = chart.lines[call.line].values[call.round - 1]
        bet(
            axes.add_artist,
            at,
            call.round,
            y,
            grand=call.grand,
            made=call.made,
            colour=STYLES[call.line].colour,
            size=size,
        )


def _totals(
    sheet: Sheet, axes: Axes, chart: ScoreChart, ends: list[str], edges: tuple[float, float]
) -> None:
    """Write the final totals beside the ends of the lines."""
    top, bottom = edges
    low, high = axes.get_ylim()
    wanted = [
        bottom - (line.values[-1] - low) / (high - low) * (bottom - top) for line in chart.lines
    ]
    for number, y in enumerate(spread(wanted, TEXT + 8)):
        colour = STYLES[number].colour
        sheet.write(WIDTH - MARGIN, y, ends[number], colour=colour, bold=True, align="right")


def _target(axes: Axes, chart: ScoreChart, words: ScoreWords, say: Say, sheet: Sheet) -> None:
    """Draw the line at the target, if the match has one."""
    if chart.target is None:
        return
    axes.axhline(chart.target, color=FAINT, linewidth=1.4, linestyle=(0, (6, 4)), zorder=1.5)
    x, y = axes.transData.transform((0, chart.target))
    label = f"{words.target} {say.number(chart.target)}"
    sheet.write(float(x) + 8, sheet.height - float(y) - 24, label, size=TEXT - 4, colour=FAINT)


Key = tuple[Draw, str, float]
"""An entry of the key: what draws the sign, its meaning, and the width of both."""


def _keys(chart: ScoreChart, words: ScoreWords) -> list[tuple[Draw, str]]:
    """The signs that occur in this picture, each with its meaning."""
    meanings = (
        (False, True, words.tichu_made),
        (False, False, words.tichu_failed),
        (True, True, words.grand_made),
        (True, False, words.grand_failed),
    )
    present = {(call.grand, call.made) for call in chart.bets}
    keys: list[tuple[Draw, str]] = [
        (partial(bet, grand=grand, made=made), word)
        for grand, made, word in meanings
        if (grand, made) in present
    ]
    if chart.sweeps:
        keys.append((sweep, words.triple_victory if chart.triple else words.double_victory))
    return keys


def _flow(sheet: Sheet, keys: list[tuple[Draw, str]]) -> list[list[Key]]:
    """The entries of the key in rows, with as many in a row as fit."""
    rows: list[list[Key]] = []
    room = 0.0
    for draw, word in keys:
        width = SIZE + 14 + sheet.measure(word, size=TEXT - 3) + 44
        if not rows or room < width - 44:
            rows.append([])
            room = WIDTH - 2.0 * MARGIN
        rows[-1].append((draw, word, width))
        room -= width
    return rows
