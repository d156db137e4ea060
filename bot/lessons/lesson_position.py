"""Where a reader is in a lesson, and where a press of a button leads."""

from __future__ import annotations

from typing import NamedTuple

from bot.lessons.lesson import READER, Choice, FreePlay, Lesson
from engine import CardSet, view


class Place(NamedTuple):
    """A page of a lesson."""

    lesson: Lesson
    """The lesson."""
    step: int
    """The number of the step, from 0 on; that of all steps at the end of the lesson."""
    pressed: Choice | None = None
    """The choice that led here: the right one of the step before, or a wrong one of this step."""
    chosen: CardSet = 0
    """The cards that the reader has chosen in the hand and not played yet."""

    @property
    def over(self) -> bool:
        """Return whether this is the end of the lesson."""
        return self.step == len(self.lesson.steps)

    @property
    def missed(self) -> bool:
        """Return whether the reader has pressed something wrong, and so is where they were."""
        return self.pressed is not None and not self.pressed.right


def resumed(lesson: Lesson, step: int) -> Place:
    """Return the place where a lesson was left; a step that it has no more is its beginning."""
    return Place(lesson, step if step < len(lesson.steps) else 0)


def led_to(lesson: Lesson, step: int, choice: int | None = None) -> Place | None:
    """Return the place that a button leads to: a step, or what comes of a choice in it, both from 0 on.

    `None` if there is no such step or choice.
    """
    if choice is None:
        return Place(lesson, step) if step <= len(lesson.steps) else None
    choices = lesson.steps[step].choices if step < len(lesson.steps) else ()
    return _after(lesson, step, choices[choice]) if choice < len(choices) else None


def choosing(lesson: Lesson, step: int, cards: CardSet) -> Place | None:
    """Return the place where the reader has chosen these cards in the hand.

    `None` if no cards are chosen in this step, or if the reader does not hold them.
    """
    if step >= len(lesson.steps) or not lesson.steps[step].plays:
        return None
    match = lesson.steps[step].scene.match
    held = 0 if match is None else view(match, READER).hand.cards
    return None if cards & ~held else Place(lesson, step, chosen=cards)


def played(lesson: Lesson, step: int, play: FreePlay) -> Place | None:
    """Return the place that a play of freely chosen cards leads to; `None` if it cannot be made."""
    plays = lesson.steps[step].plays if step < len(lesson.steps) else {}
    return _after(lesson, step, plays[play]) if play in plays else None


def _after(lesson: Lesson, step: int, pressed: Choice) -> Place:
    """Return the place that a choice in a step leads to."""
    return Place(lesson, step + 1 if pressed.right else step, pressed)
