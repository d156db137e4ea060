"""Rounds and matches as they are stored: scores by column, places, calls, winners."""

from __future__ import annotations

import json

import pytest

from bot.results import match_record, round_record
from bot.table import TableState
from engine.state import Match
from tests.bot.games import batches
from tests.bot.states import HOST, NOON, chairs, state
from tests.engine.positions import after, table

SEATS = chairs(computers=(3,))


def ended(match: Match) -> TableState:
    return state(match, chairs=SEATS)


SWEEP = after(
    table(
        "LEAD C",
        hands={"C": "S9", "B": "SK", "D": "J5"},
        out="A",
        totals="900 300",
        calls={"A": "tichu", "B": "grand"},
    ),
    "C play:S9",
)
PENALTY = after(
    table(
        "TURN B", trick="A S8", wish="9", hands={"B": "S9 +3"}, options={"wishPolicy": "penalty"}
    ),
    "B pass",
)


def test_a_double_victory_with_calls() -> None:
    at = ended(SWEEP)
    assert at.match is not None
    found = round_record(at, at.match.results[-1], NOON)
    assert (found.number, found.ended_at) == (1, NOON)
    assert json.loads(found.result) == {"out": [0, 2], "sweep": True, "penalty": None, "dealer": 0}
    assert [(s.column, s.card_points, s.score, s.total) for s in found.scores] == [
        (0, 200, 300, 1200),
        (1, 0, -200, 100),
    ]
    assert [(s.seat, s.kind, s.column, s.place) for s in found.seats] == [
        (0, "person", 0, 1),
        (1, "person", 1, None),
        (2, "person", 0, 2),
        (3, "computer", 1, None),
    ]
    assert [(s.call, s.call_made) for s in found.seats] == [
        ("tichu", True),
        ("grand", False),
        (None, None),
        (None, None),
    ]
    assert [s.user_id for s in found.seats] == [HOST, HOST + 1, HOST + 2, None]


def test_a_missed_wish_ends_a_round_without_places() -> None:
    at = ended(PENALTY)
    assert at.match is not None
    found = round_record(at, at.match.results[-1], NOON)
    assert json.loads(found.result)["penalty"] == 1
    assert [s.score for s in found.scores] == [200, 0]
    assert {s.place for s in found.seats} == {None}


def test_a_finished_match_has_winners() -> None:
    found = match_record(ended(SWEEP), NOON, "finished")
    assert (found.variant, found.reason, found.rounds, found.ended_at) == (
        "nanjing",
        "finished",
        1,
        NOON,
    )
    assert [(s.column, s.total, s.won) for s in found.scores] == [(0, 1200, True), (1, 100, False)]
    assert [(s.seat, s.name, s.column, s.won) for s in found.seats] == [
        (0, "Ada", 0, True),
        (1, "Ben", 1, False),
        (2, "Cleo", 0, True),
        (3, "Dan", 1, False),
    ]


def test_a_stopped_match_has_none() -> None:
    found = match_record(ended(table("TURN B", trick="A S8", totals="500 0")), NOON, "stopped")
    assert (found.reason, found.rounds) == ("stopped", 0)
    assert [(s.total, s.won) for s in found.scores] == [(500, False), (0, False)]
    assert not any(seat.won for seat in found.seats)


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_the_records_of_a_match_add_up(seed: int) -> None:
    totals = [0, 0]
    rounds = 0
    for _, _, change in batches(seed):
        if change.round is not None:
            rounds += 1
            assert change.round.number == rounds
            totals = [total + s.score for total, s in zip(totals, change.round.scores, strict=True)]
            assert [s.total for s in change.round.scores] == totals
            places = sorted(s.place for s in change.round.seats if s.place is not None)
            assert places == list(range(1, len(places) + 1))
        if change.match is not None:
            assert (change.match.rounds, [s.total for s in change.match.scores]) == (rounds, totals)
            assert sum(s.won for s in change.match.scores) == 1
            winner = max(change.match.scores, key=lambda s: s.total)
            assert winner.won
            assert winner.total >= 300
            return
    raise AssertionError("the match did not end")
