"""The command says how well hidden cards are guessed in the rounds that are kept."""

from __future__ import annotations

from itertools import islice

import pytest

from bench.habits import main
from bench.self_play import read_rounds


def test_the_command_guesses_in_the_rounds_that_are_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.habits.read_rounds", lambda: islice(read_rounds(), 2))
    main(["--kept", "--deals", "10"])
    first, *tenths = capsys.readouterr().out.splitlines()
    assert "hidden cards: " in first
    assert len(tenths) == 10
