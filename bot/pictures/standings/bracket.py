"""Layout of a bracket: pairs at the left, and lines that join where they meet.

Names are written in the first round only. The thick line of a pair goes as far as it has won.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from bot.pictures.charts.chart_parts import CROWN, draw_crown
from bot.pictures.charts.sheet import AXIS, FAINT, INK, MARGIN, ROW, WIDTH, Points, Sheet, width_of
from bot.pictures.standings.parts import BOTTOM, GOLD, TOP, Pair, fit, write_heading
from bot.pictures.standings.scene import Bracket, Slot, Tree
from bot.pictures.typeface import Colour

_THIN: Final = 3
_THICK: Final = 7
_GAP: Final = 12
"""Space between texts and lines, and between matches of the first round."""
_END: Final = CROWN + 2 * _GAP
"""Length of the winner's line."""
_SHORTEST: Final = 56
"""Least length of a line between two rounds."""


def lay_out_bracket(bracket: Bracket) -> Sheet:
    """Lay out the bracket: heading, tree, and the match for the third place."""
    trees = [bracket.tree, *([bracket.third] if bracket.third else [])]
    totals = [slot.total for tree in trees for slots in tree for slot in slots if slot]
    column = max(_SHORTEST, *map(width_of, totals)) + 2 * _GAP
    end = WIDTH - MARGIN - _END - column * (len(bracket.tree) - 1)
    leaves = [slot.names for tree in trees for slot in tree[0] if slot]
    pairs = iter(fit(leaves, end - MARGIN))
    sheet = Sheet(0)
    write_heading(sheet, bracket.title, bracket.round)
    bottom, crown = _draw_tree(sheet, bracket.tree, pairs, TOP, (end, column))
    winner = bracket.tree[-1][0]
    if winner is not None and winner.outcome == "won":
        draw_crown(sheet, WIDTH - MARGIN - _END / 2, crown - ROW / 2, GOLD)
    if bracket.third:
        sheet.write(MARGIN, bottom + ROW, bracket.third_place, colour=FAINT)
        bottom, _ = _draw_tree(sheet, bracket.third, pairs, bottom + 1.5 * ROW, (end, column))
    sheet.height = round(bottom) + BOTTOM
    return sheet


def _draw_tree(
    sheet: Sheet, tree: Tree, pairs: Iterator[Pair], top: float, columns: tuple[float, float]
) -> tuple[float, float]:
    """Draw a tree below `top`, with the next `pairs`.

    `columns` are the right edge of the names, and the width of each column after it. Return the
    lower edge, and the height of the last line.
    """
    strokes = list[tuple[Points, bool]]()
    (winner,) = tree[-1]
    left, (right, column) = float(MARGIN), columns
    heights = list[float | None]()
    for place, slot in enumerate(tree[0]):
        if slot is None:
            heights.append(None)
            continue
        pair = next(pairs)
        top += _GAP if place % 2 == 0 else 0
        pair.write(sheet, left, top, _colour(slot, winner))
        top += pair.height
        heights.append(top)
    for slots in tree[:-1]:
        right += column
        joined = [
            fmean(height for height in two if height is not None)
            for two in zip(heights[::2], heights[1::2], strict=True)
        ]
        for place, (slot, height) in enumerate(zip(slots, heights, strict=True)):
            if slot is None or height is None:
                continue
            colour, middle = _colour(slot, winner), height - ROW / 2
            sheet.write(right - _GAP, middle, slot.total, colour=colour, align="right")
            line = ((left, height), (right, height), (right, joined[place // 2]))
            strokes.append((line, slot.outcome == "won"))
        left, heights = right, list(joined)
    (end,) = joined
    strokes.append((((left, end), (left + _END, end)), winner is not None and bool(winner.names)))
    for points, won in sorted(strokes, key=lambda stroke: stroke[1]):  # those of winners on top
        sheet.stroke(points, _THICK if won else _THIN, GOLD if won else AXIS)
    return top + _GAP, end


def _colour(slot: Slot, winner: Slot | None) -> Colour:
    """Return the colour of the texts of a slot."""
    if winner is not None and winner.names and slot.names == winner.names:
        return GOLD
    return FAINT if slot.outcome == "lost" else INK
