"""The review of a round for one seat: its costliest choices, and the chances of its team.

A review takes seconds, so `review` is a generator of small tasks. Its caller carries them out
(`carry_out`) wherever there is time, and sends the results back. Only `carry_out` loads the code of
the Expert, so that the process of the bot stays small.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Generator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import (
    Action,
    AnswerGrand,
    Call,
    Match,
    Phase,
    RoundResult,
    Seat,
    View,
    apply,
    view,
)
from players.coach.decisions import Decision, Kind, decisions, is_call, scores
from players.coach.estimates import Chances, Estimate
from players.reasons import Explanation

if TYPE_CHECKING:
    from players.coach.judge import Judge, Stop

MOST_MARKS = 3
"""Maximum number of marks of a review."""
LEAST_COST = 5.0
"""Minimum cost of a mark, in points."""
_MOST_CONFIRMED = 6
"""Maximum number of decisions whose cost is estimated again."""
_TURNING_POINT = 0.15
"""Minimum change of the chance to win the round in a trick that is a turning point."""
_PLAYOUTS = 3000
"""Playouts that find the Expert's choice, for all choices of a decision together."""
_EXCHANGE_PLAYOUTS = 9000
"""The same for an exchange, which has up to 45 choices."""
_DEALS, _CONFIRMING_DEALS = 800, 4000
"""Deals of the first and of the second estimate of a cost."""
_CHANCE_DEALS = 500
"""Deals of a point of the curve of chances."""


class Judged(NamedTuple):
    """A decision, and what it cost."""

    at: int
    """Index of its action in the round, from 0 after the deal."""
    kind: Kind
    """Kind of what the seat chose."""
    cost: Estimate
    """Cost in points; exactly 0 if the seat chose as the Expert. Its mean may be negative."""
    own: Action
    """Action of the seat."""
    better: Action
    """Action of the Expert in its place."""
    explanation: Explanation | None
    """Reason why that is better, or the chance of a call; `None` if there is no short one."""


class Turn(NamedTuple):
    """Chances of the team at the begin of a trick, or at the end of the round."""

    at: int
    """Number of actions after the deal before this position."""
    chances: Chances


class Review(NamedTuple):
    """Review of a round for one seat."""

    judged: tuple[Judged, ...]
    """All decisions of the seat that could be judged, in their order."""
    marks: tuple[Judged, ...]
    """Decisions that cost most, in their order, with an estimate that did not select them."""
    unlucky: tuple[int, ...]
    """Indices of decisions that were right, but turned out badly."""
    curve: tuple[Turn, ...]
    """Chances of the team at each trick, and the result of the round."""


class JudgeTask(NamedTuple):
    """Task to judge a decision; its result is a `Judged`, or `None` if that is impossible."""

    decision: Decision
    seed: int


class ConfirmTask(NamedTuple):
    """Task to estimate the cost of a decision again; its result is an `Estimate`."""

    decision: Decision
    better: Action
    seed: int


class ChancesTask(NamedTuple):
    """Task to estimate the chances of the viewer's team; its result is `Chances`."""

    view: View
    seed: int


class MatchTask(NamedTuple):
    """Task to find the chance to win the match after the round; its result is a number."""

    view: View
    """View of the round, with the totals after it."""


Task = JudgeTask | ConfirmTask | ChancesTask | MatchTask
"""Part of a review, less than a second of work."""
TaskResult = Judged | Estimate | Chances | float | None
"""Result of a task; see the classes of tasks."""


class Progress(NamedTuple):
    """State of a review: decisions that are judged, and all."""

    done: int
    total: int


def review(
    dealt: Match, actions: Sequence[Action], seat: Seat, seed: int, skipped: Collection[int] = ()
) -> Generator[tuple[Task, Progress], Any, Review]:
    """Yield the tasks of a review, take their results, and return it.

    `dealt` is the match after the deal of a finished round, `actions` the actions after it. The
    review is for the person on `seat`; a computer took the actions with `skipped` indices.
    """
    own = [each for each in decisions(dealt, actions, seat) if each.at not in skipped]
    rng = random.Random(seed)
    judged: list[Judged] = []
    decided: list[Decision] = []
    for done, decision in enumerate(own):
        result = yield JudgeTask(decision, rng.getrandbits(62)), Progress(done, len(own))
        if result is not None:
            judged.append(result)
            decided.append(decision)

    marks: list[Judged] = []
    finished = Progress(len(own), len(own))
    for candidate in _candidates(judged):
        decision = decided[judged.index(candidate)]
        cost = yield ConfirmTask(decision, candidate.better, rng.getrandbits(62)), finished
        if cost.low > 0.0 and cost.mean >= LEAST_COST:
            marks.append(candidate._replace(cost=cost))
        if len(marks) == MOST_MARKS:
            break
    marks.sort(key=lambda mark: mark.at)

    curve: list[Turn] = []
    match = dealt
    for index, action in enumerate(actions):
        before = match
        match, _ = apply(match, action)
        if match.phase is Phase.LEAD and before.phase is not Phase.LEAD:
            chances = yield ChancesTask(view(match, seat), seed), finished
            curve.append(Turn(index + 1, chances))
    won, chance = _result(match, seat)
    if chance is None:
        chance = yield MatchTask(replace(view(before, seat), totals=match.totals)), finished
    curve.append(Turn(len(actions), Chances(won, chance)))
    return Review(
        tuple(judged),
        tuple(marks),
        tuple(_unlucky(judged, marks, curve, match.results[-1])),
        tuple(curve),
    )


