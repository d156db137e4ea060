"""The check for words that have a standard term."""

from __future__ import annotations

import pytest

from tools.words import found

QUOTES = '"""'


@pytest.mark.parametrize(
    "line",
    [QUOTES + "Return the name of whoever asks.", "# Counted Anew", "the database of before"],
)
def test_finds_listed_words(line: str) -> None:
    assert len(list(found(line))) == 1


@pytest.mark.parametrize(
    "line",
    ['say("Only whoever hosts may start")', "the line `counted anew in`", "instead of before"],
)
def test_skips_quoted_text_and_other_words(line: str) -> None:
    assert list(found(line)) == []
