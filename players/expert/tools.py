"""The Expert's compiled functions for the rest of it, with the arrays that they work in."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import View
from players.expert import layout as at
from players.expert.opening import rank_gifts
from players.expert.partition import split_effort
from players.expert.room import make_room
from players.expert.rows import row_of
from players.expert.search import Question, compare
from players.expert.weights import WEIGHTS


class Tools:
    """One set for each process; two threads cannot share it."""

    def __init__(self, weights: Any = WEIGHTS) -> None:
        self.weights = weights
        self.room = make_room()
        self._team_weights = np.stack([weights, weights])

    def effort(self, cards: int) -> float:
        """About the number of times a hand has to get rid of something unaided."""
        return split_effort(cards, self.weights, self.room.runs)

    def ranked_gifts(self, view: View, seat: int, receiver: int) -> list[int]:
        """The cards of a hand, the best one to give to `receiver` first; equal ones only once."""
        row = row_of(view)
        number = rank_gifts(row, seat, receiver, row[at.HAND + seat], self.weights, self.room)
        ranked = self.room.ranked[:number]
        order = np.argsort(-ranked[:, 1], kind="stable")
        return [int(ranked[place, 0]) for place in order]

    def compare(self, question: Question, active: Any, deals: int, sums: Any) -> None:
        """Play the active choices on, over so many deals of the hidden cards; adds to `sums`."""
        compare(question, active, deals, self._team_weights, self.room, sums)
