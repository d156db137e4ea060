"""Boards of `bench.daily`: figures worked out by hand, and comparison with other processes."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from bench import daily
from bench.daily import main, ratio


def test_the_ratio_is_small_if_the_cards_decide_and_one_if_they_do_not() -> None:
    rng = Random(1)
    deals = [rng.randrange(-200, 201, 10) for _ in range(400)]
    value, low, high = ratio([(points, points + rng.choice((-10, 10))) for points in deals])
    assert 0 < low < value < high < 0.01
    value, low, high = ratio([(rng.choice(deals), rng.choice(deals)) for _ in deals])
    assert 0.8 < low < value < high < 1.2
    # Differences 0, 2, 4 and 2: variance 8/3. Results 0, 2, 4, 2 and 0, 0, 0, 0: 8/3 and 0.
    assert ratio([(0, 0), (2, 0), (4, 0), (2, 0)] * 9).value == pytest.approx(1)


def test_one_different_choice_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = ["0: 1:pass", "1: 1:pass"], ["0: 1:pass", "1: 1:tichu"]
    monkeypatch.setattr(daily, "choice_lists", lambda count: iter(here))
    monkeypatch.setattr(daily, "_elsewhere", lambda *_: here)
    assert main(["choices", "2", "--generic", "--python", "python3"]) == 0
    assert "differs" not in capsys.readouterr().out
    monkeypatch.setattr(daily, "_elsewhere", lambda *_: there)
    assert main(["choices", "2", "--generic"]) == 1
    assert "differs:\n1: 1:pass\n1: 1:tichu" in capsys.readouterr().out


def test_a_stopped_measurement_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = []

    def play_board(number: int, *_: object) -> SimpleNamespace:
        played.append(number)
        return SimpleNamespace(points=len(played) % 3)

    monkeypatch.setattr(daily, "play_board", play_board)
    file = tmp_path / "variance.jsonl"
    lines = [
        {"deal": number} | {name: [number, 30] for name in daily.PAIRS} for number in range(20)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["variance", str(file), "--first", "19", "--deals", "3"]) == 0
    assert played == [20] * 4 + [21] * 4
    assert main(["report", str(file)]) == 0
    assert "two seeds, 22 deals: mean difference -18.7 points" in capsys.readouterr().out
