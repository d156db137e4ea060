"""Quantiles of Student's t distribution."""

import pytest

from bot.standings.student import quantile


@pytest.mark.parametrize(
    "probability, freedom, exact",
    [(0.975, 3, 3.182), (0.975, 4, 2.776), (0.975, 29, 2.045), (0.995, 9, 3.250)],
)
def test_quantiles_of_the_t_distribution(probability: float, freedom: int, exact: float) -> None:
    assert quantile(probability, freedom) == pytest.approx(exact, rel=0.01)
