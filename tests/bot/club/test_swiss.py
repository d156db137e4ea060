"""Swiss system: examples for each criterion. `bench.club` compares with an exhaustive search."""

from __future__ import annotations

from itertools import product

import pytest

from bot.club.competition import Result
from bot.club.formats.swiss import Swiss
from bot.club.formats.turns import score_of, turns_of
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
    played,
    without,
)

RULES = Swiss()


def test_the_upper_half_meets_the_lower_half_in_the_first_round() -> None:
    assert numbers(RULES.pair(new(8))) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert pairs(RULES.pair(new(7))) == {(1, 4), (2, 5), (3, 6), (7,)}


def test_equal_scores_meet() -> None:
    competition = next_round(RULES, new(8))
    assert pairs(RULES.pair(competition)) == {(1, 3), (2, 4), (5, 7), (6, 8)}


def test_first_members_are_the_smallest_numbers_that_are_possible() -> None:
    competition = played(new(4), [(1, 3), (2, 4)], {(1, 3): DRAW, (2, 4): DRAW})
    assert pairs(RULES.pair(competition)) == {(1, 4), (2, 3)}


def test_nobody_meets_twice_while_the_others_can_be_paired() -> None:
    """By scores alone 1 would meet 2, and then 3 and 4 would meet again."""
    competition = played(new(4, planned=3), [(1, 3), (2, 4)])
    competition = played(competition, [(1, 4), (2, 3)])
    assert pairs(RULES.pair(competition)) == {(1, 2), (3, 4)}
    competition = played(new(4, planned=3), [(3, 4), (1, 2)])
    competition = played(competition, [(1, 3), (2, 4)], {(1, 3): DRAW, (2, 4): DRAW})
    assert pairs(RULES.pair(competition)) == {(1, 4), (2, 3)}


def test_as_few_as_possible_meet_again() -> None:
    competition = new(4, planned=6)
    rounds = []
    while pairings := RULES.pair(competition):
        rounds.append(pairs(pairings))
        competition = played(competition, numbers(pairings))
    met = [pair for each in rounds for pair in each]
    assert len(set(met[:6])) == len(set(met[6:])) == 6


@pytest.mark.parametrize("result", [VOID, NOBODY_CAME, forfeited(0), forfeited(1)])
def test_only_matches_at_a_table_are_meetings(result: Result) -> None:
    competition = played(new(2, planned=3), [(1, 2)], {(1, 2): result})
    assert pairs(RULES.pair(without(competition))) == {(1, 2)}
    others = played(new(4, planned=3), [(1, 3), (2, 4)], {(1, 3): result, (2, 4): result})
    winner_first = result.winner is not None
    assert pairs(RULES.pair(others)) == ({(1, 2), (3, 4)} if winner_first else {(1, 3), (2, 4)})


def test_the_bye_goes_to_the_lowest_score_and_number_who_had_none() -> None:
    competition = played(new(5, planned=5), [(1, 3), (2, 4), (5,)])
    assert (4,) in pairs(RULES.pair(competition))
    competition = played(competition, [(1, 2), (5, 3), (4,)])
    assert (3,) in pairs(RULES.pair(competition))


def test_nobody_has_a_second_bye_before_all_had_one() -> None:
    competition = new(5, planned=5)
    byes = []
    while pairings := RULES.pair(competition):
        byes += [each[0] for each in numbers(pairings) if len(each) == 1]
        competition = played(competition, numbers(pairings))
    assert sorted(byes) == [1, 2, 3, 4, 5]


def test_who_won_by_forfeit_has_no_bye_as_well() -> None:
    results = {(2, 4): forfeited(0), (1, 3): DRAW}
    competition = played(new(5, planned=5), [(1, 3), (2, 4), (5,)], results)
    assert (2,) in pairs(RULES.pair(competition))
    competition = played(competition, [(4, 5), (1, 3), (2,)], {(1, 3): DRAW})
    assert (3,) in pairs(RULES.pair(competition))  # 1 and 3 have the lowest score


def test_the_bye_of_equal_scores_goes_to_who_has_played_most() -> None:
    competition = played(new(5, planned=5), [(1, 3), (2, 4), (5,)], {(2, 4): NOBODY_CAME})
    assert (3,) in pairs(RULES.pair(competition))


def test_the_upfloater_is_the_smallest_number_of_the_next_scores() -> None:
    """1, 2 and 3 have won: one of them plays 5, who drew with 6."""
    results = {(5, 6): DRAW}
    competition = played(new(8, planned=5), [(1, 4), (2, 7), (3, 8), (5, 6)], results)
    assert pairs(RULES.pair(competition)) == {(1, 3), (2, 5), (4, 6), (7, 8)} or pairs(
        RULES.pair(competition)
    ) == {(1, 3), (2, 5), (4, 7), (6, 8)}


def test_who_floated_in_the_last_round_does_not_again_before_the_last_two() -> None:
    """1 has won twice, 2 to 5 once. 2 and 4 lost to 1, so 3 is next, but played 4 with less."""
    for planned, floats_again in ((3, True), (6, False)):
        competition = played(new(6, planned=planned), [(1, 4), (2, 5), (3, 6)])
        competition = played(competition, [(1, 2), (3, 4), (5, 6)], {(3, 4): lost()})
        assert ((1, 3) if floats_again else (1, 5)) in pairs(RULES.pair(competition))


def test_entrants_who_are_absent_are_not_paired_and_can_come_back() -> None:
    competition = next_round(RULES, new(6, planned=5))
    away = without(competition, 1, 4)
    assert {number for pair in pairs(RULES.pair(away)) for number in pair} == {2, 3, 5, 6}
    back = without(next_round(RULES, away))
    assert {number for pair in pairs(RULES.pair(back)) for number in pair} == {1, 2, 3, 4, 5, 6}
    assert RULES.pair(without(competition, 1, 2, 3, 4, 5)) == ()


def test_sides_alternate() -> None:
    competition = next_round(RULES, new(4, planned=3))
    first = {each[0] for each in numbers(RULES.pair(new(4)))}
    for one, other in numbers(RULES.pair(competition)):
        assert not (one in first and other not in first)


def test_suggested_rounds() -> None:
    suggested = {count: RULES.length(new(count)) for count in (4, 5, 8, 9, 16, 32, 64)}
    assert suggested == {4: 3, 5: 4, 8: 4, 9: 5, 16: 5, 32: 6, 64: 7}
    assert RULES.length(new(8, planned=7)) == 7
    assert RULES.pair(next_round(RULES, new(4, planned=1))) == ()


def test_one_upfloater_with_a_low_score_is_better_than_three() -> None:
    """1 to 3 have 7 points, 4 to 6 have 6, and 7 to 10 have 5.

    4, 5 and 6 could be paired with 1 to 3. But one upfloater is enough, if it is 7.
    """
    low = range(7, 11)
    met = [(2, 3), (2, 6), (3, 6), (4, 6), (5, 6), *product((4, 5), low)]
    wins = {2: 5, 3: 6, 4: 1, 5: 1, 6: 6} | dict.fromkeys(low, 5)
    free = [(number, 1) for number, count in wins.items() for _ in range(count)]
    competition = played(new(10, planned=3), [*met, *free], dict.fromkeys(free, forfeited(1)))
    competition = played(competition, [(1, 2)] * 7, {(1, 2): forfeited(1)})
    assert {score_of(turns) for turns in turns_of(competition).values()} == {7, 6, 5}
    assert pairs(RULES.pair(competition)) == {(1, 3), (2, 7), (4, 5), (6, 8), (9, 10)}
