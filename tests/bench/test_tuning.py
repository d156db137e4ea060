"""Tuning finds a noisy optimum, and duels of weights are fair."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.contestants import contestant, prepare_contestant
from bench.decisions import decisions
from bench.tuning.__main__ import GAMES, compared, main, minimums, spsa, widths
from bench.tuning.duels import Table
from bench.tuning.two_decks import TableOfTwo
from players.expert import weights as weight
from players.expert.weights import TWO_DECKS, WEIGHTS, Weights, first_guess, read_weights

CHANCES = range(weight.BEAT_SINGLE, weight.BEAT_RUN + 1)
WEIGHTS_FILE = Path(weight.__file__).with_name("weights.json")
LESS = (weight.FRIEND, weight.FRIEND_CARDS)
"""Weights that have an effect below 0."""


def test_the_top_of_a_hill_is_found_in_the_fog() -> None:
    """Margins are noisy; a bound keeps one weight from its optimum."""
    top, width = np.array([1.0, -2.0, 0.5, 0.02]), np.array([0.1, 0.5, 0.05, 0.01])
    bounds = np.array([-np.inf, -np.inf, 0.8, -np.inf])
    fog = np.random.default_rng(3)

    def height(weights: Weights) -> float:
        return -float((((weights - top) / width) ** 2).sum()) / 2

    def margin(first: Weights, second: Weights) -> float:
        assert first[2] >= 0.8
        assert second[2] >= 0.8
        return height(first) - height(second) + fog.normal(0, 5)

    start = np.array([0.0, 0.0, 1.0, 0.0])
    *_, found = spsa(margin, start, width, bounds, 6_000, 1)
    assert found == pytest.approx(np.array([1.0, -2.0, 0.8, 0.02]), abs=0.25)
    first, *_ = spsa(lambda *_: 0.0, start, width, bounds, 2, 1)
    assert (first == start).all()


def test_every_weight_is_moved_by_a_small_part_of_what_it_is() -> None:
    assert (widths() > 0).all()
    bounded = np.flatnonzero(minimums() > -np.inf)
    assert bounded.tolist() == list(CHANCES)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_weights_are_not_ahead_of_themselves(game: str) -> None:
    assert Table(game, 5).duel(WEIGHTS, WEIGHTS, 20) == (0.0, 0.0)


@pytest.mark.parametrize("players", [6, 9])
def test_weights_for_two_decks_are_ahead_of_those_for_one(players: int) -> None:
    table = TableOfTwo(players, 5, deals=400)
    mean, _ = table.duel(TWO_DECKS, WEIGHTS, 400)
    assert mean > 0
    behind, _ = table.duel(WEIGHTS, TWO_DECKS, 400)
    assert behind == pytest.approx(-mean)
    assert table.duel(WEIGHTS, WEIGHTS, 20)[0] == pytest.approx(0.0)


def test_who_plays_worse_loses_from_either_side() -> None:
    timid = first_guess()
    timid[weight.PASS] = 20.0
    ahead, error = Table("nanjing", 5).duel(first_guess(), timid, 100)
    behind, _ = Table("nanjing", 5).duel(timid, first_guess(), 100)
    assert ahead > 3 * error
    assert behind == -ahead


def test_no_weight_is_without_effect(subtests: pytest.Subtests) -> None:
    """Each newer weight changes some play; only Trichu has open hands.

    Higher cards of a partner are beaten with the tuned weights alone, one of which allows it.
    """
    nanjing, trichu = Table("nanjing", 5), Table("trichu", 5)
    for place in range(weight.LEAD_HOLDS, weight.COUNT):
        table = trichu if place in (weight.SEEN_BEATS, weight.PASS_SEEN) else nanjing
        with subtests.test(place=place):
            usual = weight.WEIGHTS if place == weight.OWN_CALL_TOP else first_guess()
            changed = usual.copy()
            changed[place] = (-25 if place in LESS else 25) * widths()[place]
            assert any(table.duel(changed, usual, 50)[1] > 0 for _ in range(20))


def test_older_weights_play_as_they_did(tmp_path: Path) -> None:
    """In a shorter file the missing weights are 0, and the policy ignores them."""
    file = tmp_path / "old.json"
    file.write_text(json.dumps(first_guess()[: weight.LEAD_HOLDS].tolist()))
    assert (read_weights(file) == first_guess()).all()


def test_the_command_writes_weights_and_compares_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same seed gives the same weights; a comparison has a line for each game."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for file in (first, second):
        assert main(["--steps", "6", "--deals", "2", "--seed", "4", "--to", str(file)]) == 0
    assert first.read_text() == second.read_text()
    assert not (read_weights(first) == WEIGHTS).all()
    capsys.readouterr()
    arguments = ["--start", str(first), "--against", str(first), "--deals", "5"]
    assert main(arguments) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == compared(WEIGHTS, WEIGHTS, 5, 1)


def test_the_command_compares_weights_for_two_decks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "same.json"
    file.write_text(json.dumps(list(TWO_DECKS)))
    assert main(["--two-decks", "--against", str(file), "--deals", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" players: ")[0] for line in lines] == ["6", "7", "9", "10", "12"]
    assert all("0.000 places" in line for line in lines)


def test_the_command_writes_the_mean_of_two_files(tmp_path: Path) -> None:
    first, second, to = (tmp_path / f"{name}.json" for name in ("first", "second", "mean"))
    first.write_text(json.dumps([1.0] * weight.COUNT))
    second.write_text(json.dumps([2.5] * weight.COUNT))
    assert main(["--mean", str(first), str(second), "--to", str(to)]) == 0
    assert json.loads(to.read_text()) == [1.75] * weight.COUNT


def test_the_command_overwrites_no_weights_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--steps", "6", "--deals", "2"])
    with pytest.raises(SystemExit):
        main(["--mean", str(WEIGHTS_FILE), str(WEIGHTS_FILE)])
    assert "--to" in capsys.readouterr().err


def test_the_expert_with_its_own_weights_decides_as_the_expert() -> None:
    same = contestant(f"expert-with:{WEIGHTS_FILE}:20")
    prepare_contestant(f"quick:{WEIGHTS_FILE}")
    for decision in decisions("nanjing", 200):
        assert decision.choice_of(same) == decision.choice_of(contestant("expert:20"))
