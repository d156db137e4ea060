"""League: fixtures, postponements, matches that count, tables, and the next season."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.club.competition import Competition, EntrantNumber, Match, Pairing, Result, Side
from bot.club.formats.league import (
    Fixture,
    League,
    champions,
    fixture_of,
    next_season,
    open_fixtures,
    split,
    tables,
)
from bot.club.formats.round_robin import RoundRobin
from tests.bot.club.competitions import BYE, new, numbers, pairs, without, won

RULES = League()
FIRST, SECOND = won(), Result("played", 1, (0, 100))


def entrants(count: int) -> list[EntrantNumber]:
    """Return the numbers of this many entrants."""
    return [EntrantNumber(number) for number in range(1, count + 1)]


def season(count: int, divisions: int = 1, *, twice: bool = False) -> Competition:
    """Return a season with all its fixtures."""
    league = replace(new(count), divisions=divisions, twice=twice)
    while pairings := RULES.pair(league):
        drawn = tuple(Match(sides, BYE if len(sides) == 1 else None) for sides in pairings)
        league = replace(league, rounds=(*league.rounds, drawn))
    return league


def seeded(league: Competition, best: Callable[[Pairing], Side] = min) -> Competition:
    """Return the season after all open fixtures were won by the lower or higher number."""
    for fixture in open_fixtures(league):
        result = FIRST if fixture.sides[0] == best(fixture.sides) else SECOND
        league = with_result(league, fixture, result)
    return league


def with_result(league: Competition, fixture: Fixture, result: Result) -> Competition:
    """Return the season with this result of a fixture."""
    rounds = [list(matches) for matches in league.rounds]
    match = rounds[fixture.round][fixture.match]
    rounds[fixture.round][fixture.match] = match._replace(result=result)
    return replace(league, rounds=tuple(map(tuple, rounds)))


def agreed(league: Competition, fixture: Fixture, side: int, week: int) -> Competition:
    """Return the season after a side has agreed to postpone a fixture."""
    rounds = [list(matches) for matches in league.rounds]
    match = rounds[fixture.round][fixture.match]
    until = (week, match.until[1]) if side == 0 else (match.until[0], week)
    rounds[fixture.round][fixture.match] = match._replace(until=until)
    return replace(league, rounds=tuple(map(tuple, rounds)))


@pytest.mark.parametrize(
    "count, divisions, sizes",
    [(8, 1, [8]), (9, 2, [5, 4]), (14, 3, [5, 5, 4]), (8, 3, [4, 4]), (3, 2, [3])],
)
def test_divisions_differ_by_at_most_one(count: int, divisions: int, sizes: list[int]) -> None:
    order = entrants(count)
    found = split(order, divisions)
    assert [len(division) for division in found] == sizes
    assert [number for division in found for number in division] == order


def test_a_division_is_a_round_robin() -> None:
    league, round_robin = season(8), new(8)
    for week, matches in enumerate(league.rounds):
        assert pairs(RoundRobin().pair(round_robin)) == pairs(tuple(m.sides for m in matches))
        round_robin = replace(round_robin, rounds=league.rounds[: week + 1])
    assert len(league.rounds) == RULES.length(league) == 7


def test_everybody_meets_once_or_twice() -> None:
    twice = season(8, twice=True)
    assert len(twice.rounds) == RULES.length(twice) == 14
    assert [{*match.sides} for match in twice.rounds[0]] == [
        {*match.sides} for match in twice.rounds[7]
    ]
    assert [len(week) for week in season(9, divisions=2, twice=True).rounds] == [5] * 6 + [3] * 4


def test_each_division_has_its_own_fixtures() -> None:
    league = season(9, divisions=2)
    upper = set(range(1, 6))
    weeks = [numbers(tuple(match.sides for match in matches)) for matches in league.rounds]
    assert [len(week) for week in weeks] == [5, 5, 5, 3, 3]
    assert all({*each} <= upper or not {*each} & upper for week in weeks for each in week)


def test_a_fixture_is_postponed_by_agreement_of_both() -> None:
    league = season(4)
    fixture = open_fixtures(league)[0]
    league = agreed(league, fixture, 0, 3)
    assert fixture in open_fixtures(league)
    league = agreed(league, fixture, 1, 2)
    assert fixture_of(league, *fixture.sides) == fixture._replace(week=2)
    league = agreed(league, fixture, 1, 9)
    assert fixture_of(league, *fixture.sides) == fixture._replace(week=3)
    assert [each.week for each in open_fixtures(league)] == [1, 2, 2, 3, 3, 3]


def test_no_fixture_is_due_after_the_last_week() -> None:
    league = season(4)
    fixture = open_fixtures(league)[0]
    league = agreed(agreed(league, fixture, 0, 9), fixture, 1, 9)
    assert fixture_of(league, *fixture.sides) == fixture._replace(week=3)


def test_a_match_decides_the_open_fixture_that_is_due_first() -> None:
    league = season(4, twice=True)
    one, other = league.rounds[0][0].sides
    for position in (0, 3):
        fixture = fixture_of(league, other, one)
        assert fixture is not None
        assert fixture.round == position
        league = with_result(league, fixture, FIRST)
    assert fixture_of(league, one, other) is None


def test_no_fixture_is_between_divisions() -> None:
    one, other = (EntrantNumber(1),), (EntrantNumber(8),)
    assert fixture_of(season(8, divisions=2), one, other) is None


@pytest.mark.parametrize("winner, swapped", [(0, 1), (1, 0), (None, None)])
def test_a_swapped_result_names_the_other_side_first(
    winner: int | None, swapped: int | None
) -> None:
    result = Result("played", winner, (300, 100), ((200, 0), (100, 100)))
    assert result.swapped == Result("played", swapped, (100, 300), ((0, 200), (100, 100)))


def test_the_table_counts_wins_and_draws() -> None:
    league = season(4)
    for fixture in open_fixtures(league):
        if {*fixture.sides} == {(1,), (2,)}:
            league = with_result(league, fixture, Result("played"))
    (table,) = tables(seeded(league))
    half = Fraction(1, 2)
    assert [(line.entrant, line.score) for line in table] == [
        (1, 2 + half),
        (2, 2 + half),
        (3, 1),
        (4, 0),
    ]


def test_standings_have_the_divisions_one_after_the_other() -> None:
    lines = RULES.standings(seeded(season(9, divisions=2)))
    assert [(line.place, line.entrant) for line in lines] == [(n, n) for n in range(1, 10)]


def test_open_fixtures_of_a_pair_that_has_withdrawn_are_wins_of_the_others() -> None:
    league = season(4)
    for fixture in open_fixtures(league):
        if fixture.round < 2:
            league = with_result(league, fixture, FIRST)
    gone = without(league, 1)
    (last,) = [match for match in league.rounds[2] if (EntrantNumber(1),) in match.sides]
    opponent = next(side[0] for side in last.sides if side != (1,))
    before = {line.entrant: line.score for line in tables(league)[0]}
    after = {line.entrant: line.score for line in tables(gone)[0]}
    assert after[opponent] == before[opponent] + 1
    assert fixture_of(gone, *last.sides) is None
    assert fixture_of(without(gone), *last.sides) is not None  # they can come back


def test_nobody_wins_a_fixture_of_two_pairs_that_have_withdrawn() -> None:
    league = season(4)
    sides = league.rounds[0][0].sides
    both = without(league, *(side[0] for side in sides))
    assert fixture_of(both, *sides) is None
    scores = {line.entrant: line.score for line in tables(both)[0]}
    assert [scores[side[0]] for side in sides] == [0, 0]


def test_withdrawal_in_the_first_half_annuls_all_matches() -> None:
    league = seeded(season(8))
    league = replace(
        league,
        rounds=tuple(
            tuple(match._replace(result=None) if week else match for match in matches)
            for week, matches in enumerate(league.rounds)
        ),
    )
    lines = {line.entrant: line for line in tables(without(league, 8))[0]}
    assert lines[EntrantNumber(8)].played == 0
    assert sum(line.score for line in lines.values()) == 3  # of the first week, without that of 8


def test_the_last_of_a_division_change_places_with_the_best_below() -> None:
    league = seeded(season(12, divisions=2))
    assert champions(league) == (1, 7)
    everybody = entrants(12)
    assert next_season(league, 2, 2, everybody) == ((1, 2, 3, 4, 7, 8), (5, 6, 9, 10, 11, 12))
    assert next_season(league, 9, 2, everybody) == next_season(league, 2, 2, everybody)
    assert next_season(league, 0, 2, everybody) == split(everybody, 2)


def test_three_divisions_exchange_at_both_ends() -> None:
    league = seeded(season(12, divisions=3))
    assert next_season(league, 1, 3, entrants(12)) == ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11, 12))
    league = seeded(season(12, divisions=3), best=max)
    assert next_season(league, 1, 3, entrants(12)) == ((4, 3, 2, 8), (1, 7, 6, 12), (5, 11, 10, 9))


def test_a_free_place_keeps_the_best_of_those_who_would_leave() -> None:
    league = seeded(season(12, divisions=2))
    returning = [number for number in entrants(12) if number != 3]
    newcomers = [EntrantNumber(20)]
    after = next_season(league, 2, 2, returning, newcomers)  # 2 are too many of 5
    assert after == ((1, 2, 4, 5, 6, 7), (8, 9, 10, 11, 12, 20))


def test_a_smaller_division_loses_its_last_but_not_who_was_promoted() -> None:
    league = seeded(season(9, divisions=2))
    assert next_season(league, 1, 2, entrants(8)) == ((1, 2, 3, 6), (4, 5, 7, 8))


def test_the_seed_decides_a_tie_for_promotion() -> None:
    league = season(8, divisions=2)
    for fixture in open_fixtures(league):
        draw = Result("played")
        league = with_result(league, fixture, draw)
    assert {line.place for line in RULES.standings(league)} == {1, 5}
    assert champions(league) == (1, 5)
    assert next_season(league, 1, 2, entrants(8)) == ((1, 2, 3, 5), (4, 6, 7, 8))
