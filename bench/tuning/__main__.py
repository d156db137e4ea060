"""`python -m bench.tuning --steps 32000 --to found.json`: tune the quick policy's weights.

The method is SPSA (simultaneous perturbation stochastic approximation, Spall 1992). Each step moves
every weight up or down at random by a width of its own. The moved weights and the opposite ones
play a few duplicate deals against each other; then all weights move a little towards the winner, in
proportion to the margin. The steps get shorter, and the mean of the second half of them is the
result. The same arguments give the same weights on any machine, as long as neither the rules nor
the number of weights change.

`--against FILE` tunes nothing: it prints the lead of the Expert's weights over those in the file,
in each game. `--mean FIRST SECOND` writes the mean of the results of two runs. With `--two-decks`
these commands use the weights for two decks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.tuning.duels import Table
from bench.tuning.two_decks import TableOfTwo
from bot.runtime.progress import print_line, progress
from players.expert import weights as weight
from players.expert.weights import TWO_DECKS, WEIGHTS, Weights, read_weights

GAMES = {"nanjing": 0.55, "trichu": 0.15, "tientsin": 0.15, "grandseigneur": 0.15}
"""The games that the weights are tuned for, with the share of the steps that each gets."""
_PLAYERS = (6, 7, 9, 10, 12)
"""Numbers of players in Grand Seigneur with two decks."""
_TWO_DECK_DEALS = 4000
"""Number of different deals of each table with two decks during tuning."""
_POINTS_A_PLACE = 100.0
"""The worth of a place in Grand Seigneur, which makes its margins as wide as other games'."""
_FIRST_GAIN, _LAST_GAIN = 0.0015, 0.0001
"""Lengths of the first and the last step, in widths for a margin of two points."""
_TESTED = 2000
"""The maximum number of deals in an occasional test against the initial weights."""
_WIDTHS = {
    weight.STRAIGHT_RANK: 0.015,
    weight.STRAIGHT_SIZE: 0.02,
    weight.STAIRS_RANK: 0.015,
    weight.STAIRS_SIZE: 0.02,
    weight.LEAD_EFFORT: 0.2,
    weight.LEAD_RANK: 0.03,
    weight.ONLY_LED: 1.0,
    weight.RIVAL_HOLD: 0.5,
    weight.RIVAL_SHORT: 0.5,
    weight.PARTNER_LAST: 0.4,
    weight.PARTNER_LAST_RANK: 0.04,
    weight.DOG_EARLY: 0.4,
    weight.DOG_LATE: 0.8,
    weight.DOG_CALL: 1.5,
    weight.LEAD_SHORT: 0.15,
    weight.POINTS: 0.004,
    weight.CALLED: 0.2,
    weight.CALLED_CARD: 0.03,
    weight.NEAR: 0.2,
    weight.NEAR_CARD: 0.05,
    weight.NEAR_SECOND: 0.3,
    weight.PARTNER_TOP: 1.0,
    weight.PARTNER_PLAY: 1.0,
    weight.SURE: 0.03,
    weight.BEAT_SINGLE: 0.03,
    weight.BEAT_PAIR: 0.03,
    weight.BEAT_TRIPLE: 0.03,
    weight.BEAT_FULL_HOUSE: 0.03,
    weight.BEAT_RUN: 0.03,
    weight.GRAND: 0.2,
    weight.OWN_CALL: 0.15,
    weight.TICHU: 0.15,
    weight.STRONG: 0.3,
    weight.GIVE_CALLER: 1.0,
    weight.GIVE_DRAGON: 0.2,
    weight.GIVE_PHOENIX: 0.2,
    weight.GIVE_DOG: 0.2,
    weight.DOG_TO_CALLER: 0.2,
    weight.GIVE_RIVAL_DOG: 0.2,
    weight.GIVE_RIVAL_MAHJONG: 0.2,
    weight.GIVE_RIVAL_POINTS: 0.01,
    weight.LEAD_HOLDS: 0.2,
    weight.LEAD_PHOENIX: 0.2,
    weight.LEAD_CALL_RANK: 0.03,
    weight.LEAD_RIVAL_CALL: 0.3,
    weight.DOG_EFFORT: 0.2,
    weight.DOG_CARDS: 0.1,
    weight.PHOENIX_ALONE: 0.15,
    weight.PHOENIX_OVER: 0.02,
    weight.PHOENIX_CARDS: 0.02,
    weight.RAISE: 0.01,
    weight.FRIEND_CARDS: 0.02,
    weight.LEAD_SWEEP: 0.15,
    weight.LEAD_SWEPT: 0.15,
    weight.RIVAL_OTHER: 0.15,
    weight.RIVAL_COMING: 0.2,
    weight.NEAR_SWEEP: 0.2,
    weight.BOMB_POINTS: 0.004,
    weight.LEAD_RIVAL_SIZE: 0.15,
    weight.LEAD_OWN_CALL: 0.3,
    weight.LEAD_OWN_SIZE: 0.15,
    weight.LEAD_FOR_CALLER: 0.15,
    weight.PASS_OWN_CALL: 0.15,
    weight.OWN_CALL_TOP: 1.0,
}
"""The moves of the weights that do not use `_WIDTH`."""
_WIDTH = 0.08
_CHANCES = slice(weight.BEAT_SINGLE, weight.BEAT_RUN + 1)
"""Weights that are probabilities and must stay positive."""


