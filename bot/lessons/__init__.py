"""Learn Tichu: lessons as data, played on the real engine.

A lesson is a text file in `texts/`; docs/lessons.md says how one is written. `reading` reads it and
plays it through, `shelf` has all of them in order. Nothing in a lesson counts, and no table is
needed for it: a page of a lesson follows from its name and the number of the step.
"""

from __future__ import annotations

from bot.lessons.all_lessons import FOLDER, lesson_named, lessons
from bot.lessons.lesson import NAMES, READER, Choice, FreePlay, Lesson, LessonError, Scene, Step
from bot.lessons.lesson_position import Place, choosing, led_to, played, resumed
from bot.lessons.reading import cards_in, read_lesson, sentences

__all__ = [
    "FOLDER",
    "NAMES",
    "READER",
    "Choice",
    "FreePlay",
    "Lesson",
    "LessonError",
    "Place",
    "Scene",
    "Step",
    "cards_in",
    "choosing",
    "led_to",
    "lesson_named",
    "lessons",
    "played",
    "read_lesson",
    "resumed",
    "sentences",
]
