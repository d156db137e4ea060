"""Parts of all pictures of standings: the heading, and names of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.pictures.charts.sheet import FAINT, HEADING, INK, MARGIN, ROW, Sheet, width_of
from bot.pictures.charts.styles import STYLES
from bot.pictures.descriptions import Name
from bot.pictures.typeface import Colour, FontText, name_text, shorten_distinctly

GOLD: Final = STYLES[1].colour
"""Colour of winners."""
TOP: Final = HEADING + ROW + 40
"""Upper edge of what is below the heading."""
BOTTOM: Final = 36
"""Space at the lower edge."""
_LINE: Final = 46
"""Distance of the two names of a pair, if they are on two lines."""
_AND: Final = "&"
_SPACE: Final = 10
"""Space before and after the ampersand."""


class Pair(NamedTuple):
    """Names of a pair, on one line if they fit, otherwise on two lines."""

    names: Sequence[FontText]
    """Its names, shortened to the width of a line."""
    on_one_line: bool

    @property
    def height(self) -> int:
        """Height of its lines."""
        return ROW if self.on_one_line else ROW + _LINE

    def write(self, sheet: Sheet, x: float, top: float, colour: Colour = INK) -> None:
        """Write the names below `top`, beginning at `x`."""
        middle, left = top + ROW / 2, x
        for number, name in enumerate(self.names):
            if number and self.on_one_line:
                left += sheet.write(left + _SPACE, middle, _AND, colour=FAINT) + 2 * _SPACE
            elif number:
                middle += _LINE
            left += sheet.write(left if self.on_one_line else x, middle, name, colour=colour)


def fit(pairs: Sequence[tuple[Name, ...]], width: float) -> list[Pair]:
    """Shorten the names of pairs to a width, as little as possible."""
    texts = [[name_text(name) for name in pair] for pair in pairs]
    flat = [text for pair in texts for text in pair]
    short = iter(shorten_distinctly(flat, [width] * len(flat)))
    between = width_of(_AND) + 2 * _SPACE
    return [
        Pair(
            [next(short) for _ in pair],
            len(pair) == 1 or sum(text.width for text in pair) + between <= width,
        )
        for pair in texts
    ]


def write_heading(sheet: Sheet, title: Name, round_name: str) -> None:
    """Write the title of the tournament, and the round below it."""
    sheet.write(MARGIN, HEADING, name_text(title))
    sheet.write(MARGIN, HEADING + ROW, round_name, colour=FAINT)
