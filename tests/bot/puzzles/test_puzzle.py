"""The stored puzzles: readable, legal, varied, proven, and too hard for the Novice."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from typing import Any

import pytest

from bot.puzzles.puzzle import PUZZLES, Puzzle, load_puzzles
from engine import can, view, write_action
from players.novice.player import Novice


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return list(load_puzzles().values())


@pytest.fixture(scope="module")
def data() -> list[dict[str, Any]]:
    return list(map(json.loads, gzip.decompress(PUZZLES.read_bytes()).splitlines()))


def test_there_are_a_thousand_in_at_most_a_megabyte(data: list[dict[str, Any]]) -> None:
    assert len({facts["name"] for facts in data}) == len(data) == 1000
    assert PUZZLES.stat().st_size <= 1_000_000


def test_each_offers_legal_choices_of_the_seat(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        actions = [advice.action for advice in puzzle.advice]
        assert 2 <= len(set(actions)) == len(actions) <= 24
        for action in actions:
            assert can(puzzle.match, action), (puzzle.name, write_action(action))
        points = [advice.points for advice in puzzle.advice]
        assert points[0] == 0.0
        assert all(other <= -10.0 for other in points[1:])


def test_the_novice_chooses_otherwise(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        chosen = Novice().choose(view(puzzle.match, puzzle.seat), random.Random(1))
        assert chosen is not None
        assert write_action(chosen) != write_action(puzzle.advice[0].action), puzzle.name


def test_each_has_two_proofs(data: list[dict[str, Any]]) -> None:
    for facts in data:
        runs = facts["proof"]
        assert len({seed for seed, _, _ in runs}) == 2
        for _, deals, (mean, low, high) in runs:
            assert deals >= 1000
            assert mean >= 10.0
            assert 0.0 < low <= mean <= high


def test_no_kind_and_no_difficulty_prevails(puzzles: list[Puzzle]) -> None:
    kinds = Counter(
        (write_action(puzzle.advice[0].action).partition(":")[0], puzzle.match.phase)
        for puzzle in puzzles
    )
    assert max(kinds.values()) <= 0.4 * len(puzzles)
    assert len({puzzle.match.options.variant for puzzle in puzzles}) == 3
    assert sum(puzzle.difficulty <= 1250 for puzzle in puzzles) <= 0.6 * len(puzzles)
    assert len({puzzle.difficulty for puzzle in puzzles}) > 10
