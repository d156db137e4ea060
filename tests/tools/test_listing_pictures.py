"""Pictures of the App Directory."""

from __future__ import annotations

import pytest
from PIL import Image

from tools.pictures.listing import FOLDER, LISTINGS, SIZE, picture


def test_files_are_small_and_as_drawn(subtests: pytest.Subtests) -> None:
    files = {file.stem: file for file in FOLDER.glob("*.png")}
    assert files.keys() == LISTINGS.keys()
    for name, file in files.items():
        with subtests.test(name), Image.open(file) as stored:
            assert file.stat().st_size < 150_000
            assert stored.size == SIZE
            drawn = picture(LISTINGS[name]).convert("RGB")
            assert stored.convert("RGB").tobytes() == drawn.tobytes()


def test_the_same_listing_gives_the_same_picture() -> None:
    listing = LISTINGS["hand"]
    assert picture(listing).tobytes() == picture(listing).tobytes()
