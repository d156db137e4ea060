"""Duplicate: movements, match points worked out by hand, and what was not played."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from bot.club.competition import Boards, Competition, Result
from bot.club.formats.duplicate import Duplicate, match_points
from bot.club.formats.round_robin import table_round
from tests.bot.club.competitions import (
    NOBODY_CAME,
    VOID,
    forfeited,
    new,
    next_round,
    numbers,
    places,
    played,
    without,
)

RULES = Duplicate()
HALF = Fraction(1, 2)


def deals(*differences: int) -> Result:
    """Return the result of a match with these differences in its deals."""
    boards: Boards = tuple((max(each, 0), max(-each, 0)) for each in differences)
    return Result("played", 0, (sum(differences), 0), boards)


def shares(competition: Competition) -> dict[int, Fraction]:
    """Return the share of the match points of each pair."""
    return {int(line.entrant): line.score for line in RULES.standings(competition)}


def tables(count: int) -> list[list[tuple[int, ...]]]:
    """Return all rounds of a movement."""
    competition, rounds = new(count), list[list[tuple[int, ...]]]()
    while pairings := RULES.pair(competition):
        rounds.append(numbers(pairings))
        competition = played(competition, rounds[-1])
    return rounds


def competing(rounds: list[list[tuple[int, ...]]]) -> Counter[tuple[int, ...]]:
    """Return in how many rounds each two pairs have the same seats."""
    same = Counter[tuple[int, ...]]()
    for pairings in rounds:
        for seats in zip(*(each for each in pairings if len(each) == 2), strict=True):
            same.update(combinations(sorted(seats), 2))
    return same


@pytest.mark.parametrize("count", range(4, 13))
def test_everybody_meets_once_and_competes_equally_often(count: int) -> None:
    rounds = tables(count)
    everybody = list(combinations(range(1, count + 1), 2))
    met = [tuple(sorted(each)) for pairings in rounds for each in pairings if len(each) == 2]
    assert Counter(met) == Counter(everybody)
    byes = Counter(each[0] for pairings in rounds for each in pairings if len(each) == 1)
    assert byes == (Counter(range(1, count + 1)) if count % 2 else Counter())
    mean = (count - 2 - count % 2) / 2
    differences = {competing(rounds)[pair] - mean for pair in everybody}
    assert differences == ({0} if count in (4, 7, 8, 11, 12) else {-1, 0, 1})


@pytest.mark.parametrize("count", [5, 6])
def test_no_other_seats_of_the_table_are_more_balanced(count: int) -> None:
    mean = (count - 2 - count % 2) / 2

    def unfairness(rounds: list[list[tuple[int, ...]]]) -> float:
        same = competing(rounds)
        return sum((same[pair] - mean) ** 2 for pair in combinations(range(1, count + 1), 2))

    berger = [
        [tuple(map(int, pair)) for pair in table_round(new(count), turn)] for turn in range(5)
    ]
    swaps = product((1, -1), repeat=10)
    best = min(
        unfairness(
            [
                [first, second[:: swap[2 * turn]], third[:: swap[2 * turn + 1]]]
                for turn, (first, second, third) in enumerate(berger)
            ]
        )
        for swap in swaps
    )
    assert unfairness(tables(count)) == best


def test_more_rounds_repeat_the_table_with_swapped_seats() -> None:
    competition, rounds = new(6, planned=10), list[list[tuple[int, ...]]]()
    while pairings := RULES.pair(competition):
        rounds.append(numbers(pairings))
        competition = played(competition, rounds[-1])
    assert rounds[5:] == [[each[::-1] for each in pairings] for pairings in rounds[:5]]


def test_the_movement_stays_when_a_pair_withdraws() -> None:
    competition = next_round(RULES, new(6))
    (gone, opponent), *others = numbers(RULES.pair(competition))
    assert numbers(RULES.pair(without(competition, gone))) == [*others, (opponent,)]


def test_match_points_are_two_for_each_worse_result_and_one_for_each_equal_one() -> None:
    assert match_points([300, 100, 100, -50], 4) == [1, HALF, HALF, 0]
    assert match_points([0], 4) == [HALF]


def test_published_example_of_the_neuberg_formula() -> None:
    """English Bridge Union: ten results of eleven, with 20 as the top."""
    shares = match_points([520, 500, 490, 480, 460, 450, 430, 420, 400, -50], 11)
    expected = ["19.9", "17.7", "15.5", "13.3", "11.1", "8.9", "6.7", "4.5", "2.3", "0.1"]
    assert [20 * share for share in shares] == [Fraction(each) for each in expected]


def test_scores_are_the_mean_of_all_deals() -> None:
    """Three tables, two deals: the best and the worst results are those of table 1."""
    competition = played(
        new(6),
        [(1, 2), (3, 4), (5, 6)],
        {(1, 2): deals(200, -300), (3, 4): deals(100, 0), (5, 6): deals(100, 50)},
    )
    quarter = Fraction(1, 4)
    assert shares(competition) == {
        1: HALF,
        2: HALF,
        3: Fraction(3, 8),
        4: Fraction(5, 8),
        5: HALF + Fraction(1, 8),
        6: quarter + Fraction(1, 8),
    }


def test_byes_void_and_open_matches_count_for_nobody() -> None:
    competition = played(
        new(7), [(1, 2), (3, 4), (5, 6), (7,)], {(1, 2): deals(100), (3, 4): deals(0), (5, 6): VOID}
    )
    lines = {int(line.entrant): line for line in RULES.standings(competition)}
    assert [lines[number].played for number in range(1, 8)] == [1, 1, 1, 1, 0, 0, 0]
    # Two of three results: each counts 1.5 times.
    assert [lines[number].score for number in (1, 2, 3, 4)] == [
        Fraction(7, 8),
        Fraction(1, 8),
        Fraction(1, 8),
        Fraction(7, 8),
    ]


def test_deals_that_a_match_did_not_reach_are_averages() -> None:
    results = {(1, 2): deals(100, 100), (3, 4): deals(0)}
    assert shares(played(new(4), [(1, 2), (3, 4)], results)) == {
        1: Fraction(3, 4),
        2: Fraction(1, 4),
        3: Fraction(1, 4),
        4: Fraction(3, 4),
    }


def test_a_forfeit_is_average_plus_and_minus() -> None:
    results = {(1, 2): deals(0), (3, 4): deals(0), (5, 6): forfeited(0)}
    scores = shares(played(new(6), [(1, 2), (3, 4), (5, 6)], results))
    assert (scores[5], scores[6]) == (Fraction(2, 5), Fraction(3, 5))
    results[5, 6] = NOBODY_CAME
    scores = shares(played(new(6), [(1, 2), (3, 4), (5, 6)], results))
    assert (scores[5], scores[6]) == (Fraction(2, 5), Fraction(2, 5))


def test_average_plus_and_minus_follow_very_good_and_bad_scores() -> None:
    """1 has 100 % and 4 has 0 %: they keep them after the forfeits of 2 and 4."""
    first = {(1, 3): deals(100), (2, 4): deals(0)}
    second = {(1, 2): forfeited(1), (3, 4): deals(0)}
    competition = played(new(4), [(1, 3), (2, 4)], first)
    assert shares(competition)[1] == 1
    assert shares(played(competition, [(1, 2), (3, 4)], second))[1] == 1
    second = {(1, 2): deals(0), (4, 3): forfeited(0)}
    assert shares(competition)[2] == 0
    after = shares(played(competition, [(2, 4), (1, 3)], {(2, 4): forfeited(0), (1, 3): deals(0)}))
    assert after[2] == 0


def test_a_round_without_a_deal_counts_for_nobody() -> None:
    competition = played(new(4), [(1, 2), (3, 4)], {(1, 2): forfeited(0), (3, 4): deals()})
    assert {(line.score, line.played) for line in RULES.standings(competition)} == {(HALF, 0)}


def test_the_match_between_equal_pairs_decides() -> None:
    """1 and 3 have two thirds, and 3 was better in round 2; 2 and 4 have one third."""
    competition = played(new(4), [(1, 2), (3, 4)], {(1, 2): deals(100), (3, 4): deals(0)})
    competition = played(competition, [(1, 3), (2, 4)], {(1, 3): deals(0), (2, 4): deals(100)})
    assert set(places(RULES, competition).values()) == {1}  # not all of them have met
    competition = played(competition, [(1, 4), (2, 3)], {(1, 4): deals(100), (2, 3): deals(0)})
    assert shares(competition)[1] == shares(competition)[3] == Fraction(2, 3)
    assert places(RULES, competition) == {3: 1, 1: 2, 2: 3, 4: 4}
