"""The computer players by level, and the one door through which a seat is played.

Whoever asks gives the view of the seat, chance as a number, and how long may be thought.
"""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

from engine.actions import Action
from engine.view import View
from players.novice import Novice

Level = Literal["novice", "expert"]


class Advice(NamedTuple):
    """An action and the points it is expected to bring the seat's team in this round.

    Of a seat that plays for itself: the place it is expected to reach, counted so that more is
    better.
    """

    action: Action
    points: float


def prepare(level: Level) -> None:
    """Load and compile whatever this level needs; the first time this can take a minute."""


def choose(level: Level, view: View, seed: int, seconds: float) -> Action | None:
    """What the seat of this view does now, or `None` when nothing is asked of it.

    Same view, level, seed: the Novice gives the same answer; the Expert thinks as long as it may.
    """
    return Novice().choose(view, random.Random(seed))


def advise(view: View, seed: int, seconds: float) -> tuple[Advice, ...]:
    """What the Expert would do now and the two next best, the best first; empty if nothing."""
    action = Novice().choose(view, random.Random(seed))
    return () if action is None else (Advice(action, 0.0),)
