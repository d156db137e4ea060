"""All lessons, in the order of their file names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bot.lessons.lesson import Lesson
from bot.lessons.reading import read_lesson

FOLDER = Path(__file__).parent / "texts"
"""Folder of the lesson files, such as ``10-lead-and-follow.lesson``."""


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in order. Raise `LessonError` for an unreadable one."""
    return tuple(
        read_lesson(file.read_text(encoding="utf-8"), file.stem.partition("-")[2])
        for file in sorted(FOLDER.glob("*.lesson"))
    )


def lesson_named(name: str) -> Lesson | None:
    """Return the lesson with this name, if any."""
    return next((lesson for lesson in lessons() if lesson.name == name), None)
