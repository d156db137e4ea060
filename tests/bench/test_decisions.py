"""The computer players choose what they chose when last recorded; a sample, in a soak all of it."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice

import pytest

from bench.contestants import contestant
from bench.decisions import (
    DECISIONS,
    FROZEN,
    GAMES,
    PLAYOUTS,
    RECORDED,
    differences,
    main,
    make,
    recorded,
)
from bench.rounds import RandomPlayer
from engine import Phase

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
PLAYERS = {
    "expert": (f"expert:{PLAYOUTS}", 1 if SOAK else 40),
    "novice": ("novice", 1 if SOAK else 10),
}
"""Who is compared, and how many recorded decisions there are to one that is.

A normal run compares 50 decisions of the Expert in each game, which takes two seconds in all, and
200 of the Novice in a third of a second; each sample has decisions of nearly every phase.
"""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", PLAYERS)
def test_the_choices_are_the_recorded_ones(level: str, game: str) -> None:
    name, every = PLAYERS[level]
    found = list(differences(contestant(name), level, game, every))
    assert not found, f"{len(found)} are others, the first one: {found[0]}"


@pytest.mark.skipif(not SOAK, reason="its code has to be compiled: a minute")
@pytest.mark.parametrize("game", GAMES)
def test_the_frozen_expert_chooses_as_recorded(game: str) -> None:
    player = contestant(f"expert-2026-11:{PLAYOUTS}")
    assert not list(differences(player, "expert", game, folder=FROZEN["expert-2026-11"]))


@pytest.mark.parametrize("game", GAMES)
def test_there_are_decisions_of_every_kind(game: str) -> None:
    found = list(recorded(game, 2))
    assert len(found) == DECISIONS / 2
    phases = Counter(decision.match.phase for decision in found)
    expected = {Phase.EXCHANGE, Phase.LEAD, Phase.TURN, Phase.WINDOW, Phase.CLOSING}
    if found[0].match.variant.scored:
        expected |= {Phase.GRAND, Phase.GIFT}
        assert any(decision.seen.asked_to_withdraw for decision in found)
    assert set(phases) == expected
    assert phases[Phase.LEAD] + phases[Phase.TURN] > DECISIONS / 4
    assert sum(decision.expert != decision.novice for decision in found) > DECISIONS / 16


def test_a_file_is_made_anew_as_it_was() -> None:
    begin = (RECORDED / "trichu.txt").read_text("utf-8").splitlines()[:30]
    assert list(islice(make("trichu"), 30)) == begin


def test_the_command_tells_the_first_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["nanjing", "--every", "400"]) == 0
    assert "nanjing, novice: 0 of 5 decisions are others" in capsys.readouterr().out
    monkeypatch.setattr("bench.decisions.contestant", lambda name: RandomPlayer())
    assert main(["nanjing", "--every", "400"]) == 1
    told = capsys.readouterr().out
    assert "recorded is " in told
    assert "chosen was " in told
