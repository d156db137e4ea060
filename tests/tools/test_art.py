"""The committed pictures: complete, small, legible without colour, reproducible."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import PIL
import pytest
from PIL import Image, ImageChops, ImageStat

from bot.art import names
from tests.campaign import sample
from tools.art import draw

DARK, LIGHT = "#313338", "#ffffff"
SYMBOL = (57, 54, 119, 121)  # where a suit card shows its suit, in units of the picture
PICTURES = names.pictures()


def grey(file: Path, size: int, background: str = LIGHT) -> Image.Image:
    """Return the picture as Discord would show it, without colours."""
    page = Image.new("RGBA", (128, 128), background)
    with Image.open(file) as picture:
        page.alpha_composite(picture.convert("RGBA"))
    return page.convert("L").resize((size, size), Image.Resampling.LANCZOS)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference in brightness, 0..255."""
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0]


def test_file(subtests: pytest.Subtests) -> None:
    for name, file in PICTURES.items():
        with subtests.test(name=name):
            assert file.stat().st_size < 15_000
            with Image.open(file) as picture:
                assert (picture.format, picture.size, picture.mode) == ("PNG", (128, 128), "P")
                alpha = picture.convert("RGBA").getchannel("A")
            corners = product((0, 127), (0, 127))
            assert [alpha.getpixel(corner) for corner in corners] == [0, 0, 0, 0]
            assert alpha.getextrema() == (0, 255)


def test_every_file_has_a_name() -> None:
    folder = Path(names.__file__).parent
    assert set(folder.rglob("*.png")) == set(PICTURES.values())


@pytest.mark.slow
def test_redrawing_gives_the_same_bytes(subtests: pytest.Subtests) -> None:
    if PIL.__version__ != draw.PILLOW:
        pytest.skip(f"drawn with Pillow {draw.PILLOW}; {PIL.__version__} may smooth differently")
    for name in sample(PICTURES, 4):
        with subtests.test(name=name):
            assert draw.draw(name) == PICTURES[name].read_bytes()


def test_silhouettes_of_suits_differ_without_colour(subtests: pytest.Subtests) -> None:
    for (one, other), size in product(combinations(names.SUITS, 2), (128, 44, 20)):
        with subtests.test(size=size, one=one, other=other):
            box = tuple(round(value * size / 128) for value in SYMBOL)
            masks = []
            for suit in (one, other):
                symbol = grey(names.card_file(f"{suit}7"), size).crop(
                    (box[0], box[1], box[2], box[3])
                )
                masks.append(symbol.point([255 if level < 150 else 0 for level in range(256)]))
            common = ImageStat.Stat(ImageChops.darker(*masks)).sum[0]
            either = ImageStat.Stat(ImageChops.lighter(*masks)).sum[0]
            assert either > 0
            assert common / either < 0.5


@pytest.mark.parametrize("background", [DARK, LIGHT])
def test_every_two_cards_differ_at_20_pixels_without_colour(background: str) -> None:
    cards = {card: grey(names.card_file(card), 20, background) for card in names.CARDS}
    alike = [
        (one, other)
        for one, other in combinations(cards, 2)
        if difference(cards[one], cards[other]) < 6
    ]
    assert not alike


def test_every_picture_stands_out_from_the_background(subtests: pytest.Subtests) -> None:
    for name, background in product(PICTURES, (DARK, LIGHT)):
        with subtests.test(name=name, background=background):
            shown = grey(PICTURES[name], 20, background)
            assert difference(shown, Image.new("L", (20, 20), background)) > 20
