"""Finds the messages of lessons for Babel, which calls `extract`; pyproject.toml says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from bot.lessons import sentences


def extract(file: IO[bytes], *_: Any, **__: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """The messages in a lesson, as Babel wants them: line, no function, text, no comments."""
    for number, sentence in sentences(file.read().decode("utf-8")):
        yield number, None, sentence, []
