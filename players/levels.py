"""Computer players by level: the entry point for actions and for advice.

Callers pass the view of a seat, a seed for all randomness, and the longest time to think.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from engine import Action, Match, View
from players.limit import Limit
from players.manners import TASTES, Manner
from players.novice.player import Novice
from players.preparation import has_compiled
from players.reasons import Explanation, explain

if TYPE_CHECKING:
    from players.coach.review import Task, TaskResult
    from players.expert.thinking import Expert

Level = Literal["novice", "regular", "expert"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""All levels, the weakest first."""
REGULAR_PLAYOUTS = 250
"""Number of playouts of a Regular for one decision."""
REGULAR_SECONDS = 0.01
"""Approximate time of `REGULAR_PLAYOUTS` playouts in seconds."""


class Advice(NamedTuple):
    """An action that the Expert suggests."""

    action: Action
    """The suggested action."""
    points: float
    """Expected result of this round.

    It is the points of the seat's team less those of the others, or in a game without points the
    place of the seat, counted from the last one.
    """
    explanation: Explanation | None = None
    """Reason why the action is better than the next best one, if there is a short one."""


def prepare(level: Level) -> bool:
    """Load the code of this level, and compile it first if needed (a minute or two).

    Return whether code was compiled and stored on disk.
    """
    if level == "novice":
        return False
    _expert().prepare()
    return has_compiled()


def choose(
    level: Level,
    view: View,
    seed: int,
    seconds: float,
    playouts: int | None = None,
    stop: Callable[[], bool] | None = None,
    manner: Manner = "steady",
) -> Action | None:
    """Return the action of the view's seat, or `None` if it has no decision to make.

    The Expert thinks for `seconds`, or for a number of `playouts` if one is given. The Regular is
    an Expert with few playouts that infers nothing about the hidden cards from the play of others.
    Both end early when `stop`, which is called often, returns true.

    The same view and seed always give the same action of a Novice, of a Regular, and of an Expert
    that counts playouts. `manner` is the player's preference between nearly equal choices.
    """
    rng, taste = random.Random(seed), TASTES[manner]
    if level == "novice":
        return Novice().choose(view, rng, taste)
    if level == "regular":
        limit = Limit(seconds, playouts or REGULAR_PLAYOUTS, stop)
        return _regular().choose(view, rng, limit, taste)
    return _expert().choose(view, rng, Limit(seconds, playouts, stop), taste)


def advise(
    view: View,
    seed: int,
    seconds: float,
    playouts: int | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[Advice, ...]:
    """Return the Expert's three best actions, the best first.

    Empty when there is nothing to decide. The parameters are those of `choose`.
    """
    limit = Limit(seconds, playouts, stop)
    weighed = _expert().weigh(view, random.Random(seed), limit)[:3]
    advice = [Advice(option.choice.action, option.points) for option in weighed]
    if advice:
        next_best = advice[1].action if len(advice) > 1 else None
        explanation = explain(view, advice[0].action, next_best, weighed[0].chance)
        advice[0] = advice[0]._replace(explanation=explanation)
    return tuple(advice)


def review_task(task: Task, stop: Callable[[], bool] | None = None) -> TaskResult:
    """Return the result of a part of a review; see `players.coach.review.carry_out`."""
    from players.coach.review import carry_out

    return carry_out(task, stop)


def solo_actions(
    match: Match, seed: bytes, stop: Callable[[], bool] | None = None
) -> tuple[Action, ...]:
    """Return the actions of the computers of a board; see `players.solo.play_on`."""
    from players.solo import play_on

    return play_on(match, seed, stop)


def solo_expert_action(match: Match, seed: bytes, stop: Callable[[], bool] | None = None) -> Action:
    """Return an Expert's action in the person's seat; see `players.solo.expert_choice`."""
    from players.solo import expert_choice

    return expert_choice(match, seed, stop)


@cache
def _expert() -> Expert:
    """Return the Expert of this process; the first call loads compiled code."""
    from players.expert.thinking import Expert

    return Expert()


@cache
def _regular() -> Expert:
    """Return the Regular of this process: an Expert that does not infer."""
    from players.expert.bets import Bars
    from players.expert.thinking import Expert

    return Expert(infers=False, patient=False, learned=False, bars=Bars(tichu=0.4, grand=0.25))
