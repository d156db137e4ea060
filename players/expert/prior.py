"""Results of choices that are expected before any playout.

A network of two hidden layers predicts them from the features of `players.expert.features`. It was
trained on results of playouts (docs/computer-players.md).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from players.expert import layout
from players.expert.compiled import compiled
from players.expert.deals import deal_unseen
from players.expert.features import (
    OF_EXCHANGE,
    OF_PLAY,
    Features,
    describe_exchanges,
    describe_plays,
)
from players.expert.rules import copy_row
from players.expert.search import Question
from players.expert.weights import Weights
from players.expert.workspace import Workspace, discard_plans

MOST = 1024
"""Upper bound of the number of choices."""


class Network(NamedTuple):
    """Weights of a network: a matrix and biases for each layer."""

    first: Any
    """Weights from each feature to the first hidden layer."""
    first_biases: Any
    second: Any
    """Weights from the first to the second hidden layer."""
    second_biases: Any
    last: Any
    """Weights from the second hidden layer to the result, in points."""


def _load() -> tuple[Network, Network]:
    """Return the networks of plays and of exchanges."""
    stored = json.loads(Path(__file__).with_name("prior.json").read_text())
    plays, exchanges = (
        Network(*(np.array(layer) for layer in stored[name])) for name in ("plays", "exchanges")
    )
    return plays, exchanges


PLAYS, EXCHANGES = _load()


@compiled
def _predict(features: Features, network: Network, hidden: Any) -> float:
    """Return the result of a choice, up to a number that is the same for all; `hidden` is scratch."""
    for unit in range(len(network.first_biases)):
        hidden[0, unit] = network.first_biases[unit]
    for place in range(len(network.first)):
        value = features[place]
        if value != 0.0:
            for unit in range(len(network.first_biases)):
                hidden[0, unit] += value * network.first[place, unit]
    for unit in range(len(network.second_biases)):
        hidden[1, unit] = network.second_biases[unit]
    for place in range(len(network.second)):
        value = hidden[0, place]
        if value > 0.0:
            for unit in range(len(network.second_biases)):
                hidden[1, unit] += value * network.second[place, unit]
    result = 0.0
    for place in range(len(network.last)):
        if hidden[1, place] > 0.0:
            result += hidden[1, place] * network.last[place]
    return result


@compiled
def predict(
    question: Question,
    weights: Weights,
    plays: Network,
    exchanges: Network,
    work: Workspace,
    features: Features,
    hidden: Any,
    results: Any,
) -> None:
    """Write the result of each choice in points to `results`, up to a number the same for all."""
    row, choices = work.row, question.choices
    copy_row(row, question.row)
    discard_plans(work.plans)
    network = exchanges
    if row[layout.PHASE] == layout.OPENING:
        describe_exchanges(row, question.seat, choices, weights, work, features)
    else:
        network = plays
        known = question.hidden
        deal_unseen(row, known.free, known.sizes, known.barred, work.cards)
        describe_plays(row, question.seat, choices, weights, work, features)
    for place in range(len(choices)):
        results[place] = _predict(features[place], network, hidden)


class Prior:
    """Predicts results of choices. Two threads cannot share an instance."""

    def __init__(self) -> None:
        self._features = np.zeros((MOST, max(OF_PLAY, OF_EXCHANGE)))
        self._hidden = np.zeros((2, max(len(each.first_biases) for each in (PLAYS, EXCHANGES))))
        self._results = np.zeros(MOST)

    def predict(self, question: Question, weights: Weights, work: Workspace) -> Any:
        """Return the result of each choice in points, up to a number that is the same for all."""
        count = len(question.choices)
        predict(
            question, weights, PLAYS, EXCHANGES, work, self._features, self._hidden, self._results
        )
        return self._results[:count].copy()
