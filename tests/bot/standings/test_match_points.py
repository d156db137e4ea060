"""Match points of results, their means, and leads within chance."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from bot.standings.daily_standings import FEWEST_DAYS, Standing, is_within_chance
from bot.standings.match_points import chance_variance, match_points


def test_match_points_are_the_share_of_worse_results_with_ties_half() -> None:
    """Compare with the definition, for each result and the other ones."""
    rng = random.Random(1)
    for _ in range(200):
        results = [5 * rng.randint(-8, 8) for _ in range(rng.randint(2, 30))]
        board = match_points(rng.sample(results, len(results)))
        assert board is not None
        for own, points in enumerate(results):
            others = [each for number, each in enumerate(results) if number != own]
            share = fmean([(each < points) + (each == points) / 2 for each in others])
            assert board.by_points[points] == pytest.approx(100 * share)
        assert fmean(board.by_points[points] for points in results) == pytest.approx(50)


@pytest.mark.parametrize("results", [[], [100]])
def test_nobody_has_match_points_without_others(results: list[int]) -> None:
    assert match_points(results) is None


def test_chance_variance_is_that_of_lots() -> None:
    """Compare with all pairs of places, and with the uniform distribution."""
    for size in (2, 3, 7):
        values = [100 * place / (size - 1) for place in range(size)]
        pairs = [(a - b) ** 2 for a in values for b in values if a != b]
        assert chance_variance(size) == pytest.approx(fmean(pairs) / 2)
    assert chance_variance(10_000) == pytest.approx(100**2 / 12, rel=0.001)


def standing(points: list[float], size: int) -> Standing:
    """Return the standing of a person with these match points, on boards of this size."""
    return Standing(
        len(points),
        sum(points),
        sum(each**2 for each in points),
        len(points) * chance_variance(size),
    )


@pytest.mark.parametrize("size", [2, 3, 10])
@pytest.mark.parametrize("days", [FEWEST_DAYS, 7, 30])
def test_leads_of_equal_people_are_mostly_within_chance(size: int, days: int) -> None:
    """At most one lead in twenty is not, however few days and people there are."""
    rng, beyond, tries = random.Random(7), 0, 1000
    places = [100 * place / (size - 1) for place in range(size)]
    for _ in range(tries):
        drawn = [rng.sample(places, 2) for _ in range(days)]
        people = (standing(list(each), size) for each in zip(*drawn, strict=True))
        worse, better = sorted(people, key=lambda each: each.mean)
        beyond += not is_within_chance(better, worse)
    assert beyond / tries <= 0.05 + 0.014  # two standard errors of the share


def test_a_large_lead_over_many_days_is_beyond_chance() -> None:
    good, bad = [70.0, 60.0, 80.0, 90.0] * 5, [30.0, 40.0, 20.0, 10.0] * 5
    assert not is_within_chance(standing(good, 50), standing(bad, 50))
    assert is_within_chance(standing(good[:4], 50), standing(bad[:4], 50))


def test_equal_results_on_a_few_days_are_not_certain() -> None:
    """The variance from four equal results would be 0."""
    low, high = standing([75.0] * 4, 50).interval
    assert (low < 50, high) == (True, 100)
    assert is_within_chance(standing([100.0] * 4, 2), standing([0.0] * 4, 2))
