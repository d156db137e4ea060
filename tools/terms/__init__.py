"""Terms that a translation must not use, so that each thing has one name.

`LANGUAGE.tsv` beside this file has a line for each, separated by tabs: the words as a regular
expression (case does not matter), the replacement, and the reason. `docs/glossary.md` has the terms
themselves.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent


class Forbidden(NamedTuple):
    """Words that a language must not use."""

    words: re.Pattern[str]
    """Pattern that finds them in a text."""
    instead: str
    """Replacement."""
    why: str
    """Reason, in English."""


def listed() -> set[str]:
    """Return the languages with such a list."""
    return {file.stem for file in _FOLDER.glob("*.tsv")}


@cache
def forbidden(language: str) -> tuple[Forbidden, ...]:
    """Return the forbidden words of a language such as ``pt_BR``; empty without a list.

    Raises `ValueError` with the number of an invalid line.
    """
    file = _FOLDER / f"{language}.tsv"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return tuple(_read(file.name, number, line) for number, line in enumerate(lines, start=1))


def _read(name: str, number: int, line: str) -> Forbidden:
    parts = line.split("\t")
    if len(parts) != 3 or not all(parts):
        raise ValueError(f"line {number} of {name} is not: words, tab, instead, tab, why")
    try:
        return Forbidden(re.compile(parts[0], re.IGNORECASE), *parts[1:])
    except re.error as error:
        raise ValueError(f"line {number} of {name} is no regular expression: {error}") from None
