"""Faces of cards on tables: drawn by the tool, complete and distinct."""

from __future__ import annotations

import PIL
import pytest
from PIL import Image

from bot.art.names import CARDS
from bot.pictures.art import CARD_HEIGHT, CARD_WIDTH, FONTS, card_file
from tools.art import draw, faces


@pytest.mark.slow
def test_faces_equal_those_drawn_by_the_tool() -> None:
    if PIL.__version__ != draw.PILLOW:
        pytest.skip(f"drawn with Pillow {draw.PILLOW}; {PIL.__version__} may smooth differently")
    for card in CARDS[::9]:
        assert faces.file_of(card) == card_file(card).read_bytes()


def test_every_card_has_a_distinct_small_face() -> None:
    files = [card_file(card) for card in CARDS]
    assert len({file.read_bytes() for file in files}) == len(CARDS)
    assert sum(file.stat().st_size for file in files) < 250_000
    for file in files:
        with Image.open(file) as face:
            assert face.size == (CARD_WIDTH, CARD_HEIGHT)
    assert sorted(files) == sorted(files[0].parent.glob("*.png"))


def test_fonts_come_with_their_licences_and_are_small() -> None:
    files = list(FONTS.iterdir())
    assert sum(file.stat().st_size for file in files) < 8_000_000
    assert {file.suffix for file in files} == {".ttf", ".txt"}
    assert sum(file.suffix == ".txt" for file in files) == 2
