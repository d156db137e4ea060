"""Improves the weights of the Expert's playing policy by playing against itself.

`python -m bench.tuning --minutes 20` changes one or two weights at a time, keeps what wins
duplicate deals beyond doubt, and writes the weights to players/expert/weights.json.
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
from players.expert.compiled import compiled_with_arrays
from players.expert.opening import call_tichus, choose_gifts, exchange, find_leader
from players.expert.playout import play_on
from players.expert.room import Room, forget_plans, make_room
from players.expert.rows import row_of
from players.expert.rules import copy, random_below

WHERE = Path(weight.__file__).with_name("weights.json")


class Table:
    """The game that is tuned for, and room to play it in."""

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
            self.receivers[seat] = sum(1 << to for to in match.variant.receivers(round_, seat))
        self.deck = np.array(deck, np.int64)
        self.room = make_room()

    def duel(self, first: Any, second: Any, deals: int) -> tuple[float, float]:
        """Mean points a round of the first weights over the second ones, and its error."""
        weights = np.stack([first, second])
        total, squares = _duel(
            self.base, self.sizes, self.receivers, self.deck, deals, weights, self.room
        )
        mean = total / deals
        return mean, float(np.sqrt(max(1e-9, squares / deals - mean * mean) / deals))


@compiled_with_arrays
def _duel(
    base: Any,
    sizes: Any,
    receivers: Any,
    deck: Any,
    deals: int,
    team_weights: Any,
    room: Room,
) -> tuple[float, float]:
    row, swapped = base.copy(), team_weights[::-1].copy()
    hands = np.zeros(layout.SEATS, np.int64)
    total, squares = 0.0, 0.0
    seats = base[layout.GAME_SEATS]
    for _ in range(deals):
        for place in range(len(deck) - 1, 0, -1):
            other = random_below(base, place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        place = 0
        for seat in range(seats):
            hands[seat] = 0
            for _ in range(sizes[seat]):
                hands[seat] |= 1 << deck[place]
                place += 1
        margin = 0.0
        for side in range(2):
            copy(row, base)
            ours = team_weights if side == 0 else swapped
            for seat in range(seats):
                row[layout.HAND + seat] = hands[seat]
            forget_plans(room.plans)
            room.gifts[:] = 0
            if base[layout.SCORED]:
                for seat in range(seats):
                    weights = ours[row[layout.TEAM + seat] & 1]
                    choose_gifts(row, seat, receivers[seat], weights, room)
                exchange(row, room.gifts)
                call_tichus(row, ours, room.runs)
            else:
                find_leader(row)
            play_on(row, ours, room)
            for seat in range(seats):
                share = row[layout.RESULT + seat]
                margin += share if (row[layout.TEAM + seat] & 1) == side else -share
        margin /= seats
        total += margin
        squares += margin * margin
    return total, squares


def tune(table: Table, weights: Any, minutes: float, rng: random.Random) -> Any:
    """Better weights; says what it has kept."""
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
            WHERE.with_suffix(".new").write_text(json.dumps([round(float(x), 4) for x in weights]))
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
    weights = np.array(json.loads(WHERE.read_text())) if WHERE.exists() else weight.first_guess()
    weights = tune(table, weights, chosen.minutes, random.Random(chosen.seed))
    WHERE.write_text(json.dumps([round(float(weight), 4) for weight in weights]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