def carry_out(task: Task, stop: Stop | None = None) -> TaskResult:
    """Return the result of a task, which is worthless if `stop` has returned true."""
    judge = _judge()
    match task:
        case ConfirmTask(decision, better, seed):
            return judge.difference(decision, better, seed, _CONFIRMING_DEALS, stop)
        case ChancesTask(seen, seed):
            return judge.chances(seen, seed, _CHANCE_DEALS, stop)
        case MatchTask(seen):
            return judge.match_chance(seen)
        case JudgeTask(decision, seed):
            return _judged(judge, decision, seed, stop)


def turning_points(curve: Sequence[Turn]) -> list[int]:
    """Return the places in the curve with the largest changes before them, in their order.

    At most two are returned, and only changes of at least 15 % of the chance to win the round.
    """
    changes = [
        (abs(after.chances.round - before.chances.round), place)
        for place, (before, after) in enumerate(pairwise(curve), start=1)
    ]
    largest = sorted((change for change in changes if change[0] >= _TURNING_POINT), reverse=True)
    return sorted(place for _, place in largest[:2])


def _judged(judge: Judge, decision: Decision, seed: int, stop: Stop | None) -> Judged | None:
    """Return a decision with its cost, or `None` if the Expert cannot judge it."""
    playouts = _EXCHANGE_PLAYOUTS if decision.kind == "exchange" else _PLAYOUTS
    suggestion = judge.suggest(decision, seed, playouts, stop)
    if suggestion is None:
        return None
    cost = Estimate(0.0, 0.0, 0.0)
    if suggestion.action != decision.action:
        cost = judge.difference(decision, suggestion.action, seed + 1, _DEALS, stop)
    own = decision.action
    return Judged(decision.at, decision.kind, cost, own, suggestion.action, suggestion.explanation)


def _candidates(judged: Sequence[Judged]) -> list[Judged]:
    """Return the decisions that may become marks, the costliest first."""
    costly = (each for each in judged if each.cost.mean >= LEAST_COST)
    return sorted(costly, key=lambda each: -each.cost.mean)[:_MOST_CONFIRMED]


def _unlucky(
    judged: Sequence[Judged],
    marks: Sequence[Judged],
    curve: Sequence[Turn],
    result: RoundResult,
) -> list[int]:
    """Return the indices of decisions that were right, but turned out badly.

    They are calls that failed, and the last decision in the trick that cost the team most, unless
    a decision of this trick was wrong.
    """
    failed = {(seat, call) for seat, call, made in result.calls if not made}
    found = [
        each.at
        for each in judged
        if is_call(each.own) and each.own == each.better and _bet_of(each.own) in failed
    ]
    drops = [
        (before.chances.round - after.chances.round, before.at, after.at)
        for before, after in pairwise(curve)
    ]
    drop, begin, end = max(drops, default=(0.0, 0, 0))
    inside = [each for each in judged if begin <= each.at < end]
    if drop >= _TURNING_POINT and inside and all(each.cost.mean < LEAST_COST for each in inside):
        found.append(inside[-1].at)
    return sorted(set(found) - {mark.at for mark in marks})


def _bet_of(action: Action) -> tuple[Seat, Call]:
    """Return the seat and the kind of a call."""
    return action.seat, Call.GRAND if isinstance(action, AnswerGrand) else Call.TICHU


def _result(over: Match, seat: Seat) -> tuple[float, float | None]:
    """Return the results of round and match for the seat's team: 1 if won; `None` if not over."""
    round_ = over.round
    assert round_ is not None
    ours, theirs = scores(over, seat)
    won = 1.0 if ours > theirs else (0.5 if ours == theirs else 0.0)
    if not over.winners:
        return won, None
    own_columns = over.variant.columns_of(round_, round_.seating.teams[seat])
    return won, float(any(column in over.winners for column in own_columns))


@cache
def _judge() -> Judge:
    """Return the judge of this process; the first call loads compiled code."""
    from players.coach.judge import Judge

    return Judge()
