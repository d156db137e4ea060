"""Parsed lesson: steps with the positions that the engine reached.

Sentences are in English, with cards in braces: ``A pair: {J6 T6}``. Pages translate them and insert
the pictures of the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from engine import Action, CardSet, Event, IllegalAction, Match, Rank, Seat

READER: Seat = 0
"""Seat of the reader."""
NAMES = (
    *("you", "Lin", "Mei", "Bao", "Jun", "Hua"),
    *("Tao", "Yun", "Fei", "Kai", "Lan", "Rui"),
)
"""Names in a lesson, by seat. The first one is never shown: the reader is “you”.

With four players Lin plays after the reader, Mei is the partner and Bao plays before the reader.
"""


FreePlay: TypeAlias = tuple[CardSet, tuple[Rank, ...]]
"""Play of freely chosen cards: the set of cards, and the ranks of its Phoenixes."""


class LessonError(ValueError):
    """Raised when a lesson cannot be parsed or played. The message has the line and the reason."""


class Choice(NamedTuple):
    """Choice in a step: an action at the table, or an answer in words."""

    right: bool
    """True if this is the right choice, after which the lesson continues."""
    action: Action | None
    """Action at the table; `None` for an answer in words."""
    answer: str
    """Answer in words; empty for an action."""
    reply: str
    """Reply to the choice; empty if it needs none or the refusal explains it."""
    refusal: IllegalAction | None
    """Refusal of the engine, if the action is illegal."""


class Scene(NamedTuple):
    """Table at one moment of a lesson, and the events that led to it."""

    match: Match | None
    """Position; `None` while no cards are needed."""
    events: tuple[Event, ...]
    """Events since the reader's last choice, or since the deal."""


class Step(NamedTuple):
    """Page of a lesson."""

    sentence: str
    """Statement or question for the reader."""
    cards: CardSet
    """Cards that the page shows in large size."""
    picture: bool
    """True if the page includes the picture of the table."""
    exam: bool
    """True if the right choice is not marked."""
    choices: tuple[Choice, ...]
    """Choices with a button, in the order of the file."""
    plays: Mapping[FreePlay, Choice]
    """Result of each legal play that the reader can make by choosing cards in the hand.

    Among all `choices` and `plays` exactly one is right. If both are empty, the page has **Next**.
    """
    scene: Scene
    """Table when the step is shown."""


class Lesson(NamedTuple):
    """Lesson: its texts and its steps."""

    name: str
    """Name in custom_ids and in the database, such as ``lead-and-follow``."""
    game: str
    """Game of the lesson, such as ``nanjing``."""
    title: str
    """Title, in English."""
    about: str
    """Description of the topic, in one line."""
    steps: tuple[Step, ...]
    """Steps in order, at least one."""
    ending: str
    """Sentence on the last page."""
    last: Scene
    """Table on the last page."""
