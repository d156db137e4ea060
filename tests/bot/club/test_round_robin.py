"""Round robin: the published table, byes, absences and withdrawals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from bot.club.competition import Match
from bot.club.formats.round_robin import RoundRobin
from tests.bot.club.competitions import (
    VOID,
    forfeited,
    new,
    next_round,
    numbers,
    pairs,
    played,
    without,
)

RULES = RoundRobin()
TABLE = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]
"""Berger table for five or six (FIDE Handbook, C.05 annex 1)."""


def test_six_play_the_published_table_with_numbers_by_lot() -> None:
    competition = new(6)
    rounds = []
    while pairings := RULES.pair(competition):
        rounds.append(numbers(pairings))
        competition = played(competition, rounds[-1])
    by_lot = {
        entrant: number
        for drawn, published in zip(rounds[0], TABLE[0], strict=True)
        for entrant, number in zip(drawn, published, strict=True)
    }
    for drawn, published in zip(rounds, TABLE, strict=True):
        assert [{by_lot[each] for each in pair} for pair in drawn] == [*map(set, published)]
    assert numbers(RULES.pair(new(6, lots=b"others"))) != rounds[0]


@pytest.mark.parametrize("count", [4, 5, 8, 9, 64])
def test_everybody_meets_everybody_once_and_sides_are_balanced(count: int) -> None:
    competition = new(count)
    met, first, byes = Counter[tuple[int, ...]](), Counter[int](), Counter[int]()
    while pairings := RULES.pair(competition):
        for each in numbers(pairings):
            if len(each) == 2:
                met[min(each), max(each)] += 1
                first.update({each[0]: 1, each[1]: -1})
            else:
                byes.update(each)
        competition = played(competition, numbers(pairings))
    assert len(competition.rounds) == RULES.length(competition)
    assert met == Counter(combinations(range(1, count + 1), 2))
    assert max(map(abs, first.values())) <= 1
    assert byes == (Counter(range(1, count + 1)) if count % 2 else Counter())


def test_more_rounds_repeat_the_table_with_swapped_sides() -> None:
    competition = new(4, planned=6)
    rounds = []
    while pairings := RULES.pair(competition):
        rounds.append(numbers(pairings))
        competition = played(competition, rounds[-1])
    assert rounds[3:] == [[each[::-1] for each in pairings] for pairings in rounds[:3]]


def test_fewer_rounds_are_possible() -> None:
    competition = new(8, planned=2)
    assert RULES.length(competition) == 2
    competition = next_round(RULES, next_round(RULES, competition))
    assert RULES.pair(competition) == ()


def test_a_bye_of_an_odd_number_counts_for_nobody() -> None:
    competition = new(5)
    (bye,) = [each for each in numbers(RULES.pair(competition)) if len(each) == 1]
    (line,) = [
        line for line in RULES.standings(next_round(RULES, competition)) if line.entrant == bye[0]
    ]
    assert line.played == line.score == 0


def test_the_table_stays_when_somebody_withdraws() -> None:
    competition = next_round(RULES, new(6))
    planned = numbers(RULES.pair(competition))
    gone = planned[0][0]
    after = numbers(RULES.pair(without(competition, gone)))
    assert after == [*planned[1:], (planned[0][1],)]


@pytest.mark.parametrize("before, scores", [(2, {0}), (3, {1})])
def test_withdrawal_before_half_of_the_rounds_annuls_all_matches(
    before: int, scores: set[int]
) -> None:
    """Matches without entrant 1 are void, and entrant 1 wins all others."""
    nothing = dict.fromkeys(combinations(range(2, 7), 2), VOID)
    competition = new(6)
    for _ in range(before):
        competition = next_round(RULES, competition, nothing)
    beaten = {number for each in competition.rounds for match in each for number in match.sides}
    assert len(beaten) == 6
    competition = without(competition, 1)
    while RULES.pair(competition):
        competition = next_round(RULES, competition, nothing)
    lines = {int(line.entrant): line for line in RULES.standings(competition)}
    assert lines[1].score == (before if before == 3 else 0)
    assert lines[1].played == (before if before == 3 else 0)
    missed = {number for each in competition.rounds[before:] for number in _byes(each)}
    assert len(missed) == 5 - before
    assert {int(lines[number].score) for number in missed} == scores


def test_who_was_first_less_often_is_first_after_forfeits() -> None:
    competition = next_round(RULES, new(4))
    second = numbers(RULES.pair(competition))
    # All who would be first in the second round were first before, the others did not play.
    opponents = {
        one: other for pair in numbers(RULES.pair(new(4))) for one, other in [pair, pair[::-1]]
    }
    one, other = second[0]
    competition = played(
        new(4),
        [(one, opponents[one]), (other, opponents[other])],
        {(other, opponents[other]): forfeited(1)},
    )
    assert numbers(RULES.pair(competition))[0] == (other, one)


def test_nobody_is_paired_who_did_not_begin() -> None:
    competition = next_round(RULES, without(new(6), 6))
    assert RULES.length(competition) == 5
    assert all(6 not in each for each in pairs(RULES.pair(without(competition))))


def _byes(matches: tuple[Match, ...]) -> list[int]:
    return [int(match.sides[0][0]) for match in matches if len(match.sides) == 1]
