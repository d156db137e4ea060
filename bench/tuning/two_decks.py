"""Duels of weights in Grand Seigneur with two decks, after the exchange."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from bench.rounds import shuffled
from engine import Options, Phase, RoundResult, apply, deal, new_match, view
from players.expert import layout
from players.expert.compiled import compiled_with_arrays
from players.expert.layout import Row
from players.expert.rules import copy_row
from players.expert.two_decks.hands import from_engine_set, set_hand
from players.expert.two_decks.policy import Workspace, discard_plans, make_workspace
from players.expert.two_decks.position import row_of
from players.expert.two_decks.rules import final_place
from players.expert.two_decks.search import play_on
from players.expert.weights import TeamWeights, Weights
from players.novice.player import Novice


class TableOfTwo:
    """Deals of a game with two decks, which are reused."""

    scored = False
    """Grand Seigneur has no points."""

    def __init__(self, players: int, seed: int, deals: int) -> None:
        options = Options(variant="grandseigneur", players=players, decks=2)
        self._rows = np.stack([_first_lead(options, seed, number) for number in range(deals)])
        self._next = 0
        self._work = make_workspace()

    def duel(self, first: Weights, second: Weights, deals: int) -> tuple[float, float]:
        """Return the mean lead of the first weights in places, and its standard error."""
        places = np.arange(self._next, self._next + deals) % len(self._rows)
        self._next = int(places[-1]) + 1
        margins = np.zeros(deals)
        _duel(self._rows[places], np.stack([first, second]), margins, self._work)
        return float(margins.mean()), float(margins.std() / np.sqrt(deals))


def _first_lead(options: Options, seed: int, number: int) -> Row:
    """Return a position with all hands before the first lead, after the Novice's exchange."""
    rng, novice, seats = random.Random(f"{seed} {number}"), Novice(), options.players or 0
    ranks = rng.sample(range(seats), seats - 1)  # all but the last one, as if a round was played
    drawn = RoundResult(1, 0, tuple(ranks), (), (), (), ())
    match = new_match(options)._replace(results=(drawn,))
    match, _ = deal(match, shuffled(match, rng))
    for seat in range(seats):
        if match.phase is Phase.EXCHANGE and (action := novice.choose(view(match, seat), rng)):
            match, _ = apply(match, action)
    assert match.round is not None
    row = row_of(view(match, None))
    for seat, hand in enumerate(match.round.hands):
        set_hand(row, seat, from_engine_set(hand.cards))
    return row


@compiled_with_arrays
def _duel(rows: Any, team_weights: TeamWeights, margins: Any, work: Workspace) -> None:
    """Play each deal twice, with sides swapped; write the first weights' lead in places."""
    swapped, row = team_weights[::-1].copy(), rows[0].copy()
    seats = row[layout.GAME_SEATS]
    for place in range(len(rows)):
        for side in range(2):
            copy_row(row, rows[place])
            discard_plans(work.plans)
            play_on(row, -1, team_weights if side == 0 else swapped, work)
            for seat in range(seats):
                size = (seats + 1 - (seat & 1)) // 2  # seats with the same weights
                lead = 0.5 * final_place(row, seat) / size
                margins[place] += lead if seat & 1 == side else -lead
