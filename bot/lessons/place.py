"""Where a reader is in a lesson, and where a press of a button leads."""

from __future__ import annotations

from typing import NamedTuple

from bot.lessons.lesson import Choice, Lesson


class Place(NamedTuple):
    """A page of a lesson."""

    lesson: Lesson
    """The lesson."""
    step: int
    """The number of the step, from 0 on; that of all steps at the end of the lesson."""
    pressed: Choice | None = None
    """The choice that led here: the right one of the step before, or a wrong one of this step."""

    @property
    def over(self) -> bool:
        """Whether this is the end of the lesson."""
        return self.step == len(self.lesson.steps)

    @property
    def missed(self) -> bool:
        """Whether the reader has pressed something wrong, and so is where they were."""
        return self.pressed is not None and not self.pressed.right


def resumed(lesson: Lesson, step: int) -> Place:
    """The place where a lesson was left; a step that it has no more is its beginning."""
    return Place(lesson, step if step < len(lesson.steps) else 0)


def led_to(lesson: Lesson, step: int, choice: int | None = None) -> Place | None:
    """The place that a button leads to: a step, or what comes of a choice in it, both from 0 on.

    `None` if there is no such step or choice.
    """
    if choice is None:
        return Place(lesson, step) if step <= len(lesson.steps) else None
    choices = lesson.steps[step].choices if step < len(lesson.steps) else ()
    if choice >= len(choices):
        return None
    pressed = choices[choice]
    return Place(lesson, step + 1 if pressed.right else step, pressed)
