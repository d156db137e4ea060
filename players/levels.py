"""The computer players by level: callers outside ask here for an action or for advice.

They give the view of a seat, a seed for all randomness, and the longest time to think.
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
    """An action that the Expert suggests."""

    action: Action
    """What to do."""
    points: float
    """What it is expected to bring in this round: the points of the seat's team less those of the
    others; in a game without points the place of the seat, counted from the last one up."""


def prepare(level: Level) -> None:
    """Load what this level needs; compile it first if that was not done yet (up to a minute)."""
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

    The Expert thinks for `seconds`, or for a number of `playouts` if one is given. It ends early
    when `stop`, which is called often, returns true. The same view and seed always give the same
    action of a Novice, and of an Expert that counts playouts.
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
    """The one Expert of this process, made when it is first asked: that loads compiled code."""
    from players.expert.thinking import Expert

    return Expert()
