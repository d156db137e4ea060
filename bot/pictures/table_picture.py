"""Draws the picture of a table. Only the drawing process imports this and what it needs."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.pictures.easel import (
    BACKGROUND,
    FELT,
    FELT_LINE,
    STRIP,
    WOOD,
    WOOD_EDGE,
    Easel,
)
from bot.pictures.middle import draw_middle
from bot.pictures.palette import encoded
from bot.pictures.plates import SIGN, Plates
from bot.pictures.scene import TableScene
from bot.pictures.sprites import team_sign
from bot.pictures.table_layout import HEADER, WIDTH, Box, layout
from bot.pictures.typeface import shortened, written

EDGE = 26
"""The space between the header's texts and the edges of the picture."""


def draw_table(scene: TableScene) -> bytes:
    """The picture of a scene as a file."""
    return encoded(compose(scene))


def compose(scene: TableScene) -> Image.Image:
    """The picture of a scene in all colours."""
    where = layout(scene)
    easel = Easel(_empty(where.height, where.felt).copy())
    _header(easel, scene)
    Plates(easel, scene, where).draw()
    draw_middle(easel, scene, where)
    return easel.image


@lru_cache(maxsize=16)
def _empty(height: int, felt: Box) -> Image.Image:
    """A table without anything on it."""
    easel = Easel(Image.new("RGB", (WIDTH, height), BACKGROUND))
    easel.image.paste(STRIP, (0, 0, WIDTH, HEADER))
    for inset, fill, edge, rim in ((0, WOOD, WOOD_EDGE, 3), (16, FELT, WOOD_EDGE, 3)):
        easel.slab(
            felt.left + inset,
            felt.top + inset,
            felt.width - 2 * inset,
            felt.height - 2 * inset,
            radius=110 - inset,
            fill=fill,
            edge=edge,
            rim=rim,
        )
    easel.slab(
        felt.left + 30, felt.top + 30, felt.width - 60, felt.height - 60,
        radius=80, fill=FELT, edge=FELT_LINE, rim=2,
    )  # fmt: skip
    return easel.image


def _header(easel: Easel, scene: TableScene) -> None:
    """Write round and scores."""
    middle = HEADER / 2
    right = float(WIDTH - EDGE)
    for score in reversed(scene.scores):
        total = written(score.total)
        right -= total.width
        easel.write(total, right, middle)
        if score.team is not None:
            right -= SIGN + 12
            easel.put(team_sign(score.team, SIGN), right, middle - SIGN / 2)
        right -= 36
    heading = shortened(written(scene.heading), right - EDGE)
    easel.write(heading, EDGE, middle)
