"""Draws the picture of a table. Only the drawing process imports this module."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.pictures.canvas import (
    BACKGROUND,
    CORNER,
    DIRECTION,
    FELT,
    FELT_EDGE,
    FELT_LINE,
    RIM,
    STRIP,
    WOOD,
    WOOD_EDGE,
    Canvas,
)
from bot.pictures.palette import encode
from bot.pictures.sprites import CHEVRON, polygon, shape, team_emoji
from bot.pictures.table.layout import ARROW, HEADER, WIDTH, Box, layout
from bot.pictures.table.middle import draw_middle
from bot.pictures.table.plates import SIGN, Plates
from bot.pictures.table.scene import TableScene
from bot.pictures.typeface import font_text, shorten

EDGE = 26
"""Space between the texts of the header and the edges of the picture."""


def draw_table(scene: TableScene) -> bytes:
    """Return the picture of a scene as a PNG file."""
    return encode(compose(scene))


def compose(scene: TableScene) -> Image.Image:
    """Draw a scene, not yet with the colours of the palette."""
    where = layout(scene)
    canvas = Canvas(
        _draw_empty_table(where.height, where.felt, where.arrows, scene.clockwise).copy()
    )
    draw_header(canvas, scene)
    Plates(canvas, scene, where).draw()
    draw_middle(canvas, scene, where)
    return canvas.image


@lru_cache(maxsize=6)
def _draw_empty_table(
    height: int, felt: Box, arrows: tuple[Box, ...], clockwise: bool
) -> Image.Image:
    """Draw a table without players and cards."""
    canvas = Canvas(Image.new("RGB", (WIDTH, height), RIM))
    canvas.put(shape(WIDTH - 4, height - 4, CORNER - 2, BACKGROUND), 2, 2)
    canvas.put(shape(WIDTH - 4, 2 * CORNER, CORNER - 2, STRIP), 2, 2)
    canvas.put(shape(WIDTH - 4, HEADER - CORNER, 0, STRIP), 2, CORNER)
    inset = 0
    # From the edge inwards: the wood, the edge of the felt, the felt, the line on it.
    for width, fill, edge, rim in (
        (16, WOOD, WOOD_EDGE, 3),
        (12, FELT_EDGE, WOOD_EDGE, 3),
        (8, FELT, None, 0),
        (0, FELT, FELT_LINE, 2),
    ):
        size = round(felt.width - 2 * inset), round(felt.height - 2 * inset)
        layer = shape(*size, 110 - inset, fill, edge, rim)
        canvas.put(layer, felt.left + inset, felt.top + inset)
        inset += width
    draw_arrows(canvas, arrows, clockwise=clockwise)
    return canvas.image


def draw_arrows(canvas: Canvas, arrows: tuple[Box, ...], *, clockwise: bool) -> None:
    """Draw the arrows that show the direction of play, at the left and at the right."""
    down = polygon(CHEVRON, ARROW, DIRECTION, FELT).rotate(-90)
    up = down.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    for arrow, place in zip((up, down) if clockwise else (down, up), arrows, strict=False):
        canvas.put(arrow, place.left, place.top)


def draw_header(canvas: Canvas, scene: TableScene) -> None:
    """Write round and scores."""
    middle = HEADER / 2
    right = float(WIDTH - EDGE)
    for score in reversed(scene.scores):
        total = font_text(score.total)
        right -= total.width
        canvas.write(total, right, middle)
        if score.team is not None:
            right -= SIGN + 12
            canvas.put(team_emoji(score.team, SIGN), right, middle - SIGN / 2)
        right -= 36
    heading = shorten(font_text(scene.heading), right - EDGE)
    canvas.write(heading, EDGE, middle)
