"""Accuracy of a person: what their decisions cost on average, from their reviewed rounds.

The decisions of a round depend on each other, so the samples are rounds: the mean cost of a
decision is the ratio of two sums over rounds, and its standard error comes from the jackknife. A
cost may be negative, because it is an unbiased estimate; clipping it would bias the mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import sqrt
from typing import NamedTuple

from bot.coach.stored_review import read_costs
from bot.ids import UserId
from bot.records import JudgedRound
from bot.standings.student import quantile
from players.coach.decisions import KINDS, Kind

MOST_ROUNDS = 200
"""Largest number of rounds, the last ones, that count."""
FEWEST_ROUNDS, FEWEST_DECISIONS = 5, 50
"""Fewest rounds and decisions for which a mean is given."""
FEWEST_OF_KIND = 15
"""Fewest decisions of one kind for which a mean is given."""
TREND_ROUNDS = 20
"""Number of rounds of a moving mean."""
CONFIDENCE = 0.95
"""Probability of the intervals to contain the true mean."""


class MeanCost(NamedTuple):
    """Mean cost of a decision, in points."""

    mean: float
    error: float
    """Standard error."""
    decisions: int
    rounds: int
    """Number of rounds with these decisions."""

    @property
    def margin(self) -> float:
        """Half the width of the 95 % interval."""
        return self.error * quantile(_two_sided(1), self.rounds - 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Ends of the 95 % interval."""
        return self.mean - self.margin, self.mean + self.margin


class Practice(NamedTuple):
    """Kind of decisions that costs most."""

    kind: Kind
    per_round: float
    """Its mean cost in a round, in points."""


class TrendPoint(NamedTuple):
    """Moving mean over the last rounds until a time."""

    at: datetime
    cost: MeanCost


class Accuracy(NamedTuple):
    """Accuracy of a person."""

    rounds: int
    decisions: int
    overall: MeanCost | None
    """`None` if there are too few rounds or decisions."""
    kinds: Mapping[Kind, MeanCost | None]
    """Mean cost of each kind that occurred; `None` if it occurred too rarely."""
    practice: Practice | None
    """Kind that surely costs most; `None` if it is not sure."""
    halves: tuple[MeanCost, MeanCost] | None
    """Mean of the earlier and of the later half of the rounds; `None` if they are too short."""
    trend: tuple[TrendPoint, ...]
    """Moving means, the oldest first."""


class Standing(NamedTuple):
    """A person in a comparison."""

    user_id: UserId
    cost: MeanCost
    within_chance: bool
    """True if the lead of the first person over this one may be chance; false for the first."""


def accuracy(rounds: Sequence[JudgedRound]) -> Accuracy:
    """Return the accuracy of a person from their reviewed rounds, the newest first."""
    judged = [read_costs(each.body) for each in rounds]
    costs = [[cost for _, cost in each] for each in judged]
    by_kind = {
        kind: [[cost for each, cost in round_ if each == kind] for round_ in judged]
        for kind in KINDS
    }
    overall = mean_cost(costs)
    middle = len(costs) // 2
    earlier, later = mean_cost(costs[len(costs) - middle :]), mean_cost(costs[:middle])
    return Accuracy(
        rounds=len(rounds),
        decisions=sum(map(len, costs)),
        overall=overall,
        kinds={
            kind: mean_cost(found, FEWEST_OF_KIND) for kind, found in by_kind.items() if any(found)
        },
        practice=None if overall is None else _practice(by_kind),
        halves=None if earlier is None or later is None else (earlier, later),
        trend=tuple(_trend(rounds, costs)),
    )


def mean_cost(
    rounds: Sequence[Sequence[float]], fewest_decisions: int = FEWEST_DECISIONS
) -> MeanCost | None:
    """Return the mean cost of the decisions of these rounds, or `None` if there are too few."""
    sums = [(sum(costs), len(costs)) for costs in rounds if costs]
    cost, decisions = sum(cost for cost, _ in sums), sum(number for _, number in sums)
    if len(sums) < FEWEST_ROUNDS or decisions < fewest_decisions:
        return None
    without_each = [(cost - own) / (decisions - number) for own, number in sums]
    return MeanCost(cost / decisions, _jackknife_error(without_each), decisions, len(sums))


def compare(rounds: Iterable[JudgedRound]) -> list[Standing]:
    """Return the people with enough reviewed rounds among these, the most accurate first.

    A lead of the first is within chance if the 95 % interval of the difference reaches 0. The first
    was selected and is compared with all others, so the intervals are simultaneous (Bonferroni).
    """
    by_person: dict[UserId, list[list[float]]] = {}
    for each in rounds:
        by_person.setdefault(each.user_id, []).append([cost for _, cost in read_costs(each.body)])
    means = ((user_id, mean_cost(found)) for user_id, found in by_person.items())
    known = [(user_id, cost) for user_id, cost in means if cost is not None]
    order = sorted(known, key=lambda item: item[1].mean)
    level = _two_sided(max(1, len(order) - 1))
    standings: list[Standing] = []
    for user_id, cost in order:
        best = order[0][1]
        factor = quantile(level, min(cost.rounds, best.rounds) - 1)
        margin = factor * sqrt(cost.error**2 + best.error**2)
        within_chance = bool(standings) and cost.mean - best.mean <= margin
        standings.append(Standing(user_id, cost, within_chance))
    return standings


def _two_sided(comparisons: int) -> float:
    """Return the probability below the upper end of one of several 95 % intervals."""
    return 1 - (1 - CONFIDENCE) / (2 * comparisons)


def _jackknife_error(without_each: Sequence[float]) -> float:
    """Return the standard error of a statistic from its values without each of the samples."""
    count = len(without_each)
    middle = sum(without_each) / count
    return sqrt((count - 1) / count * sum((value - middle) ** 2 for value in without_each))


def _practice(by_kind: Mapping[Kind, Sequence[Sequence[float]]]) -> Practice | None:
    """Return the kind that costs most in a round, if it surely costs more than each other kind."""
    sums = {kind: [sum(costs) for costs in rounds] for kind, rounds in by_kind.items()}
    kind = max(sums, key=lambda each: sum(sums[each]))
    count = len(sums[kind])
    factor = quantile(_two_sided(len(sums) - 1), count - 1)
    for other in sums.keys() - {kind}:
        leads = [own - less for own, less in zip(sums[kind], sums[other], strict=True)]
        total = sum(leads)
        error = _jackknife_error([(total - lead) / (count - 1) for lead in leads])
        if total / count <= factor * error:
            return None
    return Practice(kind, sum(sums[kind]) / count)


def _trend(rounds: Sequence[JudgedRound], costs: Sequence[Sequence[float]]) -> Iterator[TrendPoint]:
    """Yield the moving mean after each round that has enough others before it."""
    for newest in reversed(range(len(rounds))):
        cost = mean_cost(costs[newest : newest + TREND_ROUNDS])
        if cost is not None:
            yield TrendPoint(rounds[newest].ended_at, cost)
