"""The computer players' decisions have the stored digests; a soak tests all of them."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.contestants import contestant
from bench.decisions import (
    DECISIONS,
    GAMES,
    PLAYOUTS,
    SAMPLES,
    decisions,
    difference,
    digest,
    main,
    stored,
)
from bench.rounds import RandomPlayer
from engine import Phase
from tests.campaign import SOAK

PLAYERS = {"expert": f"expert:{PLAYOUTS}", "novice": "novice"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", PLAYERS)
def test_the_choices_have_the_stored_digest(level: str, game: str) -> None:
    """`python -m bench.decisions --against expert@COMMIT` prints the first difference."""
    every = 1 if SOAK else SAMPLES[level]
    assert digest(contestant(PLAYERS[level]), game, every) == stored(game, level, every)


@pytest.mark.parametrize("game", GAMES)
def test_there_are_decisions_of_every_kind(game: str) -> None:
    found = list(decisions(game))
    assert len(found) == DECISIONS
    phases = Counter(asked.match.phase for asked in found)
    expected = {Phase.EXCHANGE, Phase.LEAD, Phase.TURN, Phase.WINDOW, Phase.CLOSING}
    if found[0].match.variant.scored:
        expected |= {Phase.GRAND, Phase.GIFT}
        assert any(asked.seen.asked_to_withdraw for asked in found)
    assert set(phases) == expected
    assert phases[Phase.LEAD] + phases[Phase.TURN] > DECISIONS / 4


def test_other_choices_have_another_digest_and_are_found() -> None:
    novice, other = contestant("novice"), RandomPlayer()
    assert digest(other, "nanjing", 50) != digest(novice, "nanjing", 50)
    count, text = difference(novice, other, "nanjing", 50)
    assert 0 < count <= DECISIONS / 50
    assert ", the other " in text
    assert difference(novice, novice, "nanjing", 50) == (0, "")


def test_the_command_says_which_games_differ(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.decisions.contestant", lambda name: RandomPlayer())
    assert main(["nanjing"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == ["nanjing, expert: differs", "nanjing, novice: differs"]
    assert main(["nanjing", "--against", "novice@HEAD", "--every", "100"]) == 0
    assert capsys.readouterr().out == "nanjing: 0 decisions differ\n"
