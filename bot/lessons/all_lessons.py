"""All lessons, in the order of the names of their files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from bot.lessons.lesson import Lesson
from bot.lessons.reading import read_lesson

FOLDER = Path(__file__).parent / "texts"
"""A file for each lesson, such as ``10-lead-and-follow.lesson``: the number is its place."""


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in order. Raises `LessonError` for one that cannot be read."""
    return tuple(
        read_lesson(file.read_text(encoding="utf-8"), file.stem.partition("-")[2])
        for file in sorted(FOLDER.glob("*.lesson"))
    )


def lesson_named(name: str) -> Lesson | None:
    """Return the lesson of this name, if there is one."""
    return next((lesson for lesson in lessons() if lesson.name == name), None)
