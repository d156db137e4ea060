"""Interface from the Expert's Python code to its compiled functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import CardSet, Seat, View
from players.expert import layout
from players.expert.endgame import make_search
from players.expert.opening import rank_gifts
from players.expert.partition import split_effort
from players.expert.prior import describe, predict
from players.expert.rows import row_of
from players.expert.search import Question, compare
from players.expert.two_decks import partition, policy, search
from players.expert.two_decks.hands import from_engine_set
from players.expert.weights import TWO_DECKS, WEIGHTS, Weights
from players.expert.workspace import make_workspace


class Kernels:
    """Compiled functions with weights and work arrays. Two threads cannot share an instance."""

    def __init__(self, weights: Weights = WEIGHTS, two_decks: Weights = TWO_DECKS) -> None:
        self.weights = weights
        self.work = make_workspace()
        self._search = make_search()
        self._team_weights = np.stack([weights, weights])
        self._weights_of_two = np.stack([two_decks, two_decks])
        self._work_of_two = policy.make_workspace()

    def effort(self, cards: CardSet) -> float:
        """Return the effort of a hand of one or two decks; see `players.expert.weights`."""
        if cards > layout.DECK:
            return partition.split_effort(
                from_engine_set(cards), self._weights_of_two[0], self._work_of_two.runs
            )
        return split_effort(cards, self.weights, self.work.runs)

    def ranked_gifts(self, view: View, seat: Seat, receiver: Seat) -> list[CardSet]:
        """Return the cards of a seat as sets of one, the best gift to `receiver` first.

        Of cards that differ by their suits alone, only one is returned.
        """
        row = row_of(view)
        gift_count = rank_gifts(
            row, seat, receiver, row[layout.HAND + seat], self.weights, self.work
        )
        ranked = self.work.ranked[:gift_count]
        order = np.argsort(-ranked[:, 1], kind="stable")
        return [int(ranked[place, 0]) for place in order]

    def compare(
        self, question: Question | search.Question, active: Any, deals: int, sums: Any
    ) -> bool:
        """Compare choices over `deals` deals; see `players.expert.search.compare`."""
        if isinstance(question, search.Question):
            search.compare(question, active, deals, self._weights_of_two, self._work_of_two, sums)
            return False
        known: bool = compare(
            question, active, deals, self._team_weights, self.work, self._search, sums
        )
        return known

    def describe(self, question: Question | search.Question) -> Any:
        """Return the features of choices; see `players.expert.prior`."""
        if isinstance(question, search.Question):
            return describe(question, self._weights_of_two[0], self._work_of_two)
        return describe(question, self.weights, self.work)

    def predict(self, question: Question | search.Question) -> Any:
        """Return the expected results of choices; see `players.expert.prior`."""
        return predict(question, self.describe(question))
