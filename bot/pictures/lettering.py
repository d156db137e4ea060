"""Finds out which part of a text the font of the pictures can write: names may contain anything.

The pictures are written in DejaVu Sans, which comes with matplotlib. It has Latin, Greek, Cyrillic,
Arabic, Hebrew and more letters, but not those of East and South Asia, and few emojis.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.font_manager import FontProperties, get_font
from pydantic import BaseModel

from bot.pictures.descriptions import Line, Name
from bot.text import SOURCE, Say, speech

_FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
_DIGITS = 1234567890
"""A number with all digits, to see whether the font has those of a language."""


@cache
def font(*, bold: bool = False) -> FontProperties:
    """The font of the pictures. It does not depend on the fonts that a machine has."""
    return FontProperties(fname=_file(bold=bold))


def _file(*, bold: bool) -> Path:
    return _FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")


@cache
def _known() -> frozenset[int]:
    """The code points that the font can write, both plain and bold."""
    both = (get_font(_file(bold=bold)).get_charmap() for bold in (False, True))
    return frozenset.intersection(*(frozenset(charmap) for charmap in both))


def writable(text: str) -> str:
    """The part of a text that can be written, on one line.

    Ornamental letters become plain ones. Combining marks, control characters and characters that
    the font does not have are left out.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    kept = "".join(
        sign
        for sign in plain
        if ord(sign) in _known() and unicodedata.category(sign)[0] not in "MC"
    )
    return " ".join(kept.split())


def written_name(name: Name) -> str:
    """A name as it is written; its replacement if none of its letters can be written."""
    written = writable(name.text)
    readable = _letters(written) or not _letters(name.text)
    return written if written and readable else writable(name.replacement)


def written_names(line: Line) -> str:
    """The names of all that a line stands for."""
    return " & ".join(written_name(name) for name in line.names)


def _letters(text: str) -> bool:
    """Whether there is a letter or digit in a text."""
    return any(sign.isalnum() for sign in text)


def language_of(language: str, words: BaseModel) -> tuple[Any, Say]:
    """The words of a picture, and a `Say` that writes its numbers and dates.

    Both are English if the font cannot write this language. The `Say` has no translations, because
    the words are translated already.
    """
    say = Say(language, NullTranslations())
    if all(map(_complete, [*words.model_dump().values(), say.number(_DIGITS)])):
        return words, say
    english = speech(SOURCE)
    return type(words).of(english), english  # type: ignore[attr-defined]


def _complete(text: str) -> bool:
    """Whether the font can write the whole text."""
    return writable(text) == " ".join(unicodedata.normalize("NFKC", text).split())
