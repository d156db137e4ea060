"""Texts of the App Directory: they are within Discord's limits."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "listing.md"


def test_texts_are_within_the_limits() -> None:
    fields = dict(re.findall(r"^\| (\w+) \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE))
    tags = fields["Tags"].split(", ")
    assert len(fields["Summary"]) <= 200
    assert len(fields["Description"]) <= 400
    assert len({*tags}) == len(tags) == 5
    assert max(map(len, tags)) <= 20
