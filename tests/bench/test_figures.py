"""The tournament's statistics on numbers that can be worked out by hand."""

from __future__ import annotations

import pytest

from bench.duplicate import Called, Played, Round
from bench.figures import CallKind, Times, compare, mean, share, times_of


def test_mean_takes_the_two_rounds_of_a_deal_for_one_observation() -> None:
    # Four deals whose means are 10, 20, 30 and 40: 25, with a standard deviation of 12.91 and
    # hence 12.65 to either side. How the two rounds of a deal differ does not matter.
    found = mean([[110, -90], [20, 20], [-170, 230], [35, 45]])
    assert found.value == 25
    assert found.high - found.value == pytest.approx(1.959964 * 12.909944 / 2, rel=1e-6)
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_mean_weighs_deals_by_their_rounds() -> None:
    # Three rounds, 60 points: a ratio. Squares about it: (30 - 40)² + (30 - 20)² = 200.
    found = mean([[10, 20], [30]])
    assert found.value == 20
    assert found.high - found.value == pytest.approx(1.959964 * (200 * 2 / 1) ** 0.5 / 3, rel=1e-6)


def test_one_deal_alone_tells_nothing_about_the_bounds() -> None:
    assert mean([[10, 20]]) == (15, float("-inf"), float("inf"))


def test_share_has_wilsons_bounds() -> None:
    # Newcombe's example (1998): 81 of 263 is 0.3080, from 0.2553 to 0.3662.
    assert share(81, 263) == pytest.approx((0.3080, 0.2553, 0.3662), abs=5e-5)
    assert share(10, 10).high == pytest.approx(1)
    assert 0.7 < share(10, 10).low < 0.73


def test_times() -> None:
    assert times_of([float(n) for n in range(200, 0, -1)]) == Times(100.5, 198.0, 200.0)
    assert times_of([3.0]) == Times(3.0, 3.0, 3.0)


def test_standing_counts_up_boards() -> None:
    first = Played(
        rounds=(
            Round(0, 1, 200.0, (Called(0, 100, True, True), Called(1, 200, False, False)), 0),
            Round(1, 1, -100.0, (Called(0, 100, False, False),), None),
            Round(1, 2, 60.0, (Called(0, 100, True, False),), 1),
        ),
        won=(1.0, 0.0),
        times=((1.0, 3.0), (5.0,)),
        exchanges=((3.0,), ()),
    )
    second = Played((Round(0, 1, 20.0, (), None),), (1.0, 0.5), ((2.0,), (7.0,)), ((), ()))
    found = compare({7: first, 3: second})
    assert (found.rounds, found.deals, found.matches) == (4, 3, 4)
    assert found.margin == mean([[200, -100], [60], [20]])
    assert found.won == share(2.5, 4)
    assert found.ahead == mean([[1, 0], [1], [1]])
    us, them = found.sides
    assert us.calls[CallKind.ALONE] == (1, 2, share(1, 2), mean([[0, 1], [1], [0]]))
    assert us.calls[CallKind.OVER] == (1, 1, share(1, 1), mean([[1, 0], [0], [0]]))
    assert us.calls[CallKind.GRAND] == (0, 0, None, (0, 0, 0))
    assert them.calls[CallKind.GRAND][:3] == (0, 1, share(0, 1))
    assert us.from_calls == mean([[100, -100], [100], [0]])
    assert them.from_calls.value == -50
    assert us.sweeps == mean([[1, 0], [0], [0]])
    assert (us.times, them.times) == (Times(2, 3, 3), Times(6, 7, 7))
    assert (us.exchanges, them.exchanges) == (Times(3, 3, 3), None)
