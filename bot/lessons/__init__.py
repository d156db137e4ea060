"""Learn Tichu: lessons as data, played on the real engine.

A lesson is a text file in `texts/`; docs/lessons.md describes the format. `reading` parses a file
and plays it through, and `all_lessons` has all lessons in order. A lesson needs no table and counts
for nothing: the name of the lesson and the number of the step determine the page.
"""

from __future__ import annotations

from bot.lessons.all_lessons import FOLDER, lesson_named, lessons
from bot.lessons.lesson import NAMES, READER, Choice, FreePlay, Lesson, LessonError, Scene, Step
from bot.lessons.lesson_position import (
    Place,
    place_after_button,
    place_after_play,
    place_on_resume,
    place_with_cards,
)
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
    "place_with_cards",
    "place_after_button",
    "lesson_named",
    "lessons",
    "place_after_play",
    "read_lesson",
    "place_on_resume",
    "sentences",
]
