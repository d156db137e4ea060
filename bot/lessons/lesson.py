"""What a lesson is once it was read: its steps, each with the position that the engine has reached.

Sentences are the English ones of the file, with cards in braces: ``A pair: {J6 T6}``. Pages have
them translated and put the pictures of the cards in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from engine import Action, CardSet, Event, IllegalAction, Match, Rank, Seat

READER: Seat = 0
"""The seat of whoever reads the lesson."""
NAMES = (
    *("you", "Lin", "Mei", "Bao", "Jun", "Hua"),
    *("Tao", "Yun", "Fei", "Kai", "Lan", "Rui"),
)
"""Who sits where in a lesson, by seat. The first name is never shown: the reader is “you”.

With four players Lin plays after the reader, Mei is the partner and Bao plays before the reader.
"""


FreePlay: TypeAlias = tuple[CardSet, tuple[Rank, ...]]
"""A play of freely chosen cards: the set of them, and what its Phoenix stands for."""


class LessonError(ValueError):
    """A lesson that cannot be read or played; the text says in which line, and why."""


class Choice(NamedTuple):
    """Something that the reader may press in a step: an action at the table, or an answer."""

    right: bool
    """Whether the lesson goes on with it."""
    action: Action | None
    """What is done at the table; `None` for an answer in words."""
    answer: str
    """The answer in words; empty for an action."""
    reply: str
    """What is said to it; empty where a right choice needs no word, or the rules have theirs."""
    refusal: IllegalAction | None
    """Why the rules forbid the action, if they do."""


class Scene(NamedTuple):
    """The table at one moment of a lesson, and how it came to that."""

    match: Match | None
    """The position; `None` while no cards are needed."""
    events: tuple[Event, ...]
    """What has happened since the reader's last choice, or since the cards were dealt."""


class Step(NamedTuple):
    """One page of a lesson."""

    sentence: str
    """What the reader is told or asked."""
    cards: CardSet
    """The cards in question, shown large."""
    picture: bool
    """Whether the picture that a table shows stands there, too."""
    exam: bool
    """Whether the reader finds the right choice alone: it is not marked."""
    choices: tuple[Choice, ...]
    """What has a button, in the order of the file."""
    plays: Mapping[FreePlay, Choice]
    """Where the reader chooses cards in the hand, as at a table: each play that the rules allow.

    Of `choices` and these exactly one is right. There are none of both: **Next**.
    """
    scene: Scene
    """The table when the step is shown."""


class Lesson(NamedTuple):
    """A whole lesson."""

    name: str
    """Its name in ids of buttons and in the database, such as ``lead-and-follow``."""
    game: str
    """The game that it is about, such as ``nanjing``."""
    title: str
    """Its title."""
    about: str
    """What is learned, in a line."""
    steps: tuple[Step, ...]
    """Its steps in order, at least one."""
    ending: str
    """What is said at the end."""
    last: Scene
    """The table at the end."""
