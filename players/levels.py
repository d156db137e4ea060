"""The computer players by level, and the one door through which a seat is played.

A caller gives the view of the seat, a seed for all randomness, and the longest time to think.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from engine import Action, View
from players.limit import Limit
from players.novice.player import Novice

if TYPE_CHECKING:
    from players.expert.thinking import Expert

Level = Literal["novice", "expert"]


class Advice(NamedTuple):
    """An action, and what it is expected to bring."""

    action: Action
    points: float
    """Points of the seat's team in this round more than the others'; in a game without points the
    place of the seat, counted from the last one up."""


def prepare(level: Level) -> None:
    """Load and compile what this level needs; the first time this takes up to a minute."""
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
    """The action of this view's seat, or `None` when nothing is asked of it.

    The Expert thinks for `seconds`, or for a number of `playouts` if one is given. With `playouts`
    the same view and seed always give the same action; the Novice's always do. The Expert ends
    early when `stop`, which is called often, returns true.
    """
    rng = random.Random(seed)
    if level == "novice":
        return Novice().choose(view, rng)
    return _expert().choose(view, rng, Limit(seconds, playouts, stop))


def advise(
    view: View,
    seed: int,
    seconds: float,
    playouts: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[Advice, ...]:
    """The Expert's three best actions, the best first; empty when it has nothing to decide.

    The parameters are those of `choose`.
    """
    limit = Limit(seconds, playouts, stop)
    weighed = _expert().weigh(view, random.Random(seed), limit)
    return tuple(Advice(best.choice.action, best.points) for best in weighed[:3])


@cache
def _expert() -> Expert:
    """The one Expert of this process. Compiled code is only loaded where somebody asks for it."""
    from players.expert.thinking import Expert

    return Expert()
