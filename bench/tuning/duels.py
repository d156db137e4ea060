"""Duels of weights: the quick policy plays whole rounds, some thousands per second.

Each deal is played twice, with sides swapped. `bench.tuning` uses it to find weights.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import Options, deal, new_match, view
from players.expert import layout
from players.expert.compiled import compiled, compiled_with_arrays
from players.expert.layout import Row
from players.expert.opening import begin_first_trick, call_tichus, choose_gifts, exchange
from players.expert.playout import play_on
from players.expert.rows import row_of
from players.expert.rules import copy_row, random_below
from players.expert.weights import TeamWeights, Weights
from players.expert.workspace import Workspace, discard_plans, make_workspace


class Table:
    """The start of a game, with reusable arrays to play it in."""

    def __init__(self, game: str, seed: int) -> None:
        match = new_match(Options.from_values(game, {}))
        deck = list(match.variant.deck(match.options))
        match, _ = deal(match, deck)
        round_ = match.round
        assert round_ is not None
        self.base = row_of(view(match, None))
        self.base[layout.RNG] = seed
        self.sizes = np.zeros(layout.SEATS, np.int64)
        self.receivers = np.zeros(layout.SEATS, np.int64)
        for seat, hand in enumerate(round_.hands):
            self.sizes[seat] = hand.size + round_.opening.stock[seat].bit_count()
            self.receivers[seat] = sum(
                1 << other for other in match.variant.receivers(round_, seat)
            )
        self.deck = np.array(deck, np.int64)
        self.scored = match.variant.scored
        self.work = make_workspace()

    def duel(self, first: Weights, second: Weights, deals: int) -> tuple[float, float]:
        """Return the mean margin of the first weights over the second, and its standard error.

        The margin is in points per round, or in places in a game without points.
        """
        weights = np.stack([first, second])
        total, squares = _duel(
            self.base, self.sizes, self.receivers, self.deck, deals, weights, self.work
        )
        mean = total / deals
        return mean, float(np.sqrt(max(0.0, squares / deals - mean * mean) / deals))


@compiled_with_arrays
def _duel(
    base: Row, sizes: Any, receivers: Any, deck: Any, deals: int, team_weights: Any, work: Workspace
) -> tuple[float, float]:
    """Play each deal twice, with sides swapped; return the sums of margins and their squares."""
    row, swapped = base.copy(), team_weights[::-1].copy()
    hands = np.zeros(layout.SEATS, np.int64)
    seats = base[layout.GAME_SEATS]
    total, squares = 0.0, 0.0
    for _ in range(deals):
        _deal(base, sizes, deck, hands)
        margin = 0.0
        for side in range(2):
            copy_row(row, base)
            _play(row, hands, receivers, team_weights if side == 0 else swapped, work)
            for seat in range(seats):
                share = row[layout.RESULT + seat]
                margin += share if (row[layout.TEAM + seat] & 1) == side else -share
        margin /= seats
        total += margin
        squares += margin * margin
    return total, squares


@compiled
def _deal(base: Row, sizes: Any, deck: Any, hands: Any) -> None:
    """Shuffle the deck and write the cards of each seat to `hands`."""
    for place in range(len(deck) - 1, 0, -1):
        other = random_below(base, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    place = 0
    for seat in range(base[layout.GAME_SEATS]):
        hands[seat] = 0
        for _ in range(sizes[seat]):
            hands[seat] |= 1 << deck[place]
            place += 1


@compiled
def _play(row: Row, hands: Any, receivers: Any, team_weights: TeamWeights, work: Workspace) -> None:
    """Play a round from its exchange to its result, with these hands."""
    for seat in range(row[layout.GAME_SEATS]):
        row[layout.HAND + seat] = hands[seat]
    discard_plans(work.plans)
    work.gifts[:] = 0
    if row[layout.SCORED]:
        for seat in range(row[layout.GAME_SEATS]):
            weights = team_weights[row[layout.TEAM + seat] & 1]
            choose_gifts(row, seat, receivers[seat], weights, work)
        exchange(row, work.gifts)
        call_tichus(row, team_weights, work.runs)
    else:
        begin_first_trick(row)
    play_on(row, -1, team_weights, work)
