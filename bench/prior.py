"""`python -m bench.prior collect FILE`: collect choices of Experts with their results in playouts.

Experts play rounds with themselves; of a part of their decisions, all choices are compared on many
deals. `train FILES` fits the networks of `players.expert.prior` to these results and writes them.
A tenth of the rounds is held out; of it, the share of the variance among choices is printed that
the networks explain. The same files give the same networks on one machine.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.duplicate import Board, start
from bench.rounds import play_round, shuffled
from bot.runtime.progress import print_line
from engine import Action, Options, Phase, View
from players.expert.choices import choices
from players.expert.endgame import Stake
from players.expert.kernels import Kernels
from players.expert.prior import FILE, kind_of
from players.expert.search import POINTS, SUMS, Question
from players.expert.thinking import Expert
from players.expert.two_decks.search import Question as QuestionOfTwo
from players.limit import Limit

_SEIGNEUR = Options(variant="grandseigneur")
GAMES = {
    "points": (*[Options()] * 3, Options(variant="trichu"), Options(variant="tientsin")),
    "places": (
        *[_SEIGNEUR] * 8,
        *[replace(_SEIGNEUR, players=5)] * 2,
        *[replace(_SEIGNEUR, players=9)] * 3,
        *[replace(_SEIGNEUR, players=players) for players in (7, 12)],
        replace(_SEIGNEUR, decks=2),
    ),
    "gifts": (Options(variant="tientsin"),),
}
"""Games of the rounds, chosen at random: with points, without, and with gifts to partners only."""
_DEALS = 160
"""Number of deals on which all choices of a decision are compared."""
_PLAYOUTS = 48
"""Playouts of the Experts for an ordinary decision."""
_PARTS = {"points": 0.6, "places": 0.6, "gifts": 0.0}
"""Part of the plays and passes that is collected; all exchanges are."""
_HELD_OUT = 10
"""One of this number of rounds is held out."""
_SIZES = {
    "plays": (48, 24),
    "exchanges": (32, 16),
    "gifts": (32, 16),
    "places": (24, 12),
    "two decks": (24, 12),
}
"""Units in the hidden layers of each network."""
_DECAY = {"plays": 3e-3, "exchanges": 1e-2, "gifts": 3e-3, "places": 1e-3, "two decks": 1e-3}
"""Pull of each network's weights towards zero."""
_STEPS, _DECISIONS, _FIRST_RATE = 12, 64, 3e-3
"""Passes over all decisions, decisions of a step of Adam, and its rate at first."""
_SCALE = 30.0
"""Points of one unit of the networks' results during training."""
_GOOD = 40.0
"""Points behind the best choice at which a choice counts for about a third of it."""
_POINTS_A_PLACE = 100.0
"""Points that count as much as a place in games without points."""


def _unit_of(kind: str) -> float:
    """Return the number of points of one unit of the results of a network."""
    return _POINTS_A_PLACE if kind in ("places", "two decks") else 1.0


class Example(NamedTuple):
    """A decision with the results of its choices."""

    round: int
    """Number of the round."""
    question: Question | QuestionOfTwo
    """Position and choices."""
    results: Any
    """Mean points, or places, of each choice in playouts."""


class _Collector:
    """Expert that writes some of its decisions to a file."""

    def __init__(self, file: Path, part: float) -> None:
        self._kernels = Kernels()
        self._expert = Expert(self._kernels)
        self._file, self._part = file, part
        self.round = 0

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of the view's seat, or `None` if it has none to take."""
        is_exchange = view.phase is Phase.EXCHANGE
        if view.phase is not Phase.GRAND and (is_exchange or rng.random() < self._part):
            self._collect(view, rng)
        return self._expert.choose(view, rng, Limit(0.0, _PLAYOUTS))

    def _collect(self, view: View, rng: random.Random) -> None:
        """Write the decision with the results of its choices, if there is one."""
        assert view.seat is not None
        possible = choices(view, view.seat, self._kernels)
        if len(possible) < 2:
            return
        question = self._expert.question(view, view.seat, possible, rng)
        question = question._replace(stake=Stake(np.zeros((0, 0)), 0, 0))
        sums = np.zeros((len(possible), SUMS))
        if self._kernels.compare(question, np.arange(len(possible)), _DEALS, sums):
            return  # the end of the round is known
        results = (sums[:, POINTS] / _DEALS).astype(np.float32)
        with self._file.open("ab") as stream:
            pickle.dump((self.round, question, results), stream)


