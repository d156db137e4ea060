"""Layout of a table of standings, with its key and, for few pairs, the cross table."""

from __future__ import annotations

from typing import Final

from bot.pictures.charts.chart_parts import CROWN, GRID_LINE, draw_crown
from bot.pictures.charts.sheet import (
    AXIS,
    FAINT,
    GRID,
    INK,
    MARGIN,
    ROW,
    WIDTH,
    Sheet,
    width_of,
)
from bot.pictures.standings.parts import BOTTOM, GOLD, TOP, Pair, fit, write_heading
from bot.pictures.standings.scene import Row, StandingsTable

_GAP: Final = 22
"""Space between columns."""
_CELL: Final = 54
"""Least width of a column of the cross table."""


def lay_out_table(table: StandingsTable) -> Sheet:
    """Lay out the table: heading, rows, key, and the cross table."""
    sheet = Sheet(0)
    write_heading(sheet, table.title, table.round)
    bottom = _draw_rows(sheet, table, TOP)
    if table.more:
        sheet.write(MARGIN, bottom + ROW / 2, table.more, colour=FAINT)
        bottom += ROW
    bottom = _draw_key(sheet, table, bottom)
    if table.rows[0].cells:
        bottom = _draw_cross_table(sheet, table.rows, bottom + ROW / 2)
    sheet.height = round(bottom) + BOTTOM
    return sheet


def _draw_rows(sheet: Sheet, table: StandingsTable, top: float) -> float:
    """Draw the rows; return their lower edge."""
    signs = [column.sign for column in table.columns]
    cells = [signs, *(row.values for row in table.rows)]
    widths = [max(map(width_of, each)) for each in zip(*cells, strict=True)]
    ends = [WIDTH - MARGIN - sum(widths[n:]) - _GAP * len(widths[n:]) for n in range(len(widths))]
    rights = [end + _GAP + width for end, width in zip(ends, widths, strict=True)]
    left = MARGIN + max(CROWN, *(width_of(row.place) for row in table.rows)) + _GAP
    pairs = fit([row.names for row in table.rows], ends[0] - left)
    for sign, right in zip(signs, rights, strict=True):
        sheet.write(right, top + ROW / 2, sign, colour=FAINT, align="right")
    top += ROW
    for row, pair in zip(table.rows, pairs, strict=True):
        middle = top + pair.height / 2
        _draw_line(sheet, top)
        if row.won:
            draw_crown(sheet, MARGIN + CROWN / 2, middle, GOLD)
        else:
            sheet.write(left - _GAP, middle, row.place, colour=FAINT, align="right")
        _write_pair(sheet, pair, row, left, top)
        for value, right, colour in zip(
            row.values, rights, [INK, *[FAINT] * len(rights)], strict=False
        ):
            sheet.write(right, middle, value, colour=colour, align="right")
        top += pair.height
    _draw_line(sheet, top)
    return top


def _draw_line(sheet: Sheet, y: float) -> None:
    sheet.stroke(((MARGIN, y), (WIDTH - MARGIN, y)), GRID_LINE, GRID)


def _write_pair(sheet: Sheet, pair: Pair, row: Row, left: float, top: float) -> None:
    """Write the names of a row, struck through if the pair has withdrawn."""
    before = len(sheet.texts)
    pair.write(sheet, left, top, FAINT if row.withdrawn else INK)
    if row.withdrawn:
        for text in sheet.texts[before:]:
            sheet.stroke(((text.left, text.middle), (text.right, text.middle)), GRID_LINE, AXIS)


def _draw_key(sheet: Sheet, table: StandingsTable, top: float) -> float:
    """Draw the meanings of the headings; return the lower edge."""
    x, middle = float(MARGIN), top + ROW
    for column in table.columns:
        sign_width = width_of(column.sign) + _GAP / 2
        width = sign_width + width_of(column.word)
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, middle = float(MARGIN), middle + ROW
        sheet.write(x, middle, column.sign)
        sheet.write(x + sign_width, middle, column.word, colour=FAINT)
        x += width + 2 * _GAP
    return middle + ROW / 2


def _draw_cross_table(sheet: Sheet, rows: tuple[Row, ...], top: float) -> float:
    """Draw the scores of all pairs against each other; return the lower edge."""
    cell_width = max(_CELL, *(width_of(cell) + 6 for row in rows for cell in row.cells))
    first = WIDTH - MARGIN - cell_width * len(rows)
    left = MARGIN + width_of(str(len(rows))) + _GAP
    pairs = fit([row.names for row in rows], first - left - _GAP)
    for number in range(len(rows)):
        x = first + cell_width * (number + 0.5)
        sheet.write(x, top + ROW / 2, str(number + 1), colour=FAINT, align="centre")
    top += ROW
    for number, (row, pair) in enumerate(zip(rows, pairs, strict=True)):
        _draw_line(sheet, top)
        middle, bottom = top + pair.height / 2, top + pair.height
        sheet.write(left - _GAP, middle, str(number + 1), colour=FAINT, align="right")
        _write_pair(sheet, pair, row, left, top)
        own, end = first + cell_width * number, first + cell_width * (number + 1)
        sheet.area(((own, top), (end, top), (end, bottom), (own, bottom)), GRID)
        for place, cell in enumerate(row.cells):
            sheet.write(first + cell_width * (place + 0.5), middle, cell, align="centre")
        top = bottom
    _draw_line(sheet, top)
    return top
