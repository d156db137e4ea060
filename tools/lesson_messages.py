"""Finds the messages of lessons for Babel, which calls `extract`; pyproject.toml says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from bot.lessons import sentences

_TOLD = {
    "title": "The title of a lesson, also an option of a select: better 35 characters.",
    "answer": "A button in a lesson: at most 80 characters, better 60.",
}
"""What translators read about a sentence, by what it is."""


def extract(file: IO[bytes], *_: Any, **__: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """The messages in a lesson, as Babel wants them: line, no function, text, comments."""
    for number, sentence, what in sentences(file.read().decode("utf-8")):
        yield number, None, sentence, [_TOLD[what]] if what in _TOLD else []
