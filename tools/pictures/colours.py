"""Chooses the colours of all pictures of tables: `python -m tools.pictures.colours`.

They are those with which the sample tables of the tests look best. To be run when the look of the
pictures changes, before the reference pictures are remade. Development tool.
"""

from __future__ import annotations

from PIL import Image

from bot.art.names import CARDS
from bot.pictures import easel, plates, sprites
from bot.pictures.art import PALETTE
from bot.pictures.palette import COLOURS
from bot.pictures.table_picture import compose
from tests.bot.pictures.scenes import TABLES, sample


def exact() -> list[tuple[int, int, int]]:
    """The colours of large areas, which must be there as they are."""
    found = []
    for module in (easel, plates, sprites):
        for name, value in vars(module).items():
            if name.isupper():
                found += _colours(value)
    return list(dict.fromkeys(found))


def _colours(value: object) -> list[tuple[int, int, int]]:
    """The colours in a constant: itself, or those of a tuple of them."""
    if not isinstance(value, tuple):
        return []
    if len(value) == 3 and all(isinstance(part, int) for part in value):
        return [value]
    return [colour for part in value for colour in _colours(part)]


def montage() -> Image.Image:
    """All sample pictures, and all cards, under one another."""
    pictures = [compose(sample(name)) for name in TABLES]
    cards = Image.new("RGB", (900, 130 * 8), easel.FELT)
    for number, card in enumerate(CARDS):
        face = sprites.card(card, 124)
        cards.paste(face, (number % 8 * 100, number // 8 * 130), face)
    pictures.append(cards)
    page = Image.new("RGB", (900, sum(picture.height for picture in pictures)))
    top = 0
    for picture in pictures:
        page.paste(picture, (0, top))
        top += picture.height
    return page


def main() -> None:
    """Write the file with the colours."""
    kept = exact()
    page = montage()
    free = COLOURS - len(kept)
    # Large areas are there already; what is chosen here are the colours of edges and of cards.
    few = page.quantize(free, Image.Quantize.MEDIANCUT, kmeans=2)
    chosen = few.getpalette() or []
    triples = [tuple(chosen[3 * n : 3 * n + 3]) for n in range(free)]
    image = Image.new("RGB", (COLOURS, 1))
    image.putdata([*kept, *triples][:COLOURS])
    image.save(PALETTE, optimize=True)


if __name__ == "__main__":
    main()
