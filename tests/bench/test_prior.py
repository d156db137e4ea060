"""Networks are trained on results of playouts, and predict them from what a seat knows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.prior import Example, collect, main, read_examples
from players.expert import layout
from players.expert.kernels import Kernels
from players.expert.prior import read_networks

ROUNDS = 4
"""One round of Nanjing and three of Tientsin with this seed."""
SEED = 1


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the decisions of some rounds."""
    path = tmp_path_factory.mktemp("prior") / "decisions"
    collect(path, ROUNDS, SEED)
    return path


@pytest.fixture(scope="module")
def examples(file: Path) -> list[Example]:
    """Return decisions with the results of their choices, which no network was trained on."""
    return list(read_examples([file]))


def test_expected_results_agree_with_playouts(examples: list[Example]) -> None:
    """They explain 30 % of the differences between the better choices."""
    kernels = Kernels()
    errors = differences = 0.0
    for example in examples:
        expected, results = kernels.predict(example.question), example.results
        parts = np.exp((results - results.max()) / 40)
        parts /= parts.sum()
        results = results - parts @ results
        expected = expected - parts @ expected
        errors += float(parts @ (expected - results) ** 2)
        differences += float(parts @ results**2)
    assert len(examples) > 60
    assert errors < 0.7 * differences


def test_expected_results_do_not_depend_on_hidden_cards(examples: list[Example]) -> None:
    """Hidden hands get their sizes by a random deal; another one changes nothing."""
    kernels = Kernels()
    for example in examples:
        question = example.question
        other = question._replace(row=question.row.copy())
        other.row[layout.RNG] += 12345
        assert kernels.predict(other).tolist() == kernels.predict(question).tolist()


def test_training_writes_networks_for_plays_and_exchanges(file: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    main(["train", str(file), "--to", str(first)])
    main(["train", str(file), "--to", str(second)])
    assert first.read_text() == second.read_text()
    stored = read_networks()
    for kind, network in read_networks(first).items():
        shapes = [weights.shape for weights in network.weights]
        assert shapes == [weights.shape for weights in stored[kind].weights]
        assert all(np.isfinite(weights).all() for weights in network.weights)


def test_a_file_that_was_cut_off_is_read_up_to_there(file: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:-100])
    whole = sum(1 for _ in read_examples([file]))
    assert sum(1 for _ in read_examples([cut])) == whole - 1
