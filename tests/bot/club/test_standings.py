"""Standings: scores, tie-breaks and shared places, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.club.competition import Competition, EntrantNumber, Match, TieBreak
from bot.club.formats import FORMATS
from bot.club.formats.standings import standings
from bot.club.settings import FormatName
from tests.bot.club.competitions import (
    DRAW,
    NOBODY_CAME,
    VOID,
    forfeited,
    lost,
    new,
    played,
    without,
    won,
)

HALF = Fraction(1, 2)


def values(competition: Competition, name: TieBreak) -> dict[int, Fraction]:
    """Return the values of a tie-break that is the only one."""
    lines = standings(competition, [name])
    return {int(line.entrant): line.tie_breaks[0] for line in lines}


def test_scores_of_all_endings() -> None:
    competition = played(
        new(11),
        [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11,)],
        {
            (3, 4): DRAW,
            (5, 6): VOID,
            (7, 8): forfeited(0),
            (9, 10): NOBODY_CAME,
        },
    )
    lines = standings(competition, [])
    scores = {int(line.entrant): (line.score, line.played) for line in lines}
    assert scores == {
        1: (1, 1),
        2: (0, 1),
        3: (HALF, 1),
        4: (HALF, 1),
        5: (0, 0),
        6: (0, 0),
        7: (0, 1),
        8: (1, 1),
        9: (0, 1),
        10: (0, 1),
        11: (1, 1),
    }
    assert [(line.place, line.entrant) for line in lines] == [
        (1, 1),
        (1, 8),
        (1, 11),
        (4, 3),
        (4, 4),
        (6, 2),
        (6, 5),
        (6, 6),
        (6, 7),
        (6, 9),
        (6, 10),
    ]


def test_matches_that_are_not_over_do_not_count() -> None:
    competition = played(new(2), [(1, 2)])
    ((match,),) = competition.rounds
    open_round = Competition(competition.entrants, ((match._replace(result=None),),))
    assert all(line.played == line.score == 0 for line in standings(open_round, ["points"]))


def test_direct_encounter_decides_if_all_who_are_level_have_met() -> None:
    competition = played(new(4), [(1, 2), (3, 4)], {(1, 2): lost()})
    competition = played(competition, [(1, 3), (2, 4)], {(1, 3): won(), (2, 4): lost()})
    # 1, 2, 3 and 4 have 1, 1, 1, 1: not all have met.
    assert set(values(competition, "direct").values()) == {0}
    competition = played(competition, [(1, 4), (2, 3)], {(2, 3): lost()})
    # 1 and 3 have 2, 2 and 4 have 1. 1 beat 3, 4 beat 2.
    assert values(competition, "direct") == {1: 1, 3: 0, 4: 1, 2: 0}
    assert [line.entrant for line in standings(competition, ["direct"])] == [1, 3, 4, 2]


def test_a_forfeit_is_a_direct_encounter_and_a_void_match_is_none() -> None:
    competition = played(played(new(2), [(1, 2)], {(1, 2): forfeited(0)}), [(1,)])
    assert values(competition, "direct") == {1: 0, 2: 1}
    competition = played(played(new(2), [(1, 2)], {(1, 2): VOID}), [(1,), (2,)])
    assert values(competition, "direct") == {1: 0, 2: 0}


def test_buchholz_is_the_sum_of_the_scores_of_the_opponents() -> None:
    competition = played(new(4), [(1, 2), (3, 4)])
    competition = played(competition, [(1, 3), (2, 4)])
    # Scores: 1 has 2, 2 and 3 have 1, 4 has 0.
    assert values(competition, "buchholz") == {1: 2, 2: 2, 3: 2, 4: 2}
    competition = played(competition, [(1, 4), (2, 3)])
    # Scores: 3, 2, 1, 0.
    assert values(competition, "buchholz") == {1: 3, 2: 4, 3: 5, 4: 6}


def test_buchholz_of_rounds_that_were_not_played() -> None:
    competition = played(new(5), [(1, 2), (3, 4), (5,)], {(3, 4): forfeited(1)})
    competition = played(competition, [(1, 5), (3, 2)], {(3, 2): won()})  # 4 has withdrawn
    # Scores: 1 has 2, 3 has 2, 5 has 1, 2 and 4 have 0. For others, 4 counts as two draws.
    assert values(competition, "buchholz") == {
        1: 0 + 1,
        2: 2 + 2,
        3: 2 + 0,  # the win without play: its own score
        4: 0,
        5: 1 + 2,  # the bye: its own score
    }


def test_buchholz_waits_for_the_round_that_is_played() -> None:
    first = played(new(6), [(1, 2), (3, 4), (5, 6)], {(5, 6): forfeited(0)})
    drawn = ((1, 4), (2, 6), (3, 5))
    matches = tuple(Match(((EntrantNumber(one),), (EntrantNumber(other),))) for one, other in drawn)
    before = replace(first, rounds=(*first.rounds, matches))
    assert standings(before, ["buchholz"]) == standings(first, ["buchholz"])


def test_an_opponent_who_withdraws_counts_as_if_they_drew() -> None:
    competition = played(new(4), [(1, 2), (3, 4)])
    competition = played(competition, [(1, 3)])
    # 2 lost to 1 and withdrew: half a point for 1.
    assert values(competition, "buchholz")[1] == HALF + 1


def test_points_are_those_at_tables() -> None:
    competition = played(
        new(6), [(1, 2), (3, 4), (5, 6)], {(1, 2): won(300), (3, 4): DRAW, (5, 6): forfeited(1)}
    )
    assert values(competition, "points") == {1: 300, 2: -300, 3: 0, 4: 0, 5: 0, 6: 0}


def test_a_later_tie_break_decides_only_among_those_who_are_still_level() -> None:
    competition = played(new(4), [(1, 2), (3, 4)], {(1, 2): won(100), (3, 4): won(900)})
    competition = played(competition, [(1, 3), (2, 4)], {(1, 3): won(5), (2, 4): lost(50)})
    lines = standings(competition, ["buchholz", "direct", "points"])
    assert [int(line.entrant) for line in lines] == [1, 3, 4, 2]
    assert [line.place for line in lines] == [1, 2, 3, 4]
    assert [int(line.score) for line in lines] == [2, 1, 1, 0]
    # 3 and 4 both had opponents with 2 + 1 = 3 and 1 + 0 = 1 points.
    assert [int(line.tie_breaks[0]) for line in lines] == [1, 3, 1, 3]


@pytest.mark.parametrize("name", ["swiss", "round-robin", "knock-out", "duplicate", "league"])
def test_the_only_pair_that_stayed_wins_before_the_first_result(name: FormatName) -> None:
    rules = FORMATS[name]
    competition = new(6)
    for _ in range(rules.length(competition) if name == "league" else 1):
        matches = tuple(Match(sides) for sides in rules.pair(competition))
        competition = replace(competition, rounds=(*competition.rounds, matches))
    lines = rules.standings(without(competition, 1, 2, 3, 4, 5))
    assert [line.entrant for line in lines if line.place == 1] == [6]


def test_who_has_withdrawn_comes_last_among_equal_scores() -> None:
    competition = played(new(4), [(1, 2), (3, 4)], {(1, 2): won(300)})
    lines = standings(without(competition, 1, 2), ["direct", "points"])
    assert [(line.place, line.entrant) for line in lines] == [(1, 3), (2, 1), (3, 4), (4, 2)]
    assert [line.tie_breaks[1] for line in lines] == [100, 300, -100, -300]
