"""`python -m bench.partner collect FILE`: what high gifts, Dogs and tricks taken over are worth.

Where a seat can give its partner a jack to ace or a lower card, lead the Dog now or later, take a
partner's trick over or leave it, Experts play on from the real deal after the best choice of each
kind. `report FILES` compares the result with playouts of the quick policy, and with those of a
partner with other weights. Stop `collect` when there is enough.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.rounds import finish_round, play_round, shuffled
from bot.runtime.progress import print_line
from engine import (
    Action,
    Match,
    Options,
    PassCards,
    Phase,
    Points,
    Seat,
    View,
    apply,
    new_match,
    view,
)
from players.expert import layout, search
from players.expert import weights as weight
from players.expert.choices import Choice, choices
from players.expert.kernels import Kernels
from players.expert.thinking import Expert, tie_order
from players.expert.weights import WEIGHTS, Weights
from players.limit import Limit
from players.manners import rank_as_gift

_PLAYOUTS = 24
"""Playouts of the Experts for an ordinary decision."""
_LOOK, _CLOSE, _REPORT = 100, 600, 400
"""Deals that find the best choice of each kind, that select close ones, and of the report."""
_MOST_APART = 25.0
"""Maximum difference of the two choices in playouts, in points."""
_LEAST_HIGH, _HIGHEST = 11, 14
"""Ranks of a high gift."""


class Fork(NamedTuple):
    """Decision with a choice of each kind, and the result of the round after each."""

    kind: str
    match: Match
    seat: Seat
    first: Action
    second: Action
    lead: int
    """Points by which the first choice was better when Experts played on."""


def _changed(**changes: float) -> Weights:
    """Return the weights of the quick policy with some changes."""
    weights = WEIGHTS.copy()
    for name, change in changes.items():
        weights[getattr(weight, name)] += change
    return weights


def _generous() -> Weights:
    """Return weights by which partners give each other high cards."""
    weights = WEIGHTS.copy()
    weights[weight.GIVE + _LEAST_HIGH : weight.GIVE + _HIGHEST + 1] += 1.5
    return weights


_SUPPORT = {
    "PASS_CALL": 0.4,
    "PASS_CALL_BEHIND": 0.3,
    "LEAD_CALL_RANK": -0.1,
    "LEAD_FOR_CALLER": 0.6,
    "LEAD_DOG_CALL": 0.6,
}
PARTNERS = {
    "today": WEIGHTS,
    "supports calls": _changed(**_SUPPORT),
    "wins for the caller": _changed(LEAD_FOR_CALLER=1.5),
    "leaves tricks": _changed(FRIEND=-1.0),
    "plays for the team": _changed(**_SUPPORT, FRIEND=-0.5, PARTNER_FITS=1.0),
    "gives high cards": _generous(),
}
"""Weights of the quick policy by what partners do."""


class _Player:
    """Expert with few playouts."""

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.kernels = Kernels(weights)
        self.expert = Expert(self.kernels)

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of the view's seat, or `None` if it has none to take."""
        return self.expert.choose(view, rng, Limit(0.0, _PLAYOUTS))


def _kind(seen: View, rng: random.Random) -> str | None:
    """Return the kind of a decision that is looked at, else `None`."""
    assert seen.seat is not None
    if seen.phase is Phase.EXCHANGE:
        return "gift" if rng.random() < 0.5 else None
    if seen.phase is Phase.LEAD:
        return "Dog" if seen.hand.cards & layout.DOG_CARD else None
    is_partners = seen.phase is Phase.TURN and seen.top_seat in seen.seating.partners(seen.seat)
    return "trick" if is_partners and rng.random() < 0.3 else None


def _is_first(kind: str, seen: View, choice: Choice) -> bool | None:
    """Return whether a choice is a high gift, a later Dog or an answer to a partner's play.

    `None` if it is neither that nor the opposite.
    """
    assert seen.seat is not None
    action, code = choice.action, choice.numbers[search.CODE]
    if isinstance(action, PassCards):
        partners = seen.seating.partners(seen.seat)
        (card,) = (card for receiver, card in action.gifts if receiver in partners)
        is_plain = bool(card & layout.NATURALS)
        return _LEAST_HIGH <= rank_as_gift(card) <= _HIGHEST if is_plain else None
    if kind == "Dog":
        return bool(code != search.DOG)
    if code == search.PASS:
        return False
    return True if choice.numbers[search.CARDS] != seen.hand.cards else None


def _means(player: _Player, seen: View, pair: Sequence[Choice], deals: int, seed: int) -> Any:
    """Return the mean points of choices in playouts."""
    assert seen.seat is not None
    question = player.expert.question(seen, seen.seat, pair, random.Random(seed))
    assert isinstance(question, search.Question), "Nanjing has one deck"
    question.searched[0] = False
    sums = np.zeros((len(pair), search.SUMS))
    player.kernels.compare(question, np.arange(len(pair)), deals, sums)
    return sums[:, search.POINTS] / deals


