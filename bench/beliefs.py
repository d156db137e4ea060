"""`python -m bench.beliefs`: fit and measure what the Expert infers about hidden cards.

`play` plays rounds of a player with itself. `fit` fits the habits (`players.expert.habits`) to them
and writes habits.json. `measure` measures how well deals guess the hidden cards of other rounds.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import log2
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from bench.contestants import contestant, prepare_contestant
from bench.rounds import deciding_seats, play_round, shuffled
from bot.runtime.progress import progress
from engine import (
    Action,
    CloseWindow,
    Match,
    Options,
    Phase,
    Seat,
    View,
    apply,
    deal,
    new_match,
    read_action,
    view,
    write_action,
)
from players.expert import habits as habit
from players.expert import layout
from players.expert.compiled import compiled_with_arrays
from players.expert.deals import next_deal
from players.expert.evidence import evidence
from players.expert.habits import BLOCKS, CALL_WEIGHTS, FEATURES, RANKS, table_of
from players.expert.knowledge import Knowledge
from players.expert.likelihood import (
    ACTION,
    CHOSEN,
    CONTEXT,
    EXCHANGED,
    GIFT,
    MOST_OPTIONS,
    NOW_ONLY,
    SEAT,
    THEN_ONLY,
    TICHU,
    call_features,
    list_options,
)
from players.expert.rows import row_of
from players.expert.workspace import make_workspace

HABITS_FILE = Path(habit.__file__).with_name("habits.json")
_SEATS = 4
_STIFFNESS = 3.0
"""Penalty of a logarithm in the fit to choices."""
_STEPS = 400
"""Steps of the fit to choices."""
_TRUST = 0.9
"""Factor of all logarithms after each fit. Few deals make guesses too sure."""
_EVERY = 4
"""The fit to deals uses one of so many positions."""
_SWAP_STEPS, _BATCH, _SWAPS = 400, 400, 10
"""Steps of the fit to deals; positions in a step; swaps in a position."""
_SWAP_STIFFNESS = 0.001
"""Penalty of a change of a logarithm in the fit to deals."""
_CALL_ROWS = 3
"""Number of rows of weights: Tichu, Grand Tichu, exchange."""


class Played(NamedTuple):
    """A recorded round."""

    number: int
    """Its number, which determines the dealer and the deck."""
    actions: Sequence[Action]
    """All actions, without closed windows."""


def read_rounds(path: Path) -> Iterator[Played]:
    """Return the rounds of a file written by `play`."""
    for line in path.read_text("utf-8").splitlines():
        number, _, steps = line.partition(" | ")
        words = (step.partition(" ") for step in steps.split("; "))
        yield Played(int(number), [read_action(int(seat), text) for seat, _, text in words])


def play_rounds(name: str, numbers: Iterable[int], path: Path) -> None:
    """Append rounds of a player with itself to a file."""
    prepare_contestant(name)
    player = contestant(name)
    with path.open("a") as out:
        for number in numbers:
            match = new_match(Options(), number % 3)
            rng = random.Random(f"belief {number}")
            deck = shuffled(match, rng)
            steps: list[str] = []
            play_round(
                match,
                [player] * _SEATS,
                deck,
                rng,
                watch=partial(_record, steps),
            )
            print(number, "|", "; ".join(steps), file=out, flush=True)


def _record(steps: list[str], _: Match, seat: Seat, action: Action, __: float) -> None:
    """Add an action to the steps of a round."""
    steps.append(f"{seat} {write_action(action)}")


def states(played: Played) -> Iterator[Match]:
    """Yield all states of a round, one before each action."""
    match = new_match(Options(), played.number % 3)
    match, _ = deal(match, shuffled(match, random.Random(f"belief {played.number}")))
    for action in played.actions:
        while match.phase in (Phase.WINDOW, Phase.CLOSING) and not deciding_seats(match):
            match, _ = apply(match, CloseWindow())
        yield match
        match, _ = apply(match, action)


def views(played: Played, every: int, seed: int) -> Iterator[tuple[View, Knowledge, list[int]]]:
    """Yield some views of the seats on turn, with their knowledge and the true hands."""
    rng = random.Random(f"{seed} {played.number}")
    for match in states(played):
        if match.phase in (Phase.GRAND, Phase.EXCHANGE) or rng.randrange(every):
            continue
        assert match.round is not None
        seen = view(match, match.round.turn)
        known = Knowledge(seen)
        if known.free:
            yield seen, known, [hand.cards for hand in match.round.hands]


# --- Fit to choices ------------------------------------------------------------------------------


class Choices(NamedTuple):
    """Choices with all their options."""

    places: Any
    """Places in the table of all options, one choice after the other."""
    begins: Any
    """First option of each choice; one number more than choices."""
    chosen: Any
    """Index of the chosen option of each choice."""
    calls: Any
    """Features and answers (0 or 1) of Tichus and of Grand Tichus."""


def observe(rounds: Sequence[Played]) -> Choices:
    """Return all choices in these rounds."""
    places: list[int] = []
    begins, chosen = [0], []
    calls: tuple[list[Any], list[Any]] = ([], [])
    options, features = np.zeros(MOST_OPTIONS, np.int64), np.zeros(FEATURES)
    for played in rounds:
        *_, last = states(played)
        assert last.round is not None
        hands = [hand.cards for hand in last.round.hands]
        for seat in range(_SEATS):
            for row in evidence(view(last, seat), list(range(_SEATS))):
                if row[ACTION] >= EXCHANGED or (row[ACTION] != GIFT and seat):
                    continue
                hand = (hands[row[SEAT]] | int(row[THEN_ONLY])) & ~int(row[NOW_ONLY])
                if row[ACTION] >= TICHU:
                    call_features(hand, row[CONTEXT], features)
                    calls[row[ACTION] - TICHU].append([*features, row[CHOSEN]])
                    continue
                number, place = list_options(hand, row, options)
                if number > 1 and place >= 0:
                    places += options[:number].tolist()
                    begins.append(len(places))
                    chosen.append(place)
    return Choices(
        np.array(places), np.array(begins), np.array(chosen), [np.array(c) for c in calls]
    )


@compiled_with_arrays
def _choice_gradient(logs: Any, places: Any, begins: Any, chosen: Any, gradient: Any) -> float:
    """Add the gradient of the log likelihood of choices. Returns its value."""
    total = 0.0
    for choice in range(len(chosen)):
        begin, end = begins[choice], begins[choice + 1]
        whole = 0.0
        for option in range(begin, end):
            whole += np.exp(logs[places[option]])
        for option in range(begin, end):
            gradient[places[option]] -= np.exp(logs[places[option]]) / whole
        best = places[begin + chosen[choice]]
        gradient[best] += 1.0
        total += logs[best] - np.log(whole)
    return total


class Adam:
    """Adam optimiser of several arrays, to a maximum."""

    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts
        self._means = [np.zeros(part.shape) for part in parts]
        self._squares = [np.zeros(part.shape) for part in parts]
        self._steps = 0

    def step(self, gradients: list[Any], rate: float) -> None:
        """Move all arrays along their gradients."""
        self._steps += 1
        for part, gradient, mean, square in zip(
            self.parts, gradients, self._means, self._squares, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            ahead = mean / (1 - 0.9**self._steps)
            part += rate * ahead / (np.sqrt(square / (1 - 0.99**self._steps)) + 1e-8)


def no_parts() -> list[Any]:
    """Return the parts of all blocks of the table, all zero: see `table_of`."""
    return [
        np.zeros(shape)
        for block in BLOCKS.values()
        for shape in (
            (block.contexts, RANKS),
            (block.options, RANKS),
            (block.contexts, block.options),
        )
    ]


def stored(parts: list[Any], calls: Any) -> dict[str, Any]:
    """Return habits as they are stored."""
    found: dict[str, Any] = {
        name: [np.round(part, 2).tolist() for part in parts[3 * place : 3 * place + 3]]
        for place, name in enumerate(BLOCKS)
    }
    found["calls"] = np.round(calls, 3).tolist()
    return found


def logs_of(parts: list[Any]) -> Any:
    """Return the logarithms of the table."""
    thirds = {name: parts[3 * place : 3 * place + 3] for place, name in enumerate(BLOCKS)}
    return np.log(table_of(thirds))


def gradients_of(gradient: Any) -> list[Any]:
    """Return the gradient of each part from that of the table."""
    found = []
    for block in BLOCKS.values():
        cube = gradient[block.begin : block.end].reshape(block.contexts, block.options, RANKS)
        found += [cube.sum(1), cube.sum(0), cube.sum(2)]
    return found


def fit_choices(choices: Choices) -> tuple[list[Any], Any]:
    """Return the parts of the table and weights of calls that make the choices likeliest."""
    adam = Adam(no_parts())
    for step in range(_STEPS):
        gradient = np.zeros(habit.PLACES)
        value = _choice_gradient(
            logs_of(adam.parts), choices.places, choices.begins, choices.chosen, gradient
        )
        gradients = [
            steep - _STIFFNESS * part
            for steep, part in zip(gradients_of(gradient), adam.parts, strict=True)
        ]
        adam.step(gradients, 0.1 if step < 0.7 * _STEPS else 0.02)
    print(
        f"{len(choices.chosen)} choices: {-value / len(choices.chosen) / np.log(2):.4f} bits each"
    )
    return adam.parts, [_logistic(each[:, :-1], each[:, -1]) for each in choices.calls]


def _logistic(features: Any, answers: Any) -> Any:
    """Return the weights that make these answers likeliest (Newton's method)."""
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (answers - chance) - weights
        bend = (features * (chance * (1 - chance))[:, None]).T @ features
        weights += np.linalg.solve(bend + np.eye(len(weights)), slope)
    return weights


# --- Fit to deals --------------------------------------------------------------------------------


class Deals(NamedTuple):
    """True deals of the hidden cards in some views."""

    hands: Any
    """Hands, by deal and seat."""
    free: Any
    """Cards that any hidden hand may hold, by deal."""
    barred: Any
    """Cards that each seat cannot have, by deal and seat."""
    rows: Any
    """Evidence of all deals, one after the other."""
    begins: Any
    """First row of each deal; one number more than deals."""


def true_deals(rounds: Sequence[Played], every: int) -> Deals:
    """Return the true deals of some views of these rounds."""
    hands, free, barred, rows, begins = [], [], [], [], [0]
    for played in rounds:
        for _, known, cards in views(played, every, 1):
            hands.append(cards)
            free.append(known.free)
            barred.append(known.barred[:_SEATS])
            rows.append(known.evidence)
            begins.append(begins[-1] + len(known.evidence))
    return Deals(
        np.array(hands, np.int64),
        np.array(free, np.int64),
        np.array(barred),
        np.concatenate(rows),
        np.array(begins),
    )


@compiled_with_arrays
def _hand_gradient(
    hand: Any,
    seat: Any,
    rows: Any,
    factor: float,
    logs: Any,
    calls: Any,
    places: Any,
    features: Any,
    gradient: Any,
    call_gradient: Any,
) -> float:
    """Add `factor` times the gradient of a hand's log likelihood. Returns its value."""
    value = 0.0
    for place in range(len(rows)):
        row = rows[place]
        if row[SEAT] != seat:
            continue
        then = (hand | row[THEN_ONLY]) & ~row[NOW_ONLY]
        if row[ACTION] >= TICHU:
            kind = row[ACTION] - TICHU
            call_features(then, row[CONTEXT], features)
            total = 0.0
            for i in range(FEATURES):
                total += calls[kind, i] * features[i]
            slope = factor
            if row[ACTION] >= EXCHANGED:
                value += total
            else:
                sign = 1.0 if row[CHOSEN] else -1.0
                chance = 1.0 / (1.0 + np.exp(-sign * total))
                value += np.log(chance)
                slope *= sign * (1.0 - chance)
            if factor:
                for i in range(FEATURES):
                    call_gradient[kind, i] += slope * features[i]
            continue
        count, chosen = list_options(then, row, places)
        if chosen < 0:
            continue
        whole = 0.0
        for i in range(count):
            whole += np.exp(logs[places[i]])
        value += logs[places[chosen]] - np.log(whole)
        if factor:
            for i in range(count):
                gradient[places[i]] -= factor * np.exp(logs[places[i]]) / whole
            gradient[places[chosen]] += factor
    return value


@compiled_with_arrays
def _swap_gradient(
    deals: Deals,
    chosen: Any,
    swaps: int,
    seed: int,
    logs: Any,
    calls: Any,
    places: Any,
    features: Any,
    gradient: Any,
    call_gradient: Any,
) -> tuple[float, float]:
    """Add the gradient of the log chance to tell true deals from ones with two cards swapped.

    Each of the `chosen` deals is compared with `swaps` others, and counts as its hidden cards.
    Returns the sum of these logarithms, and of the counts.
    """
    np.random.seed(seed)
    cards, holders = np.zeros(56, np.int64), np.zeros(56, np.int64)
    value = number = 0.0
    for deal_ in chosen:
        hands, barred = deals.hands[deal_], deals.barred[deal_]
        rows = deals.rows[deals.begins[deal_] : deals.begins[deal_ + 1]]
        total = 0
        for card in range(56):
            if deals.free[deal_] >> card & 1:
                for seat in range(4):
                    if hands[seat] >> card & 1:
                        cards[total], holders[total] = card, seat
                        total += 1
        for _ in range(swaps):
            place, other = np.random.randint(total), np.random.randint(total)
            one, two = cards[place], cards[other]
            a, b = holders[place], holders[other]
            if a == b or (max(one, two) < 52 and one >> 2 == two >> 2):
                continue
            if barred[b] >> one & 1 or barred[a] >> two & 1:
                continue
            both = 1 << one | 1 << two
            difference = 0.0
            factor = 0.0
            for turn in range(2):  # first the chance, then the gradient
                for swapped in range(2):
                    sign = -1.0 if swapped else 1.0
                    for seat in (a, b):
                        hand = hands[seat] ^ both if swapped else hands[seat]
                        likely = _hand_gradient(
                            hand,
                            seat,
                            rows,
                            sign * factor,
                            logs,
                            calls,
                            places,
                            features,
                            gradient,
                            call_gradient,
                        )
                        if turn == 0:
                            difference += sign * likely
                if turn == 0:
                    weight = total / 30.0
                    value -= weight * np.log1p(np.exp(-difference))
                    number += weight
                    factor = weight / (1.0 + np.exp(difference))
    return value, number


def fit(rounds: Sequence[Played]) -> dict[str, Any]:
    """Return the habits that fit best to these rounds, as they are stored.

    First they are fitted to choices. Then they are changed so that the true deal of a position is
    likelier than deals with two hidden cards swapped.
    """
    parts, call_weights = fit_choices(observe(rounds))
    deals = true_deals(rounds, _EVERY)
    start = [*(_TRUST * part for part in parts), np.zeros((_CALL_ROWS, FEATURES))]
    start[-1][: len(call_weights)] = _TRUST * np.array(call_weights)
    start[-1][len(call_weights) :] = CALL_WEIGHTS[len(call_weights) :]
    adam = Adam([part.copy() for part in start])
    places, features = np.zeros(MOST_OPTIONS, np.int64), np.zeros(FEATURES)
    rng = np.random.default_rng(1)
    for step in progress(range(_SWAP_STEPS), "steps"):
        gradient, call_gradient = np.zeros(habit.PLACES), np.zeros((_CALL_ROWS, FEATURES))
        value, number = _swap_gradient(
            deals,
            rng.choice(len(deals.free), min(_BATCH, len(deals.free)), replace=False),
            _SWAPS,
            int(rng.integers(1 << 30)),
            logs_of(adam.parts[:-1]),
            adam.parts[-1],
            places,
            features,
            gradient,
            call_gradient,
        )
        gradients = [
            each / number - _SWAP_STIFFNESS * (part - first)
            for each, part, first in zip(
                [*gradients_of(gradient), call_gradient], adam.parts, start, strict=True
            )
        ]
        adam.step(gradients, 0.02 * 0.03 ** (step / _SWAP_STEPS))
        if step % 100 == 99:
            print(f"step {step + 1}: {-value / number / np.log(2):.4f} bits a swap", flush=True)
    *parts, calls = (_TRUST * part for part in adam.parts)
    return stored(parts, calls)


# --- How well hidden cards are guessed -----------------------------------------------------------


def draw(seen: View, known: Knowledge, deals: int, rng: random.Random, work: Any) -> Any:
    """Return the hands of some deals, by deal and seat."""
    row = row_of(seen)
    for other, cards in enumerate(known.held):
        row[layout.HAND + other] = cards
    row[layout.RNG] = rng.getrandbits(62)
    dealt = row.copy()
    dealt[layout.PHASE] = layout.OVER
    hands = np.zeros((deals, layout.SEATS), np.int64)
    for place in range(deals):
        next_deal(row, dealt, known.hidden, work)
        hands[place] = dealt[layout.HAND : layout.HAND + layout.SEATS]
    return hands


def measure(rounds: Sequence[Played], deals: int, every: int, work: Any) -> Any:
    """Return for each round: cards, bits if all places are equally likely, bits; microseconds."""
    found, spent, drawn = [], 0.0, 0
    tenths = np.zeros((10, 3))
    for played in rounds:
        result = np.zeros(3)
        for seen, known, true in views(played, every, 2):
            missing = [int(known.sizes[s]) - known.held[s].bit_count() for s in range(_SEATS)]
            begin = process_time()
            hands = draw(seen, known, deals, random.Random(f"{played.number}"), work)
            spent += process_time() - begin
            drawn += deals
            for card in range(layout.CARDS):
                if not known.free >> card & 1:
                    continue
                for seat in range(_SEATS):
                    if missing[seat] <= 0:
                        continue
                    fair = missing[seat] / sum(missing)
                    times = int(np.count_nonzero(hands[:, seat] >> card & 1))
                    chance = (times + 2 * fair) / (deals + 2)
                    held = bool(true[seat] >> card & 1)
                    tenths[min(9, int(10 * chance))] += 1, chance, held
                    if held:
                        result += 1, -log2(fair), -log2(chance)
        found.append(result)
    tenths[:, 1:] /= np.maximum(1, tenths[:, :1])
    return np.array(found), 1e6 * spent / drawn, tenths


# --- Command line --------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> None:
    """Play, fit or measure."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.beliefs", description=__doc__.split("\n\n", maxsplit=1)[0]
    )
    parser.add_argument("task", choices=["play", "fit", "measure", "compare"])
    parser.add_argument(
        "files", type=Path, nargs="+", help="rounds; of compare: results of measure"
    )
    parser.add_argument("--player", default="expert:95")
    parser.add_argument(
        "--first", type=int, default=10000, help="number of the first round (10000)"
    )
    parser.add_argument("--rounds", type=int, default=850, help="number of rounds (850)")
    parser.add_argument("--deals", type=int, default=1000, help="deals a position (1000)")
    parser.add_argument("--every", type=int, default=8, help="measure one of so many positions (8)")
    parser.add_argument("--out", type=Path, help="file of results of measure, for compare")
    given = parser.parse_args(arguments)
    numbers = range(given.first, given.first + given.rounds)
    if given.task == "play":
        play_rounds(given.player, progress(numbers, "rounds"), given.files[0])
        return
    if given.task == "compare":
        compare(*(np.load(file) for file in given.files))
        return
    rounds = [each for each in read_rounds(given.files[0]) if each.number in numbers]
    if given.task == "fit":
        HABITS_FILE.write_text(json.dumps(fit(rounds)) + "\n", encoding="utf-8")
        return
    found, microseconds, tenths = measure(rounds, given.deals, given.every, make_workspace())
    cards, even, bits = found.sum(0)
    print(
        f"{len(found)} rounds, {int(cards)} cards: {bits / cards:.4f} bits, uniform "
        f"{even / cards:.4f}; {microseconds:.1f} µs a deal"
    )
    for times, said, true in tenths:
        print(f"  held with {said:.3f}: {int(times)} times, {true:.3f} of them true")
    if given.out:
        np.save(given.out, found)


def compare(before: Any, after: Any) -> None:
    """Print the gain in bits a card between two results of `measure` on the same rounds."""
    cards, gains = before[:, 0], before[:, 2] - after[:, 2]
    mean = gains.sum() / cards.sum()
    error = np.sqrt(np.sum((gains - mean * cards) ** 2)) / cards.sum()
    print(f"{mean:+.4f} bits ({mean - 1.96 * error:+.4f} to {mean + 1.96 * error:+.4f})")


if __name__ == "__main__":
    main(sys.argv[1:])
