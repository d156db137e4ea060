"""Puzzles: each stored one is sound, and the same seed makes the same one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import puzzles
from bench.puzzles import is_same, kind_of, make_puzzle, problems, varied
from bot.puzzles.puzzle import PUZZLES, Puzzle, load_puzzles, read_puzzle
from engine import GiveTrick, Pass, read_action, view, write_position
from players.coach.judge import Judge
from tests.engine.positions import table
from tests.players.novice.table import position

STARTED = "started 0 1 2 3"
HANDS = {"B": "S9 P9", "C": "S4", "D": "J4 T4 T8"}


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    """Return the stored puzzle with the fewest choices of the shortest position."""
    return min(
        load_puzzles().values(), key=lambda each: (len(each.advice), len(each.position), each.name)
    )


@pytest.mark.slow
def test_stored_puzzles_are_sound() -> None:
    assert [
        f"{name}: {problem}" for name, each in load_puzzles().items() for problem in problems(each)
    ] == []


def test_the_data_are_small_and_no_two_puzzles_have_one_name() -> None:
    assert PUZZLES.stat().st_size <= 1_000_000
    lines = gzip.decompress(PUZZLES.read_bytes()).splitlines()
    assert len(load_puzzles()) == len(lines)


def test_no_kind_and_no_reason_has_more_than_its_share() -> None:
    sorts: dict[object, int] = {}
    for each in load_puzzles().values():
        best = each.advice[0]
        kind = kind_of(view(each.match, each.seat), best.action)
        for sort in (kind, best.explanation and best.explanation.cause):
            sorts[sort] = sorts.get(sort, 0) + 1
    assert max(sorts.values()) <= 0.4 * len(load_puzzles())


def test_a_proof_is_repeated_exactly(judge: Judge, puzzle: Puzzle) -> None:
    order = [advice.action for advice in puzzle.advice]
    seen = view(puzzle.match, puzzle.seat)
    for run in puzzle.proof:
        leads = judge.leads(seen, order, run.seed, run.deals)
        least = min(leads, key=lambda lead: lead.mean)
        assert tuple(least) == pytest.approx(run.lead, abs=0.01)


def test_a_proof_fails_for_another_choice(judge: Judge, puzzle: Puzzle) -> None:
    best, other, *others = (advice.action for advice in puzzle.advice)
    seen = view(puzzle.match, puzzle.seat)
    assert puzzles.prove(judge, seen, [other, best, *others], (1,)) is None


def test_the_same_seed_makes_the_same_puzzle(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "_SCREENING", 600)
    monkeypatch.setattr(puzzles, "_PROVING", 2400)
    monkeypatch.setattr(puzzles, "_LEAST_DEALS", 200)
    made, again = make_puzzle(judge, "55.1"), make_puzzle(judge, "55.1")
    assert made is not None
    assert made == again
    assert list(problems(read_puzzle(json.dumps(made)))) == []


def _with_choice(text: str) -> Callable[[Puzzle], dict[str, Any]]:
    def change(puzzle: Puzzle) -> dict[str, Any]:
        extra = puzzle.advice[-1]._replace(action=read_action(puzzle.seat, text))
        return {"advice": (*puzzle.advice, extra)}

    return change


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda each: {"position": each.position + "\n"}, "rebuilt"),
        (lambda each: {"advice": (*each.advice, each.advice[-1])}, "equal"),
        (_with_choice("play:DOG,DRAGON"), "illegal"),
        (lambda each: {"advice": (each.advice[0], each.advice[0])}, "nearly as good"),
        (lambda each: {"novice": each.advice[0].action}, "the Novice chooses otherwise"),
        (lambda each: {"advice": each.advice[:1]}, "not one of the worse"),
        (lambda each: {"proof": each.proof[:1]}, "fewer than two runs"),
        (
            lambda each: {"proof": (each.proof[0]._replace(lead=(9.9, 1.0, 20.0)), each.proof[1])},
            "proves nothing",
        ),
    ],
)
def test_problems_are_found(
    puzzle: Puzzle, change: Callable[[Puzzle], dict[str, Any]], problem: str
) -> None:
    changed = puzzle._replace(**change(puzzle))
    assert any(problem in found for found in problems(changed))


def test_a_seat_without_cards_has_no_puzzle(puzzle: Puzzle) -> None:
    gift = table("GIFT A", out="A", trick="A DRAGON | B pass | C pass | D pass", hands=HANDS)
    changed = puzzle._replace(position=write_position(gift), seat=0, novice=GiveTrick(0, 1))
    assert "the seat has no cards" in problems(changed)


def test_the_choice_of_puzzles_is_varied() -> None:
    sorts = [("follow", "a")] * 6 + [("lead", "a"), ("lead", "b"), ("pass", "b"), ("pass", "c")]
    assert varied(sorts, 10) == [0, 1, 7, 8, 9]


def test_actions_that_differ_by_suits_alone_are_the_same() -> None:
    seen = view(position("TURN 0", "J9 S9 P10", "1 P8", lines=[STARTED]), 0)
    jade, sword, ten = (read_action(0, f"play:{card}") for card in ("J9", "S9", "P10"))
    assert is_same(seen, jade, sword)
    assert not is_same(seen, jade, ten)
    assert not is_same(seen, jade, Pass(0))


def test_making_goes_on_after_the_last_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def make(_: Judge, seed: str) -> dict[str, Any] | None:
        asked.append(seed)
        return None if seed == "9.3" else {"name": seed.replace(".", "-")}

    monkeypatch.setattr(puzzles, "make_puzzle", make)
    file = tmp_path / "made.jsonl"
    for count in ("2", "3"):
        assert (
            puzzles.main(["make", str(file), "--count", count, "--seed", "9", "--first", "1"]) == 0
        )
    assert asked == ["9.1", "9.2", "9.3", "9.4"]
    names = [json.loads(line)["name"] for line in file.read_text().splitlines()]
    assert names == ["9-1", "9-2", "9-4"]


def test_packing_writes_the_same_bytes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = gzip.decompress(PUZZLES.read_bytes()).decode()
    made = tmp_path / "made.jsonl"
    made.write_text("".join(json.dumps(json.loads(line)) + "\n" for line in stored.splitlines()))
    packed = tmp_path / "puzzles.jsonl.gz"
    monkeypatch.setattr(puzzles, "PUZZLES", packed)
    assert puzzles.main(["pack", str(made)]) == 0
    assert gzip.decompress(packed.read_bytes()).decode() == stored
    first = packed.read_bytes()
    assert puzzles.main(["pack", str(made)]) == 0
    assert packed.read_bytes() == first


def test_checking_reports_problems_and_proves_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], puzzle: Puzzle
) -> None:
    stored = gzip.decompress(PUZZLES.read_bytes()).decode().splitlines()
    line = next(line for line in stored if json.loads(line)["name"] == puzzle.name)
    file = tmp_path / "made.jsonl"
    file.write_text(line + "\n")
    assert puzzles.main(["check", str(file), "--sample", "1"]) == 0
    assert "of 1 puzzles the best choice is best in 1" in capsys.readouterr().out
    file.write_text(f"{line}\n{line}\n")
    assert puzzles.main(["check", str(file), "--sample", "0"]) == 1
    assert f"{puzzle.name}: used 2 times" in capsys.readouterr().out
