"""The room that the compiled code works in, and its functions for the rest of the Expert."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from bench.frozen.expert_2026_11.from_engine import View
from bench.frozen.expert_2026_11.expert import layout as at
from bench.frozen.expert_2026_11.expert import search
from bench.frozen.expert_2026_11.expert.knowledge import Knowledge
from bench.frozen.expert_2026_11.expert.opening import rank_gifts
from bench.frozen.expert_2026_11.expert.partition import scratch, split_effort
from bench.frozen.expert_2026_11.expert.policy import plans, sorts
from bench.frozen.expert_2026_11.expert.rows import row_of
from bench.frozen.expert_2026_11.expert.weights import WEIGHTS


class Question(NamedTuple):
    """What is compared: a position with the hands that are known, and choices as numbers.

    For what each of them means see `search.compare`.
    """

    row: Any
    seat: int
    numbers: Any
    known: Knowledge
    receivers: Any
    odds: Any
    totals: tuple[int, int]


class Tools:
    """One set for each process; not to be used by two threads at once."""

    def __init__(self, weights: Any = WEIGHTS) -> None:
        self.weights = weights
        self.room = scratch()
        self.in_play = (
            np.stack([weights, weights]),
            plans(),
            sorts(),
            self.room,
            np.zeros(4, np.int64),
            np.zeros(at.CARDS, np.int64),
        )

    def effort(self, cards: int) -> float:
        """About the number of times a hand has to get rid of something unaided."""
        return split_effort(cards, self.weights, self.room)

    def ranked_gifts(self, view: View, seat: int, to: int) -> list[int]:
        """The cards of a hand, the best one to give away to `to` first; equal ones only once."""
        ranked = np.zeros((at.CARDS, 2))
        row = row_of(view)
        hand = row[at.HAND + seat]
        number = rank_gifts(row, seat, hand, to, self.weights, self.room, ranked)
        order = np.argsort(-ranked[:number, 1], kind="stable")
        return [int(ranked[place, 0]) for place in order]

    def compare(self, question: Question, active: Any, deals: int, sums: Any) -> None:
        """Play the active choices on, over so many deals of the hidden cards; adds to `sums`."""
        known, compare = question.known, cast(Any, search.compare)
        compare(
            *(question.row, question.seat, question.numbers, active, deals),
            *(known.free, known.sizes, known.barred, known.passes, known.callers),
            *(question.receivers, question.odds, *question.totals),
            *self.in_play,
            sums,
        )