def _pair(kind: str, seen: View, player: _Player, rng: random.Random) -> list[Choice] | None:
    """Return the best choice of each kind, if there are two about as good."""
    assert seen.seat is not None
    possible = choices(seen, seen.seat, player.kernels)
    possible.sort(key=lambda choice: tie_order(seen, choice.action))
    sides = [_is_first(kind, seen, choice) for choice in possible]
    if True not in sides or False not in sides:
        return None
    means = _means(player, seen, possible, _LOOK, rng.getrandbits(32))
    pair = [
        possible[max((i for i, each in enumerate(sides) if each is side), key=means.__getitem__)]
        for side in (True, False)
    ]
    first, second = _means(player, seen, pair, _CLOSE, rng.getrandbits(32))
    return pair if abs(first - second) <= _MOST_APART else None


def _result(player: _Player, fork: Match, action: Action, seat: Seat, seed: str) -> Points:
    """Return the lead of a seat's team in points, after Experts have played on."""
    rng = random.Random(seed)
    match, _ = apply(fork, action)
    match = finish_round(match, [player] * 4, rng)
    own = match.variant.seating(match, match.first_dealer).teams[seat]
    return match.totals[own] - match.totals[1 - own]


def collect(file: Path, seed: int) -> None:
    """Add forks to a file, until the program is stopped."""
    player = _Player()
    for number in count():
        rng = random.Random(f"{seed} {number}")
        match, decisions = new_match(Options()), list[tuple[Match, Seat]]()

        def watch(
            match: Match, seat: Seat, *_: object, decisions: list[tuple[Match, Seat]] = decisions
        ) -> None:
            decisions.append((match, seat))

        play_round(match, [player] * 4, shuffled(match, rng), rng, watch)
        for before, seat in decisions:
            seen = view(before, seat)
            kind = _kind(seen, rng)
            pair = None if kind is None else _pair(kind, seen, player, rng)
            if kind is None or pair is None:
                continue
            actions = [choice.action for choice in pair]
            first, second = (
                _result(player, before, action, seat, f"{seed} {number} {seat}")
                for action in actions
            )
            with file.open("ab") as stream:
                fork = Fork(kind, before, seat, actions[0], actions[1], first - second)
                pickle.dump(tuple(fork), stream)


def _read(files: Sequence[Path]) -> Iterator[Fork]:
    """Yield the forks in files. The last one may be cut off."""
    for file in files:
        with file.open("rb") as stream:
            while True:
                try:
                    yield Fork(*pickle.load(stream))
                except (EOFError, pickle.UnpicklingError):
                    break


def _interval(values: Sequence[float]) -> str:
    """Return a mean with its 95 % interval."""
    mean, half = np.mean(values), 1.96 * np.std(values) / len(values) ** 0.5
    return f"{mean:+.2f} ({mean - half:+.2f} to {mean + half:+.2f})"


def report(files: Sequence[Path]) -> None:
    """Print what the first choice of forks is worth, by kind and partner."""
    experts = {name: _Player(weights) for name, weights in PARTNERS.items()}
    results: dict[str, list[dict[str, float]]] = {}
    for number, fork in enumerate(_read(files)):
        seen = view(fork.match, fork.seat)
        by_action = {
            choice.action: choice for choice in choices(seen, fork.seat, experts["today"].kernels)
        }
        pair = [by_action[fork.first], by_action[fork.second]]
        leads: dict[str, float] = {"Experts": fork.lead}
        for name, player in experts.items():
            first, second = _means(player, seen, pair, _REPORT, number)
            leads[name] = first - second
        results.setdefault(fork.kind, []).append(leads)
    for kind, rows in results.items():
        print_line(f"{kind}: {len(rows)} decisions")
        for name in ("Experts", "today"):
            print_line(f"  {name}: {_interval([row[name] for row in rows])}")
        print_line(f"  Experts, less today: {_interval([r['Experts'] - r['today'] for r in rows])}")
        for name in list(PARTNERS)[1:]:
            changes = [row[name] - row["today"] for row in rows]
            print_line(f"  {name}, less today: {_interval(changes)}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Collect forks or report, as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.partner", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect", help="play rounds and collect forks")
    collecting.add_argument("file", type=Path)
    collecting.add_argument("--seed", type=int, default=1, help="seed (1)")
    reporting = commands.add_parser("report", help="print what choices are worth")
    reporting.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "collect":
        collect(options.file, options.seed)
    else:
        report(options.files)


if __name__ == "__main__":
    main()
