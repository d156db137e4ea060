"""Makes the pictures of the App Directory: `python -m tools.pictures.listing` (a development tool).

Each has a heading on the left and a picture of the bot on the right, drawn from the samples of the
tests. Look at them before they are committed.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from bot.pictures.canvas import FELT, FELT_EDGE, FELT_LINE, WHITE, WOOD, WOOD_EDGE
from bot.pictures.drawing import draw
from bot.pictures.letters import FACES
from bot.pictures.process_messages import Drawing
from bot.pictures.sprites import card
from bot.pictures.typeface import Colour
from tests.bot.pictures.hands import hand
from tests.bot.pictures.replays import replay
from tests.bot.pictures.samples import CHARTS
from tests.bot.pictures.scenes import sample

FOLDER = Path(__file__).parents[2] / "docs" / "listing"
SIZE = 1920, 1080
HEADING, TEXT = 104, 46
"""Sizes of the letters in pixels."""
LEFT, RIGHT, HEIGHT = 124, 104, 912
"""Margins beside the text and the picture, and the greatest height of the picture."""
SOFT: Colour = (205, 226, 213)
FAN = ("MAHJONG", "DOG", "PHOENIX", "DRAGON")


class Listing(NamedTuple):
    """One picture of the App Directory."""

    heading: str
    text: str
    drawing: Callable[[], Drawing]


LISTINGS = {
    "table": Listing(
        "Tichu in\nyour channel",
        "Four games for 3 to 12 players.\nComputers fill empty seats.",
        lambda: sample("trick-4"),
    ),
    "hand": Listing(
        "Only you see\nyour cards",
        "The bright cards are playable.\nMost moves are one tap.",
        lambda: hand("turn-4"),
    ),
    "bomb": Listing(
        "Bombs at\nany time",
        "Throw one when you like:\nthe table waits for it.",
        lambda: sample("bomb-4"),
    ),
    "score": Listing(
        "Every call\ncounts",
        "The score of a match, round by\nround, with all Tichu calls.",
        lambda: CHARTS["nanjing"],
    ),
    "replay": Listing(
        "Replay\nevery round",
        "Go through it move by move,\nwith all hands open.",
        lambda: replay("trick-4"),
    ),
}
"""Names of the files, and their content."""


def picture(listing: Listing) -> Image.Image:
    """Return the picture of a listing in few colours."""
    page = _felt()
    with Image.open(io.BytesIO(draw(listing.drawing()))) as file:
        shown = file.convert("RGBA")
    if shown.height > HEIGHT:
        size = shown.width * HEIGHT // shown.height, HEIGHT
        shown = shown.resize(size, Image.Resampling.LANCZOS)
    place = SIZE[0] - RIGHT - shown.width, (SIZE[1] - shown.height) // 2
    _paste_with_shadow(page, shown, place)
    _write(page, LEFT, 176, listing.heading, HEADING, WHITE)
    _write(page, LEFT, 456, listing.text, TEXT, SOFT)
    for index, name in enumerate(FAN):
        _paste_with_shadow(page, card(name, 200), (LEFT + 100 * index, 680))
    return page.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _felt() -> Image.Image:
    """Return the empty felt with a wooden edge."""
    page = Image.new("RGB", SIZE, WOOD_EDGE)
    pen = ImageDraw.Draw(page)
    for inset, colour in ((4, WOOD), (24, WOOD_EDGE), (28, FELT_EDGE), (34, FELT)):
        pen.rectangle((inset, inset, SIZE[0] - 1 - inset, SIZE[1] - 1 - inset), fill=colour)
    box = (52, 52, SIZE[0] - 53, SIZE[1] - 53)
    pen.rounded_rectangle(box, radius=40, outline=FELT_LINE, width=3)
    return page


def _paste_with_shadow(page: Image.Image, shown: Image.Image, place: tuple[int, int]) -> None:
    """Paste a picture, and below it a soft shadow of its shape."""
    shadow = Image.new("L", SIZE)
    shadow.paste(shown.getchannel("A").point([alpha // 2 for alpha in range(256)]), place)
    page.paste((0, 0, 0), (0, 10), shadow.filter(ImageFilter.GaussianBlur(14)))
    page.paste(shown, place, shown)


def _write(page: Image.Image, x: int, y: int, text: str, size: int, colour: Colour) -> None:
    """Write lines of text from their upper left corner."""
    font = ImageFont.truetype(FACES[0][0], size, layout_engine=ImageFont.Layout.BASIC)
    ImageDraw.Draw(page).multiline_text((x, y), text, colour, font, spacing=size // 6)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures.listing", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, listing in LISTINGS.items():
        picture(listing).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
