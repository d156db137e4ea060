"""Teams of four: IMPs and victory points of the published tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from bot.club.formats.teams import compare, imps, victory_points

LAW_78B = [0, 20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300]
"""Smallest differences of points for 0 IMPs, for 1, and so on."""


@pytest.mark.parametrize("expected", range(16))
def test_imps_of_law_78b(expected: int) -> None:
    for difference in (LAW_78B[expected], LAW_78B[expected + 1] - 5):
        assert imps(difference) == expected
        assert imps(-difference) == -expected


def test_the_most_imps_are_24() -> None:
    assert [imps(difference) for difference in (2490, 2500, 3490, 3990, 4000, 9000)] == [
        *(20, 21, 22, 23, 24, 24)
    ]


def test_victory_points_of_the_published_scale() -> None:
    """The begin of the scale of the World Bridge Federation for 20 deals."""
    assert [victory_points(margin, 20)[0] for margin in range(3)] == [
        Fraction("10"),
        Fraction("10.28"),
        Fraction("10.55"),
    ]


@pytest.mark.parametrize("boards", [1, 4, 20, 32])
def test_further_imps_count_less_up_to_the_end_of_the_scale(boards: int) -> None:
    end = 15 * boards**0.5
    won = [victory_points(margin, boards) for margin in range(int(end) + 3)]
    steps = [after[0] - before[0] for before, after in pairwise(won)]
    assert all(0 <= after <= before + Fraction(1, 100) for before, after in pairwise(steps))
    assert won[-1] == (Fraction(20), Fraction(0))
    assert won[int(end - 1)][0] < 20
    assert all(sum(each) == 20 for each in won)
    assert [victory_points(-margin, boards) for margin in range(len(won))] == [
        each[::-1] for each in won
    ]


def test_the_team_with_better_results_on_the_same_cards_wins() -> None:
    """The team lost both deals at its first table, but by less than the others at the second."""
    first = ((0, 200), (45, 55), (100, 0))
    second = ((300, 0), (45, 55))
    score = compare(first, second)
    assert score.points == (-500, 0)
    assert score.imps == -11
    assert sum(score.victory_points) == 20
    assert compare(((0, 200),), ((0, 300),)).points == (100,)
    assert compare((), ()).victory_points == (Fraction(10), Fraction(10))
