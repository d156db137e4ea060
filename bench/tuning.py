"""`python -m bench.tuning --minutes 20`: improve the weights of the Expert's quick policy.

It changes one to three weights at a time and lets the policy play duplicate deals against itself
with the old ones. What wins beyond doubt is kept. At the end the weights are written to
players/expert/weights.json.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from engine import Options, deal, new_match, view
from players.expert import layout
from players.expert import weights as weight
from players.expert.compiled import compiled, compiled_with_arrays
from players.expert.layout import Row
from players.expert.opening import call_tichus, choose_gifts, exchange, find_leader
from players.expert.playout import play_on
from players.expert.room import Room, forget_plans, make_room
from players.expert.rows import row_of
from players.expert.rules import copy, random_below
from players.expert.weights import TeamWeights, Weights

WEIGHTS_FILE = Path(weight.__file__).with_name("weights.json")


class Table:
    """The game that the weights are tuned for, with arrays to play it in."""

    def __init__(self, game: str, seed: int) -> None:
        match = new_match(Options.of(game, {}))
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
        self.room = make_room()

    def duel(self, first: Weights, second: Weights, deals: int) -> tuple[float, float]:
        """The mean points a round of the first weights over the second, and its standard error."""
        weights = np.stack([first, second])
        total, squares = _duel(
            self.base, self.sizes, self.receivers, self.deck, deals, weights, self.room
        )
        mean = total / deals
        return mean, float(np.sqrt(max(1e-9, squares / deals - mean * mean) / deals))


@compiled_with_arrays
def _duel(
    base: Row, sizes: Any, receivers: Any, deck: Any, deals: int, team_weights: Any, room: Room
) -> tuple[float, float]:
    """Play each deal twice, with sides swapped; sums of the margins and of their squares."""
    row, swapped = base.copy(), team_weights[::-1].copy()
    hands = np.zeros(layout.SEATS, np.int64)
    seats = base[layout.GAME_SEATS]
    total, squares = 0.0, 0.0
    for _ in range(deals):
        _deal(base, sizes, deck, hands)
        margin = 0.0
        for side in range(2):
            copy(row, base)
            _play(row, hands, receivers, team_weights if side == 0 else swapped, room)
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
def _play(row: Row, hands: Any, receivers: Any, team_weights: TeamWeights, room: Room) -> None:
    """Play a round from its exchange to its result, with these hands."""
    for seat in range(row[layout.GAME_SEATS]):
        row[layout.HAND + seat] = hands[seat]
    forget_plans(room.plans)
    room.gifts[:] = 0
    if row[layout.SCORED]:
        for seat in range(row[layout.GAME_SEATS]):
            weights = team_weights[row[layout.TEAM + seat] & 1]
            choose_gifts(row, seat, receivers[seat], weights, room)
        exchange(row, room.gifts)
        call_tichus(row, team_weights, room.runs)
    else:
        find_leader(row)
    play_on(row, team_weights, room)


def tune(table: Table, weights: Weights, minutes: float, rng: random.Random) -> Weights:
    """Better weights than these, found in so many minutes; prints what is kept."""
    end, kept, tried = time.monotonic() + 60 * minutes, 0, 0
    start = weights.copy()
    scale = np.maximum(0.1, np.abs(weights))
    while time.monotonic() < end:
        tried += 1
        changed = weights.copy()
        for place in rng.sample(range(weight.COUNT), rng.choice((1, 1, 2, 3))):
            changed[place] += scale[place] * rng.gauss(0.0, 0.35)
        mean, error = table.duel(changed, weights, 1500)
        deals = 1500
        while mean > 1.0 * error and deals < 50_000:
            more, _ = table.duel(changed, weights, 2 * deals)
            mean, deals = (mean + 2 * more) / 3, 3 * deals
            error /= 3**0.5
            if mean > 3.5 * error:
                break
        if mean > 2.5 * error:
            weights, kept = changed, kept + 1
            print(f"{tried} tried, {kept} kept: {mean:+.2f} ± {error:.2f}", flush=True)
            WEIGHTS_FILE.with_suffix(".new").write_text(
                json.dumps([round(float(x), 4) for x in weights])
            )
    mean, error = table.duel(weights, start, 20_000)
    print(f"against the weights before: {mean:+.1f} ± {error:.1f} points a round")
    return weights


def main(arguments: list[str]) -> None:
    """Tune for some minutes."""
    parser = argparse.ArgumentParser(prog="python -m bench.tuning", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--game", default="nanjing")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    table = Table(chosen.game, chosen.seed)
    weights = (
        np.array(json.loads(WEIGHTS_FILE.read_text()))
        if WEIGHTS_FILE.exists()
        else weight.first_guess()
    )
    weights = tune(table, weights, chosen.minutes, random.Random(chosen.seed))
    WEIGHTS_FILE.write_text(json.dumps([round(float(number), 4) for number in weights]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
