"""Extracts the messages of lessons for Babel, as configured in pyproject.toml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from bot.lessons import sentences

_STEPS = ("step", "exam")
_NOTES = {
    "title": "The title of a lesson, also an option of a select: better 35 characters.",
    "about": "What the lesson “{lesson}” is about: better 45 characters.",
    "end": "What is read at the end of the lesson “{lesson}”.",
    "step": "What is read in step {step} of the lesson “{lesson}”.",
    "exam": "The question of step {step} of the lesson “{lesson}”, an examination.",
    "answer": "A button in a lesson: at most 80 characters, better 60. Step {step} of “{lesson}”.",
    "right": "What is read after the right answer in step {step} of the lesson “{lesson}”.",
    "wrong": "What is read after a wrong answer in step {step} of the lesson “{lesson}”.",
    "choose": "What is read where cards are chosen in step {step} of the lesson “{lesson}”.",
}
"""Context for translators, by kind of sentence."""


def extract(file: IO[bytes], *_: Any, **__: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the messages of a lesson in Babel's form: line, no function, text, comments."""
    lesson, step = "", 0
    for number, sentence, what in sentences(file.read().decode("utf-8")):
        lesson = lesson or sentence  # its title comes first
        step += what in _STEPS
        yield number, None, sentence, [_NOTES[what].format(lesson=lesson, step=step)]
