"""The computer players by level, and the one door through which a seat is played.

Whoever asks gives the view of the seat, chance as a number, and how long may be thought.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine.actions import Action
from engine.view import View
from players.limit import Limit
from players.novice.player import Novice

if TYPE_CHECKING:
    from players.expert.thinking import Expert

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
        _expert().prepare()


def choose(
    level: Level,
    view: View,
    seed: int,
    seconds: float,
    playouts: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> Action | None:
    """What the seat of this view does now, or `None` when nothing is asked of it.

    The Expert thinks about each decision for so many seconds, or for a number of playouts; then the
    same view and seed give the same answer, as the Novice's always do. It ends as soon as `stop`,
    which is asked often, says so.
    """
    chance = random.Random(seed)
    if level == "novice":
        return Novice().choose(view, chance)
    return _expert().choose(view, chance, Limit(seconds, playouts, stop))


def advise(
    view: View,
    seed: int,
    seconds: float,
    playouts: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[Advice, ...]:
    """What the Expert would do now and the two next best, the best first; empty if nothing."""
    limit = Limit(seconds, playouts, stop)
    weighed = _expert().weigh(view, random.Random(seed), limit)
    return tuple(Advice(one.choice.action, one.points) for one in weighed[:3])


@cache
def _expert() -> Expert:
    """The one Expert of this process. Compiled code is only loaded where somebody asks for it."""
    from players.expert.thinking import Expert

    return Expert()
