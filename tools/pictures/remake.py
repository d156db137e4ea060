"""Remakes the pictures for tests and docs: `python -m tools.pictures.remake`.

It writes the reference pictures of the tests and the contact sheet `docs/tables.png`. Look at both
before committing them, because a difference is either intended or a mistake. Development tool.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from bot.pictures.palette import palette
from bot.pictures.table.picture import draw_table
from tests.bot.pictures import references
from tests.bot.pictures.scenes import TABLES, sample

SHEET = Path(__file__).parents[2] / "docs" / "tables.png"
COLUMNS, WIDTH, GAP = 4, 450, 12
PAGES = ("#313338", "#ffffff")
"""Colours of pages: the upper half of the sheet is dark, the lower one light."""


def sheet() -> Image.Image:
    """Return all sample tables, each at half its size, on dark and on light pages."""
    pictures = []
    for name in TABLES:
        with Image.open(io.BytesIO(draw_table(sample(name)))) as file:
            picture = file.convert("RGBA")
        size = WIDTH, picture.height * WIDTH // picture.width
        pictures.append(picture.resize(size, Image.Resampling.LANCZOS))
    rows = [pictures[n : n + COLUMNS] for n in range(0, len(pictures), COLUMNS)]
    heights = [max(picture.height for picture in row) + GAP for row in rows]
    page = Image.new("RGB", (COLUMNS * (WIDTH + GAP) + GAP, sum(heights) + GAP), PAGES[0])
    light = sum(heights[: len(rows) // 2]) + GAP // 2
    page.paste(PAGES[1], (0, light, page.width, page.height))
    top = GAP
    for row, height in zip(rows, heights, strict=True):
        for column, picture in enumerate(row):
            page.paste(picture, (GAP + column * (WIDTH + GAP), top), picture)
        top += height
    return page


def main() -> None:
    """Write all files."""
    references.remake()
    sheet().quantize(palette=palette(), dither=Image.Dither.NONE).save(SHEET, optimize=True)


if __name__ == "__main__":
    main()
