"""Draws the positions of a trick as a GIF. Only the drawing process imports this module."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from bot.pictures.canvas import BACKGROUND
from bot.pictures.palette import palette
from bot.pictures.replay.layout import layout
from bot.pictures.replay.picture import compose
from bot.pictures.replay.scene import ReplayScene, TrickAnimation

MOST_BYTES = 1_000_000
"""Maximum size of a file."""
WIDTHS = (600, 450, 350)
"""Widths in pixels; the first one with a file that is small enough is used."""
SECONDS, LAST_SECONDS = 1.4, 3.5
"""Display time of each picture and of the last one."""


def draw_animation(animation: TrickAnimation) -> bytes:
    """Return the pictures of the scenes as an endless GIF of at most `MOST_BYTES`."""
    for width in WIDTHS:
        data = _gif(animation.scenes, width)
        if len(data) <= MOST_BYTES:
            return data
    raise ValueError("the animation is too large")


def _gif(scenes: Sequence[ReplayScene], width: int) -> bytes:
    """Return a GIF of this width; lower pictures get dark space at the bottom."""
    height = max(layout(scene).table.height for scene in scenes)
    first, *others = (_frame(compose(scene), width, height) for scene in scenes)
    seconds = [SECONDS] * len(others) + [LAST_SECONDS]
    file = io.BytesIO()
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[round(1000 * time) for time in seconds],
        loop=0,
        optimize=False,
    )
    return file.getvalue()


def _frame(picture: Image.Image, width: int, height: int) -> Image.Image:
    """Return a picture in the size and the colours of the animation."""
    if picture.height < height:
        ground = Image.new("RGB", (picture.width, height), BACKGROUND)
        ground.paste(picture, (0, 0))
        picture = ground
    size = width, width * height // picture.width
    small = picture.resize(size, Image.Resampling.LANCZOS)
    return small.quantize(palette=palette(), dither=Image.Dither.NONE)
