"""The probability to win a match from its score."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.rounds import shuffled
from engine import Options, deal, new_match, view
from players.expert.odds import _round_results, match_odds, round_odds, score_index
from players.expert.thinking import stake_of


def odds(ours: int, theirs: int) -> float:
    table = match_odds()
    return float(table[score_index(table, ours), score_index(table, theirs)])


@pytest.mark.parametrize("score", [(0, 0), (300, 120), (485, 490), (-200, 350)])
def test_both_teams_together_win_once(score: tuple[int, int]) -> None:
    ours, theirs = score
    assert odds(ours, theirs) + odds(theirs, ours) == pytest.approx(1.0, abs=0.002)


def test_a_match_that_is_over_is_won_or_lost() -> None:
    assert odds(1000, 995) == 1.0
    assert odds(1005, 1100) == 0.0
    assert odds(1000, 1000) == pytest.approx(0.5, abs=0.01)


def test_points_are_worth_more_near_the_target() -> None:
    early = odds(100, 0) - odds(0, 0)
    late = odds(950, 850) - odds(850, 850)
    assert 0.05 < early < late


def test_a_tichu_is_no_bet_for_a_team_that_is_nearly_there() -> None:
    """At 950 to 600 a failed call costs more than a made one brings; far behind it is reversed."""
    ahead = (odds(1100, 650) - odds(1000, 650), odds(1000, 650) - odds(900, 650))
    behind = (odds(750, 1050) - odds(650, 1000), odds(650, 1000) - odds(550, 1000))
    assert ahead[0] < ahead[1]
    assert behind == (0.0, 0.0)
    assert odds(800, 900) - odds(700, 900) > odds(700, 900) - odds(600, 900)


def test_rounds_are_as_wide_as_those_that_were_measured() -> None:
    """A standard deviation of 202 points, and 31 % double victories, in 494 rounds of Experts."""
    results = _round_results()
    assert sum(results.values()) == pytest.approx(1.0)
    squares = sum(chance * (won - lost) ** 2 for (won, lost), chance in results.items())
    assert 185 < squares**0.5 < 215
    assert all(results[lost, won] == pytest.approx(results[won, lost]) for won, lost in results)


def test_in_a_match_of_rounds_a_lead_is_worth_more_the_fewer_are_left() -> None:
    chances = []
    for left in (8, 3, 1, 0):
        table = round_odds(left)
        place, level = score_index(table, 550), score_index(table, 450)
        assert table.shape == match_odds().shape
        assert table[level, level] == 0.5
        assert table[place, level] + table[level, place] == pytest.approx(1.0)
        chances.append(table[place, level])
    assert chances == sorted(chances)
    assert chances[0] < 0.6 < 0.99 < chances[-1]


@pytest.mark.parametrize("seat, ahead", [(0, 200), (1, -300), (2, -200), (3, 200)])
def test_in_trichu_a_seat_is_compared_with_the_best_of_its_opponents(seat: int, ahead: int) -> None:
    """The dealer, seat 0, also counts their own score at the Table, which is in seat 3."""
    match = new_match(Options.from_values("trichu", {"rounds": 3}))
    match, _ = deal(match, shuffled(match, random.Random(1)))
    seen = replace(view(match, seat), totals=(400, 100, 200, 300), number=2)
    stake = stake_of(seen)
    assert stake.ours - stake.theirs == ahead
    assert stake.odds is round_odds(1)
