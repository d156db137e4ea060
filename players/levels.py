"""The computer players by level, and the one door through which a seat is played.

Whoever asks gives the view of the seat, chance as a number, and how long may be thought.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Literal, NamedTuple

from engine.actions import Action
from engine.view import View
from players.expert.thinking import Budget, Expert
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
    if level == "expert":
        _expert()


def choose(
    level: Level, view: View, seed: int, seconds: float, playouts: int | None = None
) -> Action | None:
    """What the seat of this view does now, or `None` when nothing is asked of it.

    The same view, level and seed give the same answer, of the Expert only where the number of its
    playouts is fixed: otherwise it thinks for so many seconds at most.
    """
    rng = random.Random(seed)
    if level == "novice":
        return Novice().choose(view, rng)
    return _expert().choose(view, rng, _budget(seconds, playouts))


def advise(
    view: View, seed: int, seconds: float, playouts: int | None = None
) -> tuple[Advice, ...]:
    """What the Expert would do now and the two next best, the best first; empty if nothing."""
    weighed = _expert().weigh(view, random.Random(seed), _budget(seconds, playouts))
    return tuple(Advice(one.choice.action, one.points) for one in weighed[:3])


def _budget(seconds: float, playouts: int | None) -> Budget:
    return Budget(playouts=playouts) if playouts else Budget(seconds=seconds)


@cache
def _expert() -> Expert:
    """The one Expert of this process, loaded when first needed."""
    return Expert()
