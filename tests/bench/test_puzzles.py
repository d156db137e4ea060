"""Making puzzles: the same for the same seed, and proven again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import puzzles
from bot.puzzles.puzzle import read_puzzle
from players.coach.judge import Judge


@pytest.fixture(autouse=True)
def fewer_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "_SCREENING", 600)
    monkeypatch.setattr(puzzles, "_PROVING", 2400)
    monkeypatch.setattr(puzzles, "_LEAST_DEALS", 200)
    monkeypatch.setattr(puzzles, "_EASY_SHARE", 1.0)


def test_the_same_seed_makes_the_same_puzzles_also_after_a_pause(tmp_path: Path) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    assert puzzles.main(["make", str(once), "--count", "2", "--seed", "3"]) == 0
    for count in ("1", "2"):
        assert puzzles.main(["make", str(twice), "--count", count, "--seed", "3"]) == 0
    assert once.read_text() == twice.read_text()
    first, second = map(json.loads, once.read_text().splitlines())
    assert first["name"] != second["name"]


def test_a_proof_is_repeated_with_other_seeds() -> None:
    facts = None
    for number in range(20):
        facts = facts or puzzles.make_puzzle(Judge(), f"3.{number}")
    assert facts is not None
    puzzle = read_puzzle(json.dumps(facts))
    order = [advice.action for advice in puzzle.advice]
    assert puzzles.prove(Judge(), puzzle.match, puzzle.seat, order, (77, 78))
    backwards = order[::-1]
    assert puzzles.prove(Judge(), puzzle.match, puzzle.seat, backwards, (77, 78)) is None
