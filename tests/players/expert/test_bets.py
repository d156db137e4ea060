"""Decisions to call by the true probability, by earlier calls, and by the score."""

from __future__ import annotations

import pytest

from players.expert.bets import Bars, Bet, swing
from players.expert.endgame import Stake
from players.expert.odds import match_odds

START = Stake(match_odds(), 0, 0)


def bet(first: float, stake: int = 100) -> Bet:
    """Return a call with this success rate in playouts, worth its stake at that rate."""
    whole = swing(START, stake)
    return Bet(stake, first, (first - 0.5) * whole, whole)


@pytest.mark.parametrize("stake", [100, 200])
def test_the_real_chance_grows_with_that_in_playouts(stake: int) -> None:
    chances = [bet(part / 20, stake).chance for part in range(21)]
    assert chances == sorted(chances)
    assert chances[0] < 0.1
    assert chances[-1] > 0.9


def test_a_doubtful_tichu_is_made_more_often_than_in_playouts() -> None:
    assert bet(0.55).chance > 0.6
    assert bet(0.55, 200).chance == pytest.approx(0.55)
    assert bet(0.97).chance < 0.97


def test_a_higher_bar_takes_a_better_chance() -> None:
    good = bet(0.8)
    assert good.pays(Bars(tichu=0.1))
    assert not good.pays(Bars(tichu=0.6))
    assert good.excess(Bars(tichu=0.1)) == pytest.approx(good.real_gain - 0.05 * good.swing)
    assert bet(0.75, stake=200).pays(Bars(grand=0.1))
    assert not bet(0.75, stake=200).pays(Bars(grand=0.6))


def test_the_swing_of_a_call_is_what_the_score_makes_of_it() -> None:
    assert swing(Stake(match_odds()[:0, :0], 0, 0), 100) == 200.0
    assert 0.1 < swing(START, 100) < swing(Stake(match_odds(), 800, 800), 100)
    assert swing(Stake(match_odds(), -400, 950), 100) < 0.02
    assert swing(START, 200) == pytest.approx(2 * swing(START, 100), rel=0.1)
