"""Knock-out: the draw by seeds, who goes on, and places."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.club.competition import Competition, Result
from bot.club.formats.knock_out import KnockOut
from tests.bot.club.competitions import (
    DRAW,
    NOBODY_CAME,
    VOID,
    forfeited,
    lost,
    new,
    next_round,
    numbers,
    pairs,
    places,
    without,
)

RULES = KnockOut()


def drawn(competition_size: int) -> list[tuple[int, ...]]:
    """Return the pairs of the first round in the order of the draw, lower numbers first."""
    return [tuple(sorted(each)) for each in numbers(RULES.pair(new(competition_size)))]


def test_seeds_are_drawn_so_that_the_best_meet_last() -> None:
    assert drawn(8) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    competition = new(64)
    for remaining in (64, 32, 16, 8, 4, 2):
        assert all(one + other == remaining + 1 for one, other in _first(competition))
        competition = next_round(RULES, competition)
    assert RULES.pair(competition) == ()


def test_the_highest_seeds_have_the_byes() -> None:
    assert drawn(6) == [(1,), (4, 5), (2,), (3, 6)]
    assert drawn(5) == [(1,), (4, 5), (2,), (3,)]
    assert [RULES.length(new(count)) for count in (4, 5, 8, 9, 64)] == [2, 3, 3, 4, 6]


def test_winners_of_neighbours_meet_and_losers_play_for_the_third_place() -> None:
    competition = next_round(RULES, new(8), {(1, 8): lost(), (3, 6): lost()})
    assert pairs(RULES.pair(competition)) == {(4, 8), (2, 6)}
    competition = next_round(RULES, competition)
    assert [sorted(each) for each in numbers(RULES.pair(competition))] == [[2, 4], [6, 8]]
    competition = next_round(RULES, competition, {(6, 8): lost()})
    assert RULES.pair(competition) == ()
    assert places(RULES, competition) == {2: 1, 4: 2, 8: 3, 6: 4, 1: 5, 3: 5, 5: 5, 7: 5}


def test_without_a_third_place_both_losers_share_it() -> None:
    competition = replace(new(4), third_place=False)
    competition = next_round(RULES, next_round(RULES, competition))
    assert places(RULES, competition) == {1: 1, 2: 2, 3: 3, 4: 3}


@pytest.mark.parametrize("result", [DRAW, VOID, NOBODY_CAME])
def test_the_higher_seed_goes_on_without_a_winner(result: Result) -> None:
    competition = next_round(RULES, new(4), {(2, 3): result})
    assert pairs(RULES.pair(competition)) == {(1, 2), (3, 4)}


def test_a_forfeit_is_lost() -> None:
    competition = next_round(RULES, new(4), {(2, 3): forfeited(0)})
    assert pairs(RULES.pair(competition)) == {(1, 3), (2, 4)}


def test_the_opponent_of_who_has_withdrawn_has_a_bye() -> None:
    competition = without(next_round(RULES, new(8)), 1)
    assert sorted(map(sorted, numbers(RULES.pair(competition)))) == [[2, 3], [4]]
    competition = next_round(RULES, competition)
    assert [sorted(each) for each in numbers(RULES.pair(competition))] == [[2, 4], [3]]


def test_a_place_is_kept_if_both_winners_have_withdrawn() -> None:
    competition = without(next_round(RULES, new(8)), 1, 4)
    assert sorted(map(sorted, numbers(RULES.pair(competition)))) == [[1], [2, 3]]
    competition = next_round(RULES, competition)
    assert [sorted(each) for each in numbers(RULES.pair(competition))] == [[2], [3]]
    assert places(RULES, next_round(RULES, competition))[2] == 1


def test_seats_are_balanced() -> None:
    competition = next_round(RULES, new(8))
    before = {each[0] for each in numbers(RULES.pair(new(8)))}
    for first, second in numbers(RULES.pair(competition)):
        assert not (first in before and second not in before)


def _first(competition: Competition) -> list[tuple[int, ...]]:
    """Return the pairs of the next round without the match for the third place."""
    return sorted(pairs(RULES.pair(replace(competition, third_place=False))))