def widths() -> Weights:
    """Return the move of each weight."""
    return np.array([_WIDTHS.get(place, _WIDTH) for place in range(weight.COUNT)])


def minimums() -> Weights:
    """Return the minimum of each weight."""
    bounds = np.full(weight.COUNT, -np.inf)
    bounds[_CHANCES] = 0.01
    return bounds


Margin = Callable[[Weights, Weights], float]
"""Plays with two sets of weights; returns the first one's lead in points."""


def spsa(
    margin: Margin, start: Weights, width: Weights, minimum: Weights, steps: int, seed: int
) -> Iterator[Weights]:
    """Yield the result so far after each step, improving on `start`.

    `width` are the moves of the weights, `minimum` their minimums.
    """
    rng = np.random.default_rng(seed)
    weights, total, half = start.copy(), np.zeros(len(start)), steps // 2
    for step in range(steps):
        moves = width * rng.choice((-1.0, 1.0), len(start))
        won = margin(np.maximum(minimum, weights + moves), np.maximum(minimum, weights - moves))
        gain = _FIRST_GAIN + (_LAST_GAIN - _FIRST_GAIN) * step / steps
        weights = np.maximum(minimum, weights + gain * won / 2 * moves)
        if step >= half:
            total += weights
        yield total / (step + 1 - half) if step >= half else weights


def tune(
    start: Weights, steps: int, deals: int, seed: int, *, two_decks: bool = False
) -> Iterator[Weights]:
    """Yield better weights than `start` after each tenth of the steps; the last are the result.

    Each step plays `deals` deals; with `two_decks` all are of Grand Seigneur with two decks.
    """
    draw = np.random.default_rng([seed, 1])
    tables = list(_tables(seed, _TWO_DECK_DEALS, two_decks=two_decks).values())
    shares = [1 / len(tables)] * len(tables) if two_decks else list(GAMES.values())
    test = TableOfTwo(9, seed + 1, _TWO_DECK_DEALS) if two_decks else Table("nanjing", seed + 1)

    def margin(first: Weights, second: Weights) -> float:
        table = tables[draw.choice(len(tables), p=shares)]
        mean, _ = table.duel(first, second, deals)
        return mean if table.scored else _POINTS_A_PLACE * mean

    stages = spsa(margin, start, widths(), minimums(), steps, seed)
    for step, weights in enumerate(progress(stages, "steps", total=steps), 1):
        if step % max(1, steps // 10) == 0 or step == steps:
            mean, error = test.duel(weights, start, min(_TESTED, steps * deals))
            unit = "points a round in Nanjing" if test.scored else "places a round of nine"
            print_line(f"{step} steps: {mean:+.2f} ± {error:.2f} {unit}")
            yield weights


def _tables(seed: int, deals: int, *, two_decks: bool) -> dict[str, Table | TableOfTwo]:
    """Return tables of all games for one deck, or of Grand Seigneur with two decks, by name.

    Those with two decks have a number of different deals, which are reused.
    """
    if two_decks:
        return {f"{players} players": TableOfTwo(players, seed, deals) for players in _PLAYERS}
    return {game: Table(game, seed) for game in GAMES}


def compared(
    first: Weights, second: Weights, deals: int, seed: int, *, two_decks: bool = False
) -> list[str]:
    """Return a line for each table with the first weights' lead over the second."""
    lines = []
    for name, table in _tables(seed, min(deals, _TWO_DECK_DEALS), two_decks=two_decks).items():
        mean, error = table.duel(first, second, deals)
        unit = "points" if table.scored else "places"
        low, high = mean - 1.96 * error, mean + 1.96 * error
        lines.append(f"{name}: {mean:+.3f} {unit} a round, 95 % between {low:+.3f} and {high:+.3f}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune, or compare two sets of weights. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.tuning", description=__doc__)
    parser.add_argument("--steps", type=int, default=32_000)
    parser.add_argument("--deals", type=int, default=16, help="for each step; compared: for a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="the weights to begin at (the Expert's)")
    parser.add_argument("--to", type=Path, help="where the result goes: needed to tune")
    parser.add_argument("--two-decks", action="store_true", help="weights for two decks")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--against", type=Path, help="compare with the weights in this file")
    instead.add_argument("--mean", type=Path, nargs=2, help="write the mean of these weights")
    given = parser.parse_args(arguments)
    two_decks = given.two_decks
    start = TWO_DECKS if two_decks else WEIGHTS
    if given.start:
        start = read_weights(given.start)
    if given.against:
        other = read_weights(given.against)
        lines = compared(start, other, given.deals, given.seed, two_decks=two_decks)
        print("\n".join(lines))
        return 0
    if given.to is None:
        parser.error("name the file for the result with --to")
    if given.mean:
        first, second = map(read_weights, given.mean)
        _write(given.to, (first + second) / 2)
        return 0
    for found in tune(start, given.steps, given.deals, given.seed, two_decks=two_decks):
        _write(given.to, found)
    return 0


def _write(path: Path, weights: Weights) -> None:
    """Write weights to a file, with four digits."""
    path.write_text(json.dumps([round(float(number), 4) for number in weights]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
