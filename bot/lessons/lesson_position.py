"""Places in a lesson, and how buttons lead from one to another."""

from __future__ import annotations

from typing import NamedTuple

from bot.lessons.lesson import READER, Choice, FreePlay, Lesson
from engine import CardSet, view


class Place(NamedTuple):
    """Page of a lesson on which the reader is."""

    lesson: Lesson
    """Lesson of the page."""
    step: int
    """Index of the step; the number of steps at the end of the lesson."""
    pressed: Choice | None = None
    """Choice that led here: the right choice of the previous step, or a wrong one of this step."""
    chosen: CardSet = 0
    """Cards that the reader has selected in the hand but not played."""

    @property
    def over(self) -> bool:
        """Return whether this is the page after the last step."""
        return self.step == len(self.lesson.steps)

    @property
    def is_wrong(self) -> bool:
        """Return whether the reader made a wrong choice and so remains in this step."""
        return self.pressed is not None and not self.pressed.right


def place_on_resume(lesson: Lesson, step: int) -> Place:
    """Return the place where a reader left a lesson, or its beginning if there is no such step."""
    return Place(lesson, step if step < len(lesson.steps) else 0)


def place_after_button(lesson: Lesson, step: int, choice: int | None = None) -> Place | None:
    """Return the place to which a button leads; `None` if there is no such step or choice.

    `step` and `choice` are indexes. A button without a `choice` leads to the step itself.
    """
    if choice is None:
        return Place(lesson, step) if step <= len(lesson.steps) else None
    choices = lesson.steps[step].choices if step < len(lesson.steps) else ()
    return _place_after_choice(lesson, step, choices[choice]) if choice < len(choices) else None


def place_with_cards(lesson: Lesson, step: int, cards: CardSet) -> Place | None:
    """Return the place in a step after the reader has selected these cards in the hand.

    Return `None` if the step has no selection of cards, or if the reader does not hold them.
    """
    if step >= len(lesson.steps) or not lesson.steps[step].plays:
        return None
    match = lesson.steps[step].scene.match
    hand_cards = 0 if match is None else view(match, READER).hand.cards
    return None if cards & ~hand_cards else Place(lesson, step, chosen=cards)


def place_after_play(lesson: Lesson, step: int, play: FreePlay) -> Place | None:
    """Return the place after a play of freely chosen cards; `None` if it is impossible."""
    plays = lesson.steps[step].plays if step < len(lesson.steps) else {}
    return _place_after_choice(lesson, step, plays[play]) if play in plays else None


def _place_after_choice(lesson: Lesson, step: int, pressed: Choice) -> Place:
    """Return the next step after a right choice, or the same step after a wrong one."""
    return Place(lesson, step + 1 if pressed.right else step, pressed)
