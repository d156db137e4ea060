"""Redraws every card and sign: `python -m tools.art.draw` (a development tool, needs Pillow).

With `--sheet FILE` it shows instead all committed pictures on one page, in the sizes and on the
backgrounds that Discord has. The files are the same to the byte only with the version `PILLOW`.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

from PIL import Image

from bot.art import names
from tools.art import beasts
from tools.art.shapes import Canvas, Place
from tools.art.signs import sign
from tools.art.symbols import FACE, INKS, SUITS

PILLOW = "13.0.0"  # the version whose output is committed
EDGE = "#2a2733"
TEAL = "#0b6680"

BACKGROUNDS = ("#313338", "#ffffff", "#1a1a1e", "#5865f2")  # dark, light, darkest, a button
COLUMNS, GAP = 13, 4


def blank() -> Canvas:
    """Return an empty card: ivory with a thin dark edge, transparent outside its round corners."""
    canvas = Canvas()
    canvas.slab((3, 0, 125, 127.8), 20, EDGE)
    canvas.slab((7, 4, 121, 123.8), 16, FACE)
    return canvas


def suit_card(suit: str, rank: str) -> Canvas:
    """Return a suit card: a very large rank at the upper left, the suit at the lower right."""
    canvas, symbol = blank(), Canvas()
    if rank == "10":
        canvas.text(rank, (11, 11, 80, 73), 13, INKS[suit])
    else:
        canvas.text(rank, (12, 11, 62, 82), 14.5, INKS[suit])
    SUITS[suit](symbol, Place(60, 62, 56))
    symbol.rim(4, FACE)
    canvas.lay(symbol)
    return canvas


def special_card(card: str) -> Canvas:
    """Return a special card: Dragon, Phoenix, Dog, or the Mah Jong with its 1."""
    canvas = blank()
    if card == "DRAGON":
        beasts.dragon(canvas, Place(15, 16, 97))
    elif card == "PHOENIX":
        beasts.phoenix(canvas, Place(17, 15, 94))
    elif card == "DOG":
        beasts.dog(canvas, Place(17, 15, 94))
    else:
        canvas.text("1", (16, 12, 42, 74), 14.5, TEAL)
        canvas.slab((16, 59.5, 54, 74), 7, TEAL)
        bird = Canvas()
        beasts.sparrow(bird, Place(51, 53, 64))
        bird.rim(4, FACE)
        canvas.lay(bird)
    return canvas


def draw(name: str) -> bytes:
    """Return the PNG file of one picture, by its emoji name without version."""
    icons = {names.icon_name(icon): icon for icon in names.ICONS}
    cards = {names.card_name(card): card for card in names.CARDS}
    if name in icons:
        canvas = sign(icons[name])
    elif cards[name] in names.SPECIALS:
        canvas = special_card(cards[name])
    else:
        canvas = suit_card(cards[name][0], cards[name][1:])
    # Few colours make a small file.
    picture = canvas.finished().quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def sheet() -> Image.Image:
    """Return all committed pictures at 128, 44 and 20 pixels, on every background."""
    pictures = [Image.open(file).convert("RGBA") for file in names.pictures().values()]
    rows = -(-len(pictures) // COLUMNS)
    sizes = (128, 44, 20)
    width = sum(COLUMNS * (size + GAP) + 24 for size in sizes)
    height = rows * (128 + GAP) + 24
    page = Image.new("RGB", (width, height * len(BACKGROUNDS)))
    for band, background in enumerate(BACKGROUNDS):
        left, top = 12, band * height + 12
        page.paste(Image.new("RGB", (width, height), background), (0, band * height))
        for size in sizes:
            for place, picture in enumerate(pictures):
                row, column = divmod(place, COLUMNS)
                small = picture.resize((size, size), Image.Resampling.LANCZOS)
                page.paste(small, (left + column * (size + GAP), top + row * (size + GAP)), small)
            left += COLUMNS * (size + GAP) + 24
    return page


def main() -> None:
    """Write the picture files, or the sheet."""
    parser = argparse.ArgumentParser(description="Redraw the cards and signs.")
    parser.add_argument("--sheet", type=Path, help="only show all pictures, in this file")
    target: Path | None = parser.parse_args().sheet
    if target:
        sheet().save(target)
        return
    for name, file in names.pictures().items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(draw(name))


if __name__ == "__main__":
    main()
