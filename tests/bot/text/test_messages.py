"""Messages in the code: proper English with consistent words."""

from __future__ import annotations

import re
from pathlib import Path

from tests.bot.text.template import keys
from tools.messages import placeholders


def test_finds_the_messages() -> None:
    assert ("Pass",) in keys()
    assert ("{n} card", "{n} cards") in keys()
    assert len(keys()) > 200


NAMES = r"[a-z]+|[A-Z0-9#=]+( [A-Z0-9#=]+)*"
"""Form of placeholders: the name of a value, or in a lesson cards in notation."""


def test_messages_are_proper_english() -> None:
    texts = [text for key in keys() for text in key]
    assert [text for text in texts if not sensible(text)] == []
    numbered = [(key, *map(placeholders, key)) for key in keys() if key[1:]]
    assert [key for key, one, more in numbered if one != more or "n" not in one] == []


def sensible(text: str) -> bool:
    """Return whether spaces, brackets, bold marks and placeholders are well-formed."""
    return (
        text == text.strip()
        and not re.search(r" {2}|\t| \n|\n ", text)
        and not re.search(r" [.,;:!?)]|\( ", text)
        and re.search(r"[A-Za-z]", re.sub(r"\{[^{}]+\}", "", text)) is not None
        and all(re.fullmatch(NAMES, name) for name in placeholders(text))
        and text.count("**") % 2 == 0
        and text.count("(") == text.count(")")
    )


SAID_OTHERWISE = re.compile(
    r"any more\b|at the moment|points a round|share of matches|is listed|are listed",
    re.IGNORECASE,
)
"""Words for which the list in CONTRIBUTING.md has a better one."""
RULE_BOOK = re.compile(r"Nanjing|Trichu|Tientsin")
"""Names of games that people read only in the rules."""


def test_uses_one_word_for_one_thing() -> None:
    wrong = [key for key in keys() if any(SAID_OTHERWISE.search(text) for text in key)]
    assert wrong == []
    places = {
        str(Path(place).parent)
        for key, files in keys().items()
        if any(RULE_BOOK.search(text) for text in key)
        for place in files
    }
    assert places == {"bot/text/rules"}
