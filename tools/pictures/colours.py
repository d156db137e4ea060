"""Chooses the palette of all pictures of tables: `python -m tools.pictures.colours`.

The palette is the best one for the sample tables of the tests. Run this when the look of the
pictures changes, before remaking the reference pictures. Development tool.
"""

from __future__ import annotations

import math

from PIL import Image, ImageColor

from bot.art.names import CARDS, ICONS
from bot.pictures import canvas, sprites
from bot.pictures.art import PALETTE
from bot.pictures.palette import COLOURS
from bot.pictures.table import plates
from bot.pictures.table.picture import compose
from tests.bot.pictures.scenes import TABLES, sample
from tools.art.draw import EDGE, TEAL
from tools.art.symbols import FACE, INKS

VIVID = ("#6ff0ff", "#2f7de1", "#b0122c", "#e39a12", "#d4420a", "#ffb21a", "#2fb878", "#ff8a3c")
"""Unique colours of small parts of cards and signs."""


def exact() -> list[tuple[int, int, int]]:
    """Return the colours of large areas, which must be exact."""
    found = []
    for module in (canvas, plates, sprites):
        for name, value in vars(module).items():
            if name.isupper():
                found += _colours(value)
    for colour in (FACE, EDGE, TEAL, *INKS.values(), *VIVID):
        found.append(ImageColor.getrgb(colour)[:3])
    return list(dict.fromkeys(found))


def _colours(value: object) -> list[tuple[int, int, int]]:
    """Return the colours in a constant: the constant itself or the members of a tuple."""
    if not isinstance(value, tuple):
        return []
    if len(value) == 3 and all(isinstance(part, int) for part in value):
        return [value]
    return [colour for part in value for colour in _colours(part)]


def montage() -> Image.Image:
    """Return all sample pictures and all cards on one page."""
    pictures = [compose(sample(name)) for name in TABLES]
    cards = Image.new("RGB", (900, 130 * 8), canvas.FELT)
    for number, card in enumerate(CARDS):
        face = sprites.card(card, 124)
        cards.paste(face, (number % 8 * 100, number // 8 * 130), face)
    pictures.append(cards)
    icons = Image.new("RGB", (900, 60), canvas.FELT)
    for number, name in enumerate(ICONS):
        sign = sprites.icon(name, 52)
        icons.paste(sign, (number * 70, 4), sign)
    pictures.append(icons)
    page = Image.new("RGB", (900, sum(picture.height for picture in pictures)))
    top = 0
    for picture in pictures:
        page.paste(picture, (0, top))
        top += picture.height
    return page


def evened(page: Image.Image) -> Image.Image:
    """Return the pixels of a picture as a row, each colour by the root of its frequency.

    So the colours of small signs are kept.
    """
    found = page.getcolors(page.width * page.height) or []
    pixels = b"".join(bytes(colour) * math.isqrt(count) for count, colour in found)  # type: ignore[arg-type]
    return Image.frombytes("RGB", (len(pixels) // 3, 1), pixels)


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether two colours differ enough."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > 8


def main() -> None:
    """Write the file with the colours."""
    kept = exact()
    free = COLOURS - len(kept)
    few = evened(montage()).quantize(free, Image.Quantize.MEDIANCUT, kmeans=3)
    chosen = few.getpalette() or []
    triples = [tuple(chosen[3 * n : 3 * n + 3]) for n in range(free)]
    # Pillow uses any of the nearest colours, so no other may be close to an exact one.
    apart = [colour for colour in triples if all(_apart(colour, other) for other in kept)]
    image = Image.new("RGB", (COLOURS, 1), kept[0])
    image.putdata([*kept, *apart])
    image.save(PALETTE, optimize=True)


if __name__ == "__main__":
    main()
