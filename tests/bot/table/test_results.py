"""Stored rounds and matches: scores by column, places, calls, winners."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from bot.records import MatchRecord
from bot.table.match_length import first_match
from bot.table.options import TableOptions
from bot.table.results import match_record, round_record
from bot.table.state import Game
from engine import Match, Options, Played
from tests.bot.games import MATCHES, batches
from tests.bot.positions import TRICHU, begun, lords, played, position
from tests.bot.states import HOST, NAMES, NOON, PEOPLE, chairs, state
from tests.engine.positions import after, table

SEATS = chairs(computers=(3,))


def ended(match: Match) -> Game:
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


def test_records_a_double_victory_with_calls() -> None:
    at = ended(SWEEP)
    found = round_record(at, at.match.results[-1], NOON)
    assert (found.number, found.ended_at) == (1, NOON)
    assert json.loads(found.result) == {
        "out": [0, 2],
        "sweep": True,
        "penalty": None,
        "dealer": 0,
        "calls": [[0, "tichu", True], [1, "grand", False]],
    }
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
    assert [(s.margin, s.sweep, s.level) for s in found.seats] == [
        (50_000, True, None),
        (-50_000, False, None),
        (50_000, True, None),
        (-50_000, False, "expert"),
    ]


def test_round_ended_by_a_missed_wish_has_no_places() -> None:
    at = ended(PENALTY)
    found = round_record(at, at.match.results[-1], NOON)
    assert json.loads(found.result)["penalty"] == 1
    assert [s.score for s in found.scores] == [200, 0]
    assert {s.place for s in found.seats} == {None}


def test_finished_match_has_winners() -> None:
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


def test_stopped_match_has_no_winners() -> None:
    found = match_record(ended(table("TURN B", trick="A S8", totals="500 0")), NOON, "stopped")
    assert (found.reason, found.rounds) == ("stopped", 0)
    assert [(s.total, s.won) for s in found.scores] == [(500, False), (0, False)]
    assert not any(seat.won for seat in found.seats)


def test_trichu_has_four_columns_and_three_seats() -> None:
    """The Table (column 3) calls and is out first, its dealer second; teams change each round."""
    calls = "calls - grand - tichu"
    last = position(TRICHU, "LEAD 0", calls, hands={0: "S9", 1: "S2 S3", 2: "P2"}, out=(3,))
    at = state(played(last, "0 play:S9"), chairs=chairs(NAMES[:3], computers=(1,)))
    found = round_record(at, at.match.results[-1], NOON)
    assert json.loads(found.result)["calls"] == [[1, "grand", False], [3, "tichu", True]]
    assert [(s.column, s.card_points, s.score) for s in found.scores] == [
        (0, 200, 300),
        (1, 0, -200),
        (2, 0, -200),
        (3, 200, 300),
    ]
    assert [(s.seat, s.kind, s.column, s.place, s.call) for s in found.seats] == [
        (0, "person", 0, 2, None),
        (1, "computer", 1, None, "grand"),
        (2, "person", 2, None, None),
    ]
    assert [(s.margin, s.sweep) for s in found.seats] == [
        (50_000, True),
        (-50_000, False),
        (-50_000, False),
    ]
    won = state(at.match._replace(winners=(0, 3)), chairs=at.chairs)
    ended_match = match_record(won, NOON, "finished")
    assert [(s.column, s.total, s.won) for s in ended_match.scores] == [
        (0, 300, True),
        (1, -200, False),
        (2, -200, False),
        (3, 300, True),
    ]
    assert [(s.seat, s.column, s.won) for s in ended_match.seats] == [
        (0, 0, True),
        (1, 1, False),
        (2, 2, False),
    ]


def test_no_player_wins_when_the_table_wins() -> None:
    match = begun(TRICHU)._replace(winners=(3,))
    found = match_record(state(match), NOON, "finished")
    assert [s.won for s in found.seats] == [False] * 3
    assert [s.won for s in found.scores] == [False] * 3 + [True]


def test_grand_seigneur_has_places_and_no_points() -> None:
    last = position(lords(6), "LEAD 3", hands={3: "S8", 4: "S9"}, out=(0, 1, 2, 5))
    match = played(last, "3 play:S8")
    at = state(match, chairs=chairs(PEOPLE[:6], computers=(4,)))
    found = round_record(at, match.results[-1], NOON)
    assert found.scores == ()
    assert json.loads(found.result)["calls"] == []
    assert [(s.column, s.place, s.kind) for s in found.seats] == [
        (0, 1, "person"),
        (1, 2, "person"),
        (2, 3, "person"),
        (3, 5, "person"),
        (4, None, "computer"),
        (5, 4, "person"),
    ]
    assert [s.margin for s in found.seats] == [10_000, 8000, 6000, 2000, 0, 4000]
    voted = match_record(state(played(match, "clock stop"), chairs=at.chairs), NOON, "finished")
    assert (voted.variant, voted.rounds, voted.scores) == ("grandseigneur", 1, ())
    assert [s.won for s in voted.seats] == [True] + [False] * 5


@pytest.mark.parametrize("seed, options", MATCHES)
def test_records_of_a_match_add_up(seed: int, options: TableOptions) -> None:
    rules, chairs_ = options.rules, options.game.chair_count(options.rules)
    scored = options.game.scored
    totals = [0] * options.game.column_count(rules) if scored else []
    rounds, bombs = 0, Counter[int]()
    for batch, at, change in batches(seed, options):
        for event in batch.events:
            if isinstance(event, Played) and event.combination.is_bomb:
                bombs[at.decider(event.seat)] += 1
        if change.round is not None:
            rounds += 1
            assert {s.seat: s.bombs for s in change.round.seats if s.bombs} == bombs
            bombs.clear()
            assert change.round.number == rounds
            totals = [total + s.score for total, s in zip(totals, change.round.scores, strict=True)]
            assert [s.total for s in change.round.scores] == totals
            assert [s.column for s in change.round.scores] == list(range(len(totals)))
            assert [s.seat for s in change.round.seats] == list(range(chairs_))
            out = json.loads(change.round.result)["out"]
            places = {s.seat: s.place for s in change.round.seats if s.place is not None}
            assert places == {
                seat: place for place, seat in enumerate(out, start=1) if seat < chairs_
            }
        if change.match is not None:
            check_match(at, change.match, rounds, totals)
            return
    raise AssertionError("the match did not end")


def check_match(at: Game, found: MatchRecord, rounds: int, totals: list[int]) -> None:
    """Check that the record of a match has its winners in the right columns."""
    assert (found.variant, found.rounds) == (at.options.variant, rounds)
    assert [s.total for s in found.scores] == totals
    assert [(s.seat, s.name) for s in found.seats] == [(c.seat, c.name) for c in at.chairs]
    if totals:
        assert [s.won for s in found.scores] == [total == max(totals) for total in totals]
        assert [s.won for s in found.seats] == [
            totals[s.column] == max(totals) for s in found.seats
        ]
    else:
        best = at.match.results[-1].out[0]
        assert [s.seat for s in found.seats if s.won] == [best]


def test_nobody_wins_a_draw() -> None:
    """Possible only after an agreed number of rounds."""
    agreed = first_match(Options(), 0, rounds=1)
    before = table(
        "LEAD C",
        hands={"C": "S9", "B": "SK", "D": "J5"},
        out="A",
        totals="900 1100",
    )
    match = after(before._replace(variant=agreed.variant), "C play:S9")
    assert match.totals == (1100, 1100)
    assert match.winners == (0, 1)
    record = match_record(ended(match), NOON, "finished")
    assert (record.reason, record.rounds) == ("finished", 1)
    assert not any(score.won for score in record.scores)
    assert not any(seat.won for seat in record.seats)
