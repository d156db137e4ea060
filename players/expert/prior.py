"""Results of choices that are expected before any playout.

A network with two hidden layers predicts them from the features of `players.expert.features`. It is
trained on results of playouts by `python -m bench.prior`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from players.expert import layout, search
from players.expert.compiled import compiled
from players.expert.deals import deal_unseen
from players.expert.features import MOST_FEATURES, describe_exchanges, describe_plays
from players.expert.rules import copy_row
from players.expert.search import Question
from players.expert.two_decks.features import write_features
from players.expert.two_decks.policy import Workspace as WorkspaceOfTwo
from players.expert.two_decks.search import Question as QuestionOfTwo
from players.expert.weights import Weights
from players.expert.workspace import Workspace, discard_plans

Array: TypeAlias = Any
"""Array of floats."""
FILE = Path(__file__).with_name("prior.json")
"""Weights and biases of the networks."""


class Network(NamedTuple):
    """Layers of a network; values between two layers are rectified."""

    weights: tuple[Array, ...]
    """Weights of each layer, `[input, unit]`. The last layer has one unit: the result."""
    biases: tuple[Array, ...]
    """Biases of each layer, `[unit]`."""


def read_networks(file: Path = FILE) -> dict[str, Network]:
    """Return the networks by the kind of question; see `kind_of`."""
    return {
        kind: Network(*(tuple(map(np.array, layers[part])) for part in Network._fields))
        for kind, layers in json.loads(file.read_text()).items()
    }


_NETWORKS = read_networks()


def kind_of(question: Question | QuestionOfTwo) -> str:
    """Return the kind of a question.

    In games with points it is "plays", "exchanges", or "gifts" where only partners get cards (S5);
    in others "places" or "two decks".
    """
    if isinstance(question, QuestionOfTwo):
        return "two decks"
    row = question.row
    if not row[layout.SCORED]:
        return "places"
    if row[layout.PHASE] != layout.OPENING:
        return "plays"
    given = question.choices[0, search.GIVEN : search.GIVEN + layout.SEATS]
    teams = row[layout.TEAM : layout.TEAM + layout.SEATS]
    return "exchanges" if given[teams != teams[question.seat]].any() else "gifts"


def predict(question: Question | QuestionOfTwo, features: Array) -> Array:
    """Return the expected result of each choice, up to a number that is the same for all.

    Raises `ValueError` if the network expects another number of features.
    """
    network = _NETWORKS[kind_of(question)]
    if features.shape[1] != len(network.weights[0]):
        raise ValueError(f"{len(network.weights[0])} features expected, not {features.shape[1]}")
    return _results(features, network)


def describe(
    question: Question | QuestionOfTwo, weights: Weights, work: Workspace | WorkspaceOfTwo
) -> Array:
    """Return the features of each choice, `[choice, feature]`.

    They depend only on public information and on the cards that the seat holds or sees.
    """
    features = np.zeros((len(question.choices), MOST_FEATURES))
    write: Any = write_features if isinstance(question, QuestionOfTwo) else _write_features
    size = write(question, weights, work, features)
    return features[:, :size]


@compiled
def _write_features(question: Question, weights: Weights, work: Workspace, features: Array) -> int:
    """Write the features of each choice to a row; return their number."""
    row, hidden = work.row, question.hidden
    copy_row(row, question.row)
    deal_unseen(row, hidden.free, hidden.sizes, hidden.barred, work.cards)  # hands get their sizes
    discard_plans(work.plans)
    if row[layout.PHASE] == layout.OPENING:
        row[layout.SEES + question.seat] = 0  # the networks were trained without hands in sight
        return describe_exchanges(row, question.seat, question.choices, weights, work, features)
    return describe_plays(row, question.seat, question.choices, weights, work, features)


def _results(features: Array, network: Network) -> Array:
    """Return the result of the network for each row of features."""
    units = np.zeros((len(network.biases), max(map(len, network.biases))))
    results = np.zeros(len(features))
    _calculate(np.ascontiguousarray(features), network, units, results)  # compiled for one layout
    return results


@compiled
def _calculate(features: Array, network: Network, units: Array, results: Array) -> None:
    """Write the result for each row of features. `units` are for the values of each layer.

    A matrix product by a library may differ in its last bits by processor and by row.
    """
    for row in range(len(features)):
        values = features[row]
        for layer in range(len(network.biases)):
            weights, biases = network.weights[layer], network.biases[layer]
            for unit in range(len(biases)):
                units[layer, unit] = biases[unit]
            for place in range(len(weights)):
                value = values[place]
                if value > 0.0 or (value < 0.0 and layer == 0):
                    for unit in range(len(biases)):
                        units[layer, unit] += value * weights[place, unit]
            values = units[layer]
        results[row] = values[0]