def collect(file: Path, rounds: int, seed: int, games: str = "points") -> None:
    """Add the decisions of a number of rounds of these `GAMES` to a file."""
    player = _Collector(file, _PARTS[games])
    for player.round in range(rounds):
        rng = random.Random(f"{seed} {player.round}")
        match = start(Board(rng.choice(GAMES[games]), (), seed, player.round, False), 0)
        chairs = match.variant.chair_count(match.options)
        play_round(match, [player] * chairs, shuffled(match, rng), rng)


class _Data(NamedTuple):
    """Choices of many decisions, one after another."""

    features: Any
    """Features of each choice, `[choice, feature]`."""
    results: Any
    """Points of each choice in units of `_SCALE`, less their mean in the decision, `[choice]`."""
    parts: Any
    """Part of each choice in its decision, most for the best one; they add up to 1, `[choice]`."""
    begins: Any
    """First choice of each decision, and the number of all choices, `[decision + 1]`."""


class _Fit:
    """Network during training, with two hidden layers."""

    def __init__(self, data: _Data, units: Sequence[int], decay: float, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._decay = decay
        self._means = data.features.mean(0)
        self._widths = data.features.std(0) + 1e-3
        sizes = pairwise((data.features.shape[1], *units, 1))
        self._weights = [
            self._rng.normal(0.0, np.sqrt(2 / inputs), (inputs, outputs))
            for inputs, outputs in sizes
        ]
        self._biases = [np.zeros(weights.shape[1]) for weights in self._weights]

    def layers(self, features: Any) -> list[Any]:
        """Return the values of all layers for rows of features, the result last."""
        values = [(features - self._means) / self._widths]
        for weights, biases in zip(self._weights, self._biases, strict=True):
            rectified = np.maximum(values[-1], 0.0) if len(values) > 1 else values[-1]
            values.append(rectified @ weights + biases)
        return values

    def train(self, data: _Data) -> None:
        """Fit the network by Adam (Kingma and Ba 2015)."""
        parameters = self._weights + self._biases
        means = [np.zeros_like(each) for each in parameters]
        squares = [np.zeros_like(each) for each in parameters]
        count, step = len(data.begins) - 1, 0
        for epoch in range(_STEPS):
            rate = _FIRST_RATE * (1 - epoch / _STEPS)
            order = self._rng.permutation(count)
            for first in range(0, count, _DECISIONS):
                gradients = self._gradients(_select(data, order[first : first + _DECISIONS]))
                step += 1
                for place, gradient in enumerate(gradients):
                    means[place] = 0.9 * means[place] + 0.1 * gradient
                    squares[place] = 0.999 * squares[place] + 0.001 * gradient**2
                    mean = means[place] / (1 - 0.9**step)
                    size = np.sqrt(squares[place] / (1 - 0.999**step)) + 1e-8
                    parameters[place] -= rate * mean / size

    def _gradients(self, data: _Data) -> list[Any]:
        """Return the gradients of the squared errors and of the decay: of weights, then biases."""
        values = self.layers(data.features)
        errors = _errors(values[-1][:, 0], data)
        slopes = (2 * data.parts * errors / (len(data.begins) - 1))[:, None]
        of_weights: list[Any] = []
        of_biases: list[Any] = []
        for layer in reversed(range(len(self._weights))):
            inputs = np.maximum(values[layer], 0.0) if layer else values[layer]
            of_weights.insert(0, inputs.T @ slopes + self._decay * self._weights[layer])
            of_biases.insert(0, slopes.sum(0))
            slopes = slopes @ self._weights[layer].T * (values[layer] > 0)
        return of_weights + of_biases

    def stored(self, unit: float) -> dict[str, list[Any]]:
        """Return the network as `players.expert.prior` reads it; `unit` is that of its results."""
        weights, biases = list(self._weights), list(self._biases)
        weights[0] = weights[0] / self._widths[:, None]
        biases[0] = biases[0] - self._means @ weights[0]
        weights[-1] = weights[-1] * (_SCALE / unit)
        biases[-1] = np.zeros(1)
        return {
            "weights": [np.round(each, 4).tolist() for each in weights],
            "biases": [np.round(each, 4).tolist() for each in biases],
        }


def _errors(results: Any, data: _Data) -> Any:
    """Return the error of each result, less its weighted mean in the decision."""
    sizes = np.diff(data.begins)
    means = np.add.reduceat(data.parts * results, data.begins[:-1])
    return results - np.repeat(means, sizes) - data.results


def _select(data: _Data, decisions: Any) -> _Data:
    """Return some of the decisions."""
    sizes = np.diff(data.begins)[decisions]
    begins = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(begins[-1]) + np.repeat(data.begins[decisions] - begins[:-1], sizes)
    return _Data(data.features[places], data.results[places], data.parts[places], begins)


def _data(examples: Sequence[Example], kernels: Kernels, unit: float) -> _Data:
    """Return the choices of decisions as arrays; `unit` is that of their results in points."""
    features = [kernels.describe(each.question).astype(np.float32) for each in examples]
    results, parts = [], []
    for each in examples:
        points = unit * each.results
        part = np.exp((points - points.max()) / _GOOD)
        part /= part.sum()
        results.append((points - part @ points) / _SCALE)
        parts.append(part)
    begins = np.cumsum([0] + [len(each) for each in results])
    return _Data(
        np.concatenate(features),
        np.concatenate(results),
        np.concatenate(parts),
        begins,
    )


def read_examples(files: Sequence[Path]) -> Iterator[Example]:
    """Yield the examples in files. The last one may be cut off."""
    for file in files:
        with file.open("rb") as stream:
            while True:
                try:
                    yield Example(*pickle.load(stream))
                except (EOFError, pickle.UnpicklingError):
                    break


def train(files: Sequence[Path], seed: int, to: Path) -> None:
    """Fit networks to the examples in files, and write them. Others stay as they are."""
    kernels, networks = Kernels(), json.loads(FILE.read_text())
    examples = list(read_examples(files))
    for name in _SIZES:
        of_kind: tuple[list[Example], list[Example]] = [], []
        for each in examples:
            if kind_of(each.question) == name:
                of_kind[each.round % _HELD_OUT == 0].append(each)
        if not all(of_kind):
            continue
        unit = _unit_of(name)
        fitted, held_out = (_data(some, kernels, unit) for some in of_kind)
        fit = _Fit(fitted, _SIZES[name], _DECAY[name], seed)
        fit.train(fitted)
        networks[name] = fit.stored(unit)
        errors = _errors(fit.layers(held_out.features)[-1][:, 0], held_out)
        explained = 1 - (held_out.parts @ errors**2) / (held_out.parts @ held_out.results**2)
        number = sum(map(len, of_kind))
        print_line(f"{name}: {number:,} decisions, {explained:.1%} of the variance explained")
    to.write_text(json.dumps(networks, separators=(",", ":")) + "\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m bench.prior")
    parser.add_argument("--seed", type=int, default=1, help="seed (1)")
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect", help="play rounds and collect decisions")
    collecting.add_argument("file", type=Path)
    collecting.add_argument("--games", choices=GAMES, default="points")
    collecting.add_argument("--rounds", type=int, default=2000, help="number of rounds (2000)")
    training = commands.add_parser("train", help="fit the networks")
    training.add_argument("files", type=Path, nargs="+")
    training.add_argument("--to", type=Path, default=FILE, help="file for the networks")
    options = parser.parse_args(arguments)
    if options.command == "collect":
        collect(options.file, options.rounds, options.seed, options.games)
    else:
        train(options.files, options.seed, options.to)


if __name__ == "__main__":
    main()
