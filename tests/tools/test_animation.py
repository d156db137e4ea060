"""The animation of the README."""

from __future__ import annotations

from PIL import Image

from tools.animation import FILE, SEED, longest_trick, picture


def test_shows_a_whole_trick() -> None:
    scenes = longest_trick(SEED)
    cards = [shown.middle.cards for shown in scenes]
    assert cards[0] == cards[-1] == ()
    assert all(cards[1:-1])
    assert len({*cards}) >= 4
    assert scenes == longest_trick(SEED)


def test_file_in_the_docs_is_small_and_has_this_size() -> None:
    assert FILE.stat().st_size < 3_000_000
    with Image.open(FILE) as animation:
        assert animation.size == picture(longest_trick(SEED)[0]).size
        assert animation.n_frames > 4  # type: ignore[attr-defined]
