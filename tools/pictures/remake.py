"""Remakes the pictures for tests and docs: `python -m tools.pictures.remake`.

It writes the reference pictures of the tests and the contact sheets `docs/tables.png`,
`docs/hands.png` and `docs/replays.png`. Look at them before committing them, because a difference
is either intended or a mistake. Development tool.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from bot.pictures.hand.picture import draw_hand
from bot.pictures.palette import palette
from bot.pictures.replay.picture import draw_replay
from bot.pictures.table.picture import draw_table
from tests.bot.pictures import references
from tests.bot.pictures.hands import hand
from tests.bot.pictures.replays import replay
from tests.bot.pictures.scenes import TABLES, sample

DOCS = Path(__file__).parents[2] / "docs"
COLUMNS, WIDTH, GAP = 4, 450, 12
HANDS = ("turn-4", "dealer-3", "turn-12", "lead-4", "alone-4", "straight-4", "turn-6", "bomb-4")
"""The hands on their sheet."""
REPLAYS = ("trick-4", "seat-4", "end-4", "trick-6")
"""The replays on their sheet."""
PAGES = ("#313338", "#ffffff")
"""Colours of pages: the upper half of the sheet is dark, the lower one light."""


def sheet(files: Iterable[bytes]) -> Image.Image:
    """Return these pictures, each at half its size, on dark and on light pages."""
    pictures = []
    for data in files:
        with Image.open(io.BytesIO(data)) as file:
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
    tables = [draw_table(sample(name)) for name in TABLES]
    hands = [draw_hand(hand(name)) for name in HANDS]
    replays = [draw_replay(replay(name)) for name in REPLAYS]
    for name, files in (("tables", tables), ("hands", hands), ("replays", replays)):
        few = sheet(files).quantize(palette=palette(), dither=Image.Dither.NONE)
        few.save(DOCS / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
