"""`python -m bench.habits`: what players do with which cards, counted in rounds of the Expert.

It plays rounds of a player with itself, finds the habits (`players.expert.habits`) by which all
that was done in them is likeliest, and says how well deals of the hidden cards guess them in rounds
that were left out. With `--make` the habits are written to players/expert/habits.json.

`--kept` finds nothing: it says how well today's habits guess in the rounds of `bench.self_play`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from math import log2
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from bench.contestants import prepare_contestant
from bench.self_play import Recorded, read_rounds, rounds_of, states
from bot.runtime.progress import progress
from engine import Match, Phase, view
from players.expert import habits as habit
from players.expert import layout
from players.expert.compiled import compiled_with_arrays
from players.expert.deals import next_deal
from players.expert.evidence import evidence
from players.expert.habits import (
    BLOCKS,
    CALL_WEIGHTS,
    HABITS,
    RANKS,
    CallWeights,
    Habits,
    table_of,
)
from players.expert.knowledge import Knowledge
from players.expert.likelihood import (
    CHOSEN,
    CONTEXT,
    FEWER,
    GIFT,
    KEPT,
    MORE,
    MOST_OPTIONS,
    TICHU,
    WHAT,
    call_features,
    list_options,
)
from players.expert.rows import row_of
from players.expert.workspace import make_workspace

HABITS_FILE = Path(habit.__file__).with_name("habits.json")
_STIFF = 3.0
"""How strongly the fit keeps all logarithms close to 0."""
_TRUST = 0.8
"""All logarithms are multiplied by this: what one seat does at several times is not independent, so
that otherwise deals would be too sure of what they say. Found with rounds that were left out."""
_STEPS = 400
"""The steps of the fit."""
_DEALS = 64
"""The deals by which hidden cards are guessed."""


# --- The fit ------------------------------------------------------------------------------------


class Observed(NamedTuple):
    """Choices of players that are known with all their options."""

    places: Any
    """The places in the table of all options, one choice after the other."""
    begins: Any
    """Where the options of each choice begin; one number more than choices."""
    chosen: Any
    """Which of its options was chosen."""
    features: tuple[Any, Any]
    """Of Tichus and Grand Tichus: what each question depends on, a row each."""
    answers: tuple[Any, Any]
    """Whether it was called, 1 or 0."""


def observe(rounds: Sequence[Recorded]) -> Observed:
    """All choices in these rounds."""
    places: list[int] = []
    begins, chosen = [0], []
    features: tuple[list[Any], list[Any]] = ([], [])
    answers: tuple[list[int], list[int]] = ([], [])
    options = np.zeros(MOST_OPTIONS, np.int64)
    for recorded in rounds:
        *_, last = states(recorded)
        assert last.round is not None
        hands = [hand.cards for hand in last.round.hands]
        for row in _all_evidence(last):
            if row[WHAT] == KEPT:
                continue  # found by `bench.exchanged_hands`
            hand = (hands[row[0]] | int(row[MORE])) & ~int(row[FEWER])
            if row[WHAT] >= TICHU:
                numbers = np.zeros(habit.FEATURES)
                call_features(hand, row[CONTEXT], numbers)
                features[row[WHAT] - TICHU].append(numbers)
                answers[row[WHAT] - TICHU].append(int(row[CHOSEN]))
                continue
            number, place = list_options(hand, row, options)
            if number > 1 and place >= 0:
                places += options[:number].tolist()
                begins.append(len(places))
                chosen.append(place)
    return Observed(
        np.array(places),
        np.array(begins),
        np.array(chosen),
        (np.array(features[0]), np.array(features[1])),
        (np.array(answers[0]), np.array(answers[1])),
    )


def _all_evidence(match: Match) -> Iterator[Any]:
    """What all seats have done, and given to all others."""
    seats = list(range(match.variant.seats(match.options)))
    for seat in seats:
        for row in evidence(view(match, seat), seats):
            if row[WHAT] == GIFT or seat == 0:
                yield row


@compiled_with_arrays
def _slope(logs: Any, places: Any, begins: Any, chosen: Any, slope: Any) -> float:
    """Add the slope of the log-likelihood by the logarithms of the table; returns its value."""
    total = 0.0
    for choice in range(len(chosen)):
        begin, end = begins[choice], begins[choice + 1]
        whole = 0.0
        for option in range(begin, end):
            whole += np.exp(logs[places[option]])
        for option in range(begin, end):
            slope[places[option]] -= np.exp(logs[places[option]]) / whole
        best = places[begin + chosen[choice]]
        slope[best] += 1.0
        total += logs[best] - np.log(whole)
    return total


def fit(observed: Observed) -> dict[str, Any]:
    """The habits that make what was observed likeliest, as they are stored."""
    shapes = [
        shape
        for block in BLOCKS.values()
        for shape in (
            (block.contexts, RANKS),
            (block.options, RANKS),
            (block.contexts, block.options),
        )
    ]
    parts = [np.zeros(shape) for shape in shapes]
    means = [np.zeros(shape) for shape in shapes]
    squares = [np.zeros(shape) for shape in shapes]
    for step in range(1, _STEPS + 1):
        logs = np.empty(habit.PLACES)
        for place, block in enumerate(BLOCKS.values()):
            one, two, both = parts[3 * place : 3 * place + 3]
            table = one[:, None, :] + two[None, :, :] + both[:, :, None]
            logs[block.begin : block.end] = table.ravel()
        slope = np.zeros(habit.PLACES)
        value = _slope(logs, observed.places, observed.begins, observed.chosen, slope)
        slopes = []
        for block in BLOCKS.values():
            cube = slope[block.begin : block.end].reshape(block.contexts, block.options, RANKS)
            slopes += [cube.sum(1), cube.sum(0), cube.sum(2)]
        for part, steep, mean, square in zip(parts, slopes, means, squares, strict=True):
            steep -= _STIFF * part
            mean += 0.1 * (steep - mean)
            square += 0.01 * (steep**2 - square)
            rate = 0.1 if step < 0.7 * _STEPS else 0.02
            ahead = mean / (1 - 0.9**step)
            part += rate * ahead / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        if step % 100 == 0:
            bits = -value / len(observed.chosen) / np.log(2)
            print(f"step {step}: {bits:.4f} bits a choice", flush=True)
    stored: dict[str, Any] = {}
    for place, name in enumerate(BLOCKS):
        stored[name] = [
            np.round(_TRUST * part, 2).tolist() for part in parts[3 * place : 3 * place + 3]
        ]
    stored["calls"] = [
        np.round(_TRUST * _logistic(features, answers), 3).tolist()
        for features, answers in zip(observed.features, observed.answers, strict=True)
    ]
    stored["calls"] += CALL_WEIGHTS[2:].tolist()
    return stored


def _logistic(features: Any, answers: Any) -> Any:
    """The weights that make these answers likeliest (Newton's method)."""
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (answers - chance) - weights
        bend = (features * (chance * (1 - chance))[:, None]).T @ features
        weights += np.linalg.solve(bend + np.eye(len(weights)), slope)
    return weights


# --- How well hidden cards are guessed -----------------------------------------------------------


class Guessed(NamedTuple):
    """How well the cards in hidden hands were guessed."""

    cards: int
    """The number of hidden cards."""
    bits: float
    """The bits that were missing to know where one of them is, on average."""
    even: float
    """The same if every card is as likely in one place of a hand as in another."""
    seconds: float
    """Processor time of a deal."""
    held: Any
    """By tenths of the chance that was said: how often it was, its mean, the part that was so."""


def guess(
    rounds: Sequence[Recorded],
    draw: Any,
    seed: int = 1,
    every: int = 8,
    deals: int = _DEALS,
) -> Guessed:
    """Guess the hidden cards at some moments of these rounds, each by `deals` deals.

    `draw(seen, deals, rng)` gives the hands of deals, an array `[deal, seat]`.
    """
    rng = random.Random(seed)
    cards, bits, even, spent, drawn = 0, 0.0, 0.0, 0.0, 0
    tenths = np.zeros((10, 3))
    for recorded in rounds:
        for match in states(recorded):
            if match.phase in (Phase.GRAND, Phase.EXCHANGE) or rng.randrange(every):
                continue
            round_ = match.round
            assert round_ is not None
            seat = round_.turn
            seen = view(match, seat)
            known = Knowledge(seen)
            free = known.free
            missing = {
                other: int(known.sizes[other]) - known.held[other].bit_count()
                for other in range(len(seen.seats))
                if known.sizes[other] > known.held[other].bit_count()
            }
            if len(missing) < 2:
                continue
            begin = process_time()
            hands = draw(seen, known, deals, rng)
            spent += process_time() - begin
            drawn += deals
            total = sum(missing.values())
            while free:
                card = free & -free
                free ^= card
                for other, places in missing.items():
                    fair = places / total
                    times = int(np.count_nonzero(hands[:, other] & card))
                    chance = (times + 2 * fair) / (deals + 2)
                    true = bool(round_.hands[other].cards & card)
                    tenth = min(9, int(10 * chance))
                    tenths[tenth] += 1, chance, true
                    if true:
                        cards += 1
                        bits -= log2(chance)
                        even -= log2(fair)
    tenths[:, 1:] /= np.maximum(1, tenths[:, :1])
    return Guessed(cards, bits / cards, even / cards, spent / drawn, tenths)


class Drawing:
    """Deals by habits and weights of calls, those of the Expert if none are given."""

    def __init__(self, habits: Habits = HABITS, calls: CallWeights = CALL_WEIGHTS) -> None:
        self._work = make_workspace(habits, calls)

    def __call__(self, seen: Any, known: Knowledge, deals: int, rng: random.Random) -> Any:
        """The hands of `deals` deals, by deal and seat."""
        row = row_of(seen)
        for other, cards in enumerate(known.held):
            row[layout.HAND + other] = cards
        row[layout.RNG] = rng.getrandbits(62)
        dealt = row.copy()
        dealt[layout.PHASE] = layout.OVER
        hands = np.zeros((deals, layout.SEATS), np.int64)
        for place in range(deals):
            next_deal(row, dealt, known.hidden, self._work)
            hands[place] = dealt[layout.HAND : layout.HAND + layout.SEATS]
        return hands


# --- The command line ---------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> None:
    """Play, fit, measure."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.habits", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=900, help="rounds to play (900)")
    parser.add_argument("--left-out", type=int, default=60, help="rounds that are guessed in (60)")
    parser.add_argument("--player", default="expert-2026-11:160")
    parser.add_argument("--game", default="nanjing")
    parser.add_argument("--make", action="store_true", help="write what was found")
    parser.add_argument("--deals", type=int, default=_DEALS, help="by which cards are guessed (64)")
    parser.add_argument("--kept", action="store_true", help="guess in the rounds that are kept")
    given = parser.parse_args(arguments)
    stored: dict[str, Any] | None = None
    if given.kept:
        left_out = list(read_rounds())
    else:
        prepare_contestant(given.player)
        numbers = progress(range(given.rounds), "rounds")
        played = list(rounds_of(given.player, given.game, numbers))
        left_out, others = played[: given.left_out], played[given.left_out :]
        stored = fit(observe(others)) if others else None
    drawing = Drawing() if stored is None else Drawing(table_of(stored), np.array(stored["calls"]))
    found = guess(left_out, drawing, deals=given.deals)
    print(
        f"{found.cards} hidden cards: {found.bits:.4f} bits each, {found.even:.4f} if all places "
        f"were as likely; {1e6 * found.seconds:.0f} µs a deal"
    )
    for times, said, true in found.held:
        print(f"  held with {said:.3f}: {int(times)} times, {true:.3f} of them true")
    if given.make and stored is not None:
        HABITS_FILE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
