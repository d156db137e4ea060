"""Networks are trained on results of playouts, and predict them from what a seat knows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.prior import Example, collect, main, read_examples
from players.expert import layout
from players.expert.kernels import Kernels
from players.expert.prior import kind_of, predict, read_networks

SEED = 980
"""Seed that no network was trained on.

Its first rounds are of Trichu, Nanjing and Tientsin, or with six and with seven players.
"""
ROUNDS = {"points": 3, "places": 2}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return files with the decisions of some rounds."""
    folder = tmp_path_factory.mktemp("prior")
    for games, rounds in ROUNDS.items():
        collect(folder / games, rounds, SEED, games)
    return {games: folder / games for games in ROUNDS}


@pytest.fixture(scope="module")
def examples(files: dict[str, Path]) -> list[Example]:
    """Return decisions with the results of their choices."""
    return list(read_examples(list(files.values())))


@pytest.mark.parametrize("kind", ["plays", "exchanges", "gifts", "places", "two decks"])
def test_expected_results_agree_with_playouts(kind: str, examples: list[Example]) -> None:
    """They explain at least 20 % of the differences between the better choices."""
    kernels, found = Kernels(), 0
    errors = differences = 0.0
    for example in examples:
        if kind_of(example.question) != kind:
            continue
        unit = 100 if kind in ("places", "two decks") else 1
        expected, results = unit * kernels.predict(example.question), unit * example.results
        parts = np.exp((results - results.max()) / 40)
        parts /= parts.sum()
        results = results - parts @ results
        expected = expected - parts @ expected
        errors += float(parts @ (expected - results) ** 2)
        differences += float(parts @ results**2)
        found += 1
    assert found > 5
    assert errors < 0.8 * differences


def test_expected_results_do_not_depend_on_hidden_cards(examples: list[Example]) -> None:
    """Hidden hands get their sizes by a random deal; another one changes nothing."""
    kernels = Kernels()
    for example in examples:
        question = example.question
        if kind_of(question) == "two decks":
            continue  # see tests/players/expert/test_expected_places.py
        other = question._replace(row=question.row.copy())
        other.row[layout.RNG] += 12345
        assert kernels.predict(other).tolist() == kernels.predict(question).tolist()


def test_refuses_another_number_of_features(examples: list[Example]) -> None:
    kernels, question = Kernels(), examples[0].question
    with pytest.raises(ValueError, match="features expected"):
        predict(question, kernels.describe(question)[:, 1:])


def test_training_keeps_the_networks_without_examples(
    files: dict[str, Path], tmp_path: Path
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    main(["train", str(files["points"]), "--to", str(first)])
    main(["train", str(files["points"]), "--to", str(second)])
    assert first.read_text() == second.read_text()
    stored = read_networks()
    for kind, network in read_networks(first).items():
        pairs = list(zip(network.weights, stored[kind].weights, strict=True))
        assert all(weights.shape == other.shape for weights, other in pairs)
        assert all(np.isfinite(weights).all() for weights in network.weights)
        is_trained = kind in ("plays", "exchanges")  # only the first round is held out
        assert all((weights != other).any() == is_trained for weights, other in pairs)


def test_a_file_that_was_cut_off_is_read_up_to_there(
    files: dict[str, Path], tmp_path: Path
) -> None:
    file, cut = files["points"], tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:-100])
    whole = sum(1 for _ in read_examples([file]))
    assert sum(1 for _ in read_examples([cut])) == whole - 1
