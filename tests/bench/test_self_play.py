"""Rounds of a player with itself are kept, and read as they were played."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bench.rounds import OVER
from bench.self_play import KEPT_ROUNDS, main, read_rounds, rounds_of, states, write_rounds
from engine import apply


def test_the_rounds_that_are_kept_are_whole() -> None:
    found = list(read_rounds())
    assert [recorded.number for recorded in found] == list(range(6, 66))
    for recorded in islice(found, 0, 60, 12):
        *_, last = states(recorded)
        match, _ = apply(last, recorded.actions[-1])
        assert match.phase in OVER
    assert "\n".join(write_rounds(found)) + "\n" == KEPT_ROUNDS.read_text("utf-8")


def test_rounds_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "rounds.txt"
    played = list(rounds_of("novice", "trichu", range(3)))
    file.write_text("\n".join(write_rounds(played)) + "\n", encoding="utf-8")
    assert list(read_rounds(file)) == played


def test_the_command_prints_or_keeps_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rounds.txt"
    monkeypatch.setattr("bench.self_play.KEPT_ROUNDS", file)
    asked = ["--player", "novice", "--first", "4", "--rounds", "2"]
    assert main(asked) == 0
    told = capsys.readouterr().out
    assert not file.exists()
    assert main([*asked, "--make"]) == 0
    assert file.read_text("utf-8") == told
    assert list(read_rounds(file)) == list(rounds_of("novice", "nanjing", range(4, 6)))
