"""Signs for what happened in a round: calls that were made or failed, victories; and the crown.

A call that was made is a disc, one that failed a struck square, and a double or triple victory is a
diamond. Calls differ by their letter as well. The colour only tells whose a sign is.
"""

from __future__ import annotations

from bot.pictures.charts.sheet import PAPER, Call, Sheet
from bot.pictures.charts.styles import DIAMOND, placed
from bot.pictures.sprites import CROWN as CROWN_SHAPE
from bot.pictures.typeface import Colour

CALL = 50
"""The full size of the sign of a call: its letter is then as large as the others."""
CROWN = 40
"""The width of the crown of a winner."""
EDGE = 4
"""The width of the edges of signs."""


def draw_call(
    sheet: Sheet, x: float, y: float, *, grand: bool, made: bool, colour: Colour, size: float
) -> None:
    """Draw a call around a point: T or G on a disc if it was made, in a struck square if not."""
    sheet.calls.append(Call(x, y, size, grand, made, colour))


def draw_victory(sheet: Sheet, x: float, y: float, *, colour: Colour, size: float) -> None:
    """Draw a double or triple victory: a diamond around a point."""
    sheet.area(placed(DIAMOND, x, y, size / 2), colour)
    sheet.area(placed(DIAMOND, x, y, size / 2 - EDGE), PAPER)


def draw_crown(sheet: Sheet, x: float, y: float, colour: Colour) -> None:
    """Draw the sign of a winner around a point."""
    scale = CROWN / 100
    sheet.area([(x + (a - 50) * scale, y + (b - 50) * scale) for a, b in CROWN_SHAPE], colour)
