"""`python -m bench.calling --rounds 500`: how often calls are made, by how good they look.

Four Experts play rounds in which they call more than usual. Each call is noted with the part of its
playouts in which its seat went out first, and with what came of it. The curves that fit best belong
into `players/expert/bets.py`; what higher bars would have done is told, too. With `--usual` they
call as they always do; then what is said of the results of rounds belongs into
`players/expert/odds.py`. With `--against expert-2026-11:430` two of them play against two of
another player, whose calls do not count.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import fmean, pstdev
from typing import NamedTuple

import numpy as np

from bench.contestants import contestant
from bench.figures import CallKind, share
from bench.rounds import Player, play_round, shuffled
from bot.runtime.progress import progress
from engine import Action, AnswerGrand, Call, CallTichu, Options, RoundResult, Seat, View, new_match
from players.expert.bets import BARS, Bars, Bet
from players.expert.choices import Choice
from players.expert.thinking import Expert, Weighed
from players.limit import Limit

_LOW = Bars(tichu=-0.05, grand=0.2)
"""Bars for more calls than usual."""
_HIGHER = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
"""The bars of which it is told what they would have done."""
_BANDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""The bands of chances that are told apart."""


class Tried(NamedTuple):
    """A call and what came of it."""

    kind: CallKind
    """What kind of call it was."""
    first: float
    """The part of the playouts in which its seat went out first."""
    made: bool
    """Whether it was made."""
    brings: float = 0.0
    """What it brought with its chance by the curves of today, as a part of its stake."""


class Curve(NamedTuple):
    """The logarithm of the odds of calls: `shift` + `slope` times that of the playouts."""

    shift: float
    """What it is for a call that is made in half of the playouts."""
    slope: float
    """How much it grows for each unit."""
    error: float
    """The standard error of `shift`."""


class _Judge(Expert):
    """An Expert that remembers the call that it weighed last."""

    judged: Bet | None = None

    def bet(
        self, seen: View, pair: Sequence[Choice], rng: random.Random, limit: Limit, bars: Bars
    ) -> tuple[Bet, Weighed, Weighed]:
        """What a call brings; as much thought is given to it as with the usual bars."""
        found = super().bet(seen, pair, rng, limit, BARS)
        self.judged = found[0]
        return found


class Caller:
    """A player for all seats, which notes the calls that it makes in a round."""

    def __init__(self, playouts: int, bars: Bars) -> None:
        self._expert = _Judge(bars=bars)
        self._limit = Limit(0.0, playouts)
        self.calls: dict[Seat, Bet] = {}

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """What the Expert does with these bars."""
        action = self._expert.choose(view, random.Random(rng.getrandbits(32)), self._limit)
        if isinstance(action, CallTichu) or (isinstance(action, AnswerGrand) and action.call):
            assert self._expert.judged is not None
            self.calls[action.seat] = self._expert.judged
        return action


def play(
    rounds: int, seed: int, player: Caller, other: Player
) -> Iterator[tuple[list[Tried], RoundResult]]:
    """Rounds at 0 to 0 of `player` and `other`: the calls of the first, and the result."""
    for number in range(rounds):
        rng = random.Random(f"{seed} {number} calls")
        match = new_match(Options(), number % 4)
        player.calls.clear()
        match = play_round(match, [player, other] * 2, shuffled(match, rng), rng)
        result = match.results[-1]
        calls = [
            _tried(player.calls[seat], made)
            for seat, _, made in result.calls
            if seat in player.calls
        ]
        yield calls, result


def _tried(bet: Bet, made: bool) -> Tried:
    """A call that is over."""
    kind = CallKind.GRAND if bet.stake == Call.GRAND.value else CallKind.ALONE
    return Tried(kind, bet.first, made, 2 * bet.brings / bet.swing)


def curve(tried: Sequence[Tried], slope: float | None = None) -> Curve:
    """The likeliest curve for these calls, by Newton's method; a `slope` may be given."""
    likely = np.clip([call.first for call in tried], 0.001, 0.999)
    logit = np.log(likely / (1 - likely))
    made = np.array([call.made for call in tried], float)
    inputs = np.stack([np.ones_like(logit), logit], axis=1)[:, : 2 if slope is None else 1]
    given = (0.0 if slope is None else slope) * logit
    found = np.zeros(inputs.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ found - given))
        bent = inputs.T @ (inputs * (chance * (1 - chance))[:, None]) + 1e-6 * np.eye(len(found))
        found = found + np.linalg.solve(bent, inputs.T @ (made - chance) - 1e-6 * found)
    error = float(np.sqrt(np.linalg.inv(bent)[0, 0]))
    return Curve(float(found[0]), float(found[1]) if slope is None else slope, error)


