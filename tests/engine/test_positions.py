"""Positions as text: consistent ones are read, all others are refused."""

from __future__ import annotations

import pytest

from bench.walks import walk
from engine import (
    NotationError,
    Options,
    read_position,
    write_position,
)
from tests.cases import each
from tests.engine.positions import plays_of

SOUND = """
phase WINDOW 1
round 1 dealer 0
trick 0 S9
hand 0 S3 P4
hand 1 J3 P3 T3 S4
hand 2 J5 S5 P5 T5
hand 3 S6
"""
BAD_LINES = [
    "hello",
    "phase",
    "phase WINDOW",
    "phase WINDOW 4",
    "phase WINDOW -1",
    "phase WINDOW x",
    "phase PLAY 1",
    "phase WINDOW 1 1",
    "phase LEAD 1",  # with a trick
    "phase EXCHANGE 1",
    "phase GRAND 1",
    "phase MATCH_END 1",
    "variant bridge {}",
    "variant nanjing {",
    "variant nanjing []",
    "variant nanjing [1]",
    "variant nanjing 5",
    'variant nanjing {"target": 7}',
    'variant nanjing {"speed": 7}',
    'variant nanjing {"target": [[]]}',
    "variant nanjing " + "[" * 100_000,
    "first-dealer 4",
    "first-dealer -1",
    "first-dealer x",
    "first-dealer " + "9" * 10_000,
    "totals 1 2 3",
    "totals x",
    "winners 2",
    "winners x",
    "result",
    "result {}",
    "result []",
    "result 7",
    'result {"number": 1}',
    "result " + "[" * 100_000,
    "hand 3",
    "hand",
    "hand 3 S2 S2",
    "hand 3 S3",  # which 0 has
    "hand 3 S9",  # which lies there
    "hand 3 S6\nhand 3 S7",
    "hand 3 S2#2",
    "hand 3 X2",
    "hand 4 S2",
    "hand -1 S2",
    "hand x S2",
    "pile 1 S6",
    "pile 9 S2",
    "stock 1 S6",
    "stock -4 S2",
    "discards S6",
    "discards X",
    "round 1",
    "round x dealer 0",
    "round 1 dealer 4",
    "round 1 dealer 0 1",
    "order 0 1 2 3",
    "order 0 1 2 2\nteams 0 1 0 1",
    "order 0 1 2 4\nteams 0 1 0 1",
    "order 0 1 2\nteams 0 1 0 1",
    "order 0 1 2 3\nteams 0 1",
    "order 1 2 3 0\nteams 0 1 0 1",  # begins with another seat than the dealer
    "order 0 1 2 3\nteams 0 1 0 2",
    "order 0 1 2 3\nteams 0 0 1 1",
    "answers yes",
    "answers yes no maybe no",
    "given 0 1",
    "given 0 1:S2:3",
    "given 4 1:S2",
    "given 0 5:S2",
    "received 0 -1:S2",
    "calls tichu",
    "calls tichu - - - -",
    "calls small - - -",
    "asked 2",  # who has not called
    "asked 4",
    "asked -1",
    "asked 99999999999",
    "started 9",
    "started -",  # 0 has laid a card
    "started 1 2 3",
    "past 1 S2 | 0 S10 => 0\nstarted 0",
    "waived x",
    "phase TURN 1\nwaived 2",
    "wish 1",
    "wish 11",
    "trick 0 MAHJONG wish=8\nwish 9",
    "trick 0 MAHJONG wish=8\nwish -",
    "trick 0 MAHJONG\nwish 8",
    "trick 0 MAHJONG wish=8 | 1 S8\nwish 8",  # fulfilled
    "past 2 MAHJONG wish=8 | 3 S10 => 3\nwish 9",
    "past 2 MAHJONG wish=8 | 3 S10 | 1 SJ => 1\npast 1 S8 => 1\nwish 8",
    "out 3",  # who has a card
    "out 0 0",
    "out 7",
    "out x",
    "trick",
    "trick -",
    "trick 0",
    "trick 0 S9,S10",
    "trick 5 S9",
    "trick 0 S9 | 1",
    "trick 0 S9 | 1 S9",
    "trick 0 S9 wish=1",
    "trick 0 S9 hope=3",
    "trick 0 S9 wish=3 wish=4",
    "trick 0 S9 wish=3",  # without the Mah Jong
    "trick 0 MAHJONG wish=3 wish=4",
    "trick 0 DOG",
    "trick 0 pass | 1 S9",
    "trick 0 S9 | |",
    "past 0 S2",
    "past 0 S2 =>",
    "past 0 S2 => x",
    "past 0 S2 => 9",
    "past 0 S2 => 0 > 9",
    "past 0 S3 => 0",  # which is in a hand
    "past 0 S9 => 0",  # which lies on the table
    "submitted 2",
    "submitted 2 J5,S5",
    "submitted 2 J5,S6",
    "submitted 1 J5,S5,P5,T5",
    "submitted 7 J5,S5,P5,T5",
]


def with_line(line: str) -> str:
    """Return the sound position with its line of the same name replaced."""
    words = line.split()
    same = words[:2] if line.startswith("hand ") else words[:1]
    kept = [text for text in SOUND.splitlines() if text.split()[: len(same)] != same]
    return "\n".join([*kept, line])


def test_sound_positions() -> None:
    """The positions that the bad lines are inserted into are valid."""
    for line in (
        "",
        "wish 8",
        "submitted 2 J5,S5,P5,T5",
        "asked 2\ncalls - - tichu -",
        "hand 3 S7",
    ):
        assert plays_of(read_position(with_line(line)), "A") == []


def test_the_number_of_the_round_follows_from_the_results() -> None:
    """The position has no line ``round``."""
    hands = ["phase LEAD 0", *(f"hand {seat} {suit}8" for seat, suit in enumerate("JSPT"))]
    played = write_position(walk(3, 500, Options(target=5000)).match)
    results = [line for line in played.splitlines() if line.startswith("result ")]
    assert results
    for some in ([], results):
        round_ = read_position("\n".join([*some, *hands])).round
        assert round_ is not None
        assert round_.number == len(some) + 1


@each("line", BAD_LINES)
def test_texts_that_are_no_position(line: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(with_line(line))
    assert 0 < len(str(error.value)) < 400
