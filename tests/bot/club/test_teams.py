"""Teams of four: IMPs and victory points of the published tables."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from bot.club.competition import Boards, Competition, Match, Result
from bot.club.formats.teams import Teams, compare, imps, victory_points
from tests.bot.club.competitions import new, numbers

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


# --- the format ----------------------------------------------------------------------------------


def teams_of(*rounds: tuple[Boards, Boards]) -> Competition:
    """Return a match of two teams after rounds with these points at both tables."""
    competition = new(4, planned=len(rounds))
    for boards in rounds:
        pairings = Teams().pair(competition)
        matches = tuple(
            Match(sides, Result("played", 0, boards=points))
            for sides, points in zip(pairings, boards, strict=True)
        )
        competition = replace(competition, rounds=(*competition.rounds, matches))
    return competition


def test_each_team_has_the_first_seats_at_one_table() -> None:
    assert numbers(Teams().pair(new(4))) == [(1, 2), (3, 4)]
    swapped = teams_of((((0, 0),), ((0, 0),)), (((0, 0),), ((0, 0),)))
    assert [side[0] for match in swapped.rounds[1] for side in match.sides] == [2, 1, 4, 3]
    assert Teams().pair(swapped) == ()


def test_team_that_makes_more_of_the_same_cards_is_first() -> None:
    # With the first seats' cards team 1 & 4 has 200 at table 1; team 2 & 3 only 100 at table 2.
    competition = teams_of((((200, 0),), ((100, 0),)))
    lines = Teams().standings(competition)
    assert [(line.place, line.entrant) for line in lines] == [(1, 1), (1, 4), (3, 2), (3, 3)]
    assert lines[0].score + lines[2].score == 20
    assert lines[0].score > 10


def test_rounds_with_swapped_seats_count_together() -> None:
    first = ((200, 0),), ((100, 0),)
    level = Teams().standings(teams_of(first, first))
    assert {line.score for line in level} == {10}, "each team had the better cards once"


def test_without_a_common_deal_both_teams_are_level() -> None:
    competition = teams_of((((200, 0),), ()))
    assert {line.score for line in Teams().standings(competition)} == {10}
