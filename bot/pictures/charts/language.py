"""In which language a chart is written, and which names of its people."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from pydantic import BaseModel

from bot.pictures.descriptions import Line
from bot.pictures.letters import plain
from bot.pictures.typeface import Written, written, written_name
from bot.text import SOURCE, Say, speech

_DIGITS = 1234567890
"""A number with all digits, to see whether the fonts have those of a language."""


def written_names(line: Line) -> Written:
    """The names of all that a line stands for."""
    return written(" & ".join(written_name(name).text for name in line.names))


def language_of(language: str, words: BaseModel) -> tuple[Any, Say]:
    """The words of a picture, and a `Say` that writes its numbers and dates.

    Both are English if the fonts cannot write this language. The `Say` has no translations, because
    the words are translated already.
    """
    say = Say(language, NullTranslations())
    if all(map(_complete, [*words.model_dump().values(), say.number(_DIGITS)])):
        return words, say
    english = speech(SOURCE)
    return type(words).of(english), english  # type: ignore[attr-defined]


def _complete(text: str) -> bool:
    """Whether the fonts can write the whole text."""
    return written(text).text == plain(text)