def report(tried: Sequence[Tried], results: Sequence[RoundResult], teams: int) -> Iterator[str]:
    """What is to be said of these rounds, and of the calls of `teams` teams in them, as lines."""
    for kind in (CallKind.ALONE, CallKind.GRAND):
        calls = [call for call in tried if call.kind is kind]
        yield f"{kind.value}: {len(calls) / teams / len(results):.3f} a team and round"
        for low, high in pairwise(_BANDS):
            band = [call for call in calls if low <= call.first < high + (high == 1.0)]
            if band:
                value, least, most = share(sum(call.made for call in band), len(band))
                yield (
                    f"  {low:.2f} to {high:.2f} in playouts: {value:.0%} of {len(band)} made "
                    f"(95 % between {least:.0%} and {most:.0%})"
                )
        if len({call.made for call in calls}) == 2:
            free, tied = curve(calls), curve(calls, 0.5)
            yield f"  curve: shift {free.shift:+.2f}, slope {free.slope:.2f}"
            yield f"  with slope 0.5: shift {tied.shift:+.2f} ± {tied.error:.2f}"
        yield from _with_bars(kind, calls, teams * len(results))
    yield from _of_results(results)


def _with_bars(kind: CallKind, tried: Sequence[Tried], times: int) -> Iterator[str]:
    """What is left of calls with higher bars, and what that brings; `times`: teams and rounds."""
    stake = 200 if kind is CallKind.GRAND else 100
    for bar in _HIGHER:
        calls = [call for call in tried if call.brings > bar]
        if calls:
            made = sum(call.made for call in calls)
            value, least, most = share(made, len(calls))
            points = stake * (2 * made - len(calls)) / times
            yield (
                f"  with a bar of {bar:.0%}: {len(calls) / times:.3f} a team and round, "
                f"{value:.0%} made (95 % between {least:.0%} and {most:.0%}), {points:+.1f} points"
            )


def _of_results(results: Sequence[RoundResult]) -> Iterator[str]:
    """What odds of matches are computed from."""
    margins = [result.score[0] - result.score[1] for result in results]
    yield f"double victories: {fmean(result.sweep for result in results):.1%} of {len(results)}"
    yield f"standard deviation of the difference a round: {pstdev(margins):.0f}"
    shared = [result for result in results if not result.sweep]
    cards = [result.cards[result.out[0] % 2] for result in shared]
    if cards:
        yield f"cards of the team first out, else: {fmean(cards):.0f} ± {pstdev(cards):.0f}"
    for name, other in (("first out", 0), ("other", 1)):
        earned = Counter(_from_calls(result, (result.out[0] + other) % 2) for result in results)
        parts = (f"{points:+d}: {earned[points] / len(results):.3f}" for points in sorted(earned))
        yield f"calls of the team {name}: {', '.join(parts)}"


def _from_calls(result: RoundResult, team: int) -> int:
    """The points that a team's calls brought."""
    calls = [(call.value, made) for seat, call, made in result.calls if seat % 2 == team]
    return sum(value if made else -value for value, made in calls)


def main(arguments: Sequence[str]) -> None:
    """Play rounds and print the report."""
    parser = argparse.ArgumentParser(prog="python -m bench.calling", description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--usual", action="store_true", help="call as always")
    parser.add_argument("--against", help="another player at two of the seats")
    given = parser.parse_args(arguments)
    player = Caller(given.playouts, BARS if given.usual else _LOW)
    other = contestant(given.against) if given.against else player
    tried: list[Tried] = []
    results: list[RoundResult] = []
    played: Iterable[tuple[list[Tried], RoundResult]] = play(
        given.rounds, given.seed, player, other
    )
    for calls, result in progress(played, "calls", unit="rounds", total=given.rounds):
        tried += calls
        results.append(result)
    print("\n".join(report(tried, results, 1 if given.against else 2)))


if __name__ == "__main__":
    main(sys.argv[1:])
