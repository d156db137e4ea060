"""Mean cost of decisions, its uncertainty, and comparisons."""

from __future__ import annotations

import random

import pytest

from bot.coach.accuracy import accuracy, compare, mean_cost
from bot.coach.stored_review import write_review
from bot.ids import UserId
from engine import Pass
from players.coach.decisions import Kind
from players.coach.estimates import Estimate
from players.coach.review import Judged, Review
from tests.bot.coach.judged_rounds import ADA, NOON, Costs, judged_rounds

BEN, CAI = UserId(2), UserId(3)
EXPENSIVE: Costs = [("exchange", 20.0), ("lead", 1.0), ("follow", 0.0), ("pass", -1.0)] * 3


def some_rounds(count: int, seed: int, scale: float = 1.0) -> list[Costs]:
    """Return rounds in which a third of the decisions cost something, in bad rounds more."""
    rng = random.Random(seed)
    kinds: tuple[Kind, ...] = ("lead", "follow", "pass")
    rounds: list[Costs] = []
    for _ in range(count):
        bad = rng.choice((0.5, 1.0, 2.0)) * scale
        decisions = [
            (rng.choice(kinds), bad * rng.gammavariate(1, 12) - 4 if rng.random() < 1 / 3 else 0.0)
            for _ in range(rng.randint(6, 18))
        ]
        rounds.append(decisions)
    return rounds


def only_costs(rounds: list[Costs]) -> list[list[float]]:
    """Return the costs without their kinds."""
    return [[cost for _, cost in each] for each in rounds]


def test_mean_weighs_all_decisions_equally() -> None:
    cost = mean_cost([[10.0] * 40, [0.0] * 10, [0.0] * 10, [0.0] * 10, [], [0.0] * 10])
    assert cost is not None
    assert (cost.mean, cost.decisions, cost.rounds) == (5.0, 80, 5)


def test_negative_costs_are_not_clipped() -> None:
    cost = mean_cost([[-4.0] * 6 + [1.0] * 6] * 5)
    assert cost is not None
    assert cost.mean == -1.5
    assert cost.interval == (-1.5, -1.5)
    half_negative = accuracy(judged_rounds([[("lead", -3.0), ("pass", 2.0)] * 6] * 5))
    assert half_negative.overall is not None
    assert half_negative.overall.mean == -0.5
    assert [cost.mean for cost in half_negative.kinds.values() if cost] == [-3.0, 2.0]


def test_reads_stored_reviews() -> None:
    pass_ = Pass(0)
    judged = [Judged(at, "pass", Estimate(2.5, 1.0, 4.0), pass_, pass_, None) for at in range(10)]
    stored = write_review(Review(tuple(judged), (judged[0],), (), ()))
    rounds = [each.model_copy(update={"body": stored}) for each in judged_rounds([[]] * 5)]
    found = accuracy(rounds)
    assert found.overall is not None
    assert (found.overall.mean, found.overall.decisions) == (2.5, 50)


@pytest.mark.parametrize(
    "rounds, decisions, known", [(4, 13, False), (5, 9, False), (5, 10, True), (49, 1, False)]
)
def test_few_rounds_or_decisions_give_no_mean(rounds: int, decisions: int, known: bool) -> None:
    found = accuracy(judged_rounds([[("lead", 1.0)] * decisions] * rounds))
    assert (found.overall is not None) == known
    assert (found.rounds, found.decisions) == (rounds, rounds * decisions)
    assert bool(found.trend) == known
    assert found.practice is None or known


def test_interval_covers_the_true_mean() -> None:
    """Rounds are the samples: as if decisions were independent, the interval would be too short."""
    truth = mean_cost(only_costs(some_rounds(20_000, seed=0)))
    assert truth is not None
    for count, least in ((5, 0.85), (30, 0.91)):
        covered = 0
        for seed in range(1, 401):
            cost = mean_cost(only_costs(some_rounds(count, seed)), fewest_decisions=1)
            assert cost is not None
            low, high = cost.interval
            covered += low <= truth.mean <= high
        assert least <= covered / 400 <= 0.985, count


def test_kinds_are_separate_and_rare_ones_unknown() -> None:
    leads: Costs = [("lead", 4.0)] * 3
    calls: Costs = [("call", 1.0)] * 9
    found = accuracy(judged_rounds([[*leads, *calls, ("gift", 30.0)], *[leads + calls] * 5]))
    assert list(found.kinds) == ["call", "lead", "gift"]
    lead, gift = found.kinds["lead"], found.kinds["gift"]
    assert lead is not None
    assert (lead.mean, lead.decisions) == (4.0, 18)
    assert gift is None


def test_practice_is_the_kind_that_surely_costs_most() -> None:
    found = accuracy(judged_rounds([EXPENSIVE] * 8))
    assert found.practice is not None
    assert found.practice.kind == "exchange"
    assert found.practice.per_round == pytest.approx(60.0)
    by_chance = accuracy(judged_rounds(some_rounds(8, seed=5)))
    assert by_chance.overall is not None
    assert by_chance.practice is None


def test_trend_is_a_moving_mean_with_the_oldest_first() -> None:
    better: Costs = [("lead", 1.0)] * 10
    worse: Costs = [("lead", 3.0)] * 10
    found = accuracy(judged_rounds([better] * 30 + [worse] * 30))
    assert len(found.trend) == 56
    assert [point.at for point in found.trend] == sorted(point.at for point in found.trend)
    assert found.trend[-1].at == NOON
    assert [found.trend[at].cost.mean for at in (0, 25, 35, 55)] == [3.0, 3.0, 2.0, 1.0]
    assert found.halves is not None
    assert [half.mean for half in found.halves] == [3.0, 1.0]
    assert accuracy(judged_rounds([better] * 9)).halves is None


def test_comparison_orders_people_and_marks_leads_within_chance() -> None:
    rounds = (
        judged_rounds(some_rounds(40, seed=1), BEN)
        + judged_rounds(some_rounds(40, seed=2), CAI)
        + judged_rounds(some_rounds(40, seed=3, scale=6.0), ADA)
        + judged_rounds(some_rounds(4, seed=4), UserId(4))
    )
    standings = compare(rounds)
    means = [each.cost.mean for each in standings]
    assert means == sorted(means)
    assert {each.user_id for each in standings} == {ADA, BEN, CAI}, "one has too few rounds"
    assert standings[-1].user_id == ADA
    assert [each.within_chance for each in standings] == [False, True, False]
    assert compare([]) == []


def test_leads_between_equal_people_are_rarely_called_sure() -> None:
    """Of six equal people the best was selected, which the intervals take into account."""
    wrong = 0
    for seed in range(150):
        rounds = [
            each
            for person in range(6)
            for each in judged_rounds(some_rounds(15, seed * 6 + person), UserId(person + 1))
        ]
        _, *others = compare(rounds)
        wrong += not all(each.within_chance for each in others)
    assert wrong / 150 <= 0.1
