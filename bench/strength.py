"""How well and how fast the Novice plays: against random players, over duplicate deals.

Called by `python -m bench`. In games with teams every deal is played from both sides, in Grand
Seigneur plain and random players take turns round the table.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from engine.actions import Action, PassCards
from engine.match import new_match
from engine.options import Options
from engine.state import Match, RoundResult
from engine.view import View
from players.novice import Novice
from tests.players.table import Player, RandomPlayer, play_round, shuffled


class Strength(NamedTuple):
    """Figures over so many rounds; `margin` is in points or, without points, in `places`."""

    rounds: int
    places: bool
    margin: float
    decisions: int
    milliseconds: float
    slowest: float
    calls: int
    made: int


class _Timed:
    """A Novice whose decisions are timed."""

    def __init__(self) -> None:
        self.player = Novice()
        self.times: list[float] = []

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """What the Novice does; the exchange, once a round, is not counted."""
        start = perf_counter()
        action = self.player.choose(view, rng)
        if not isinstance(action, PassCards):
            self.times.append(perf_counter() - start)
        return action


def against_random(options: Options, deals: int, seed: int) -> Strength:
    """Play two rounds on each of so many deals."""
    plain, chance = _Timed(), RandomPlayer()
    return compare(options, plain, chance, deals, seed, plain.times)


def compare(
    options: Options,
    first: Player,
    second: Player,
    deals: int,
    seed: int,
    times: Sequence[float] = (),
) -> Strength:
    """The margin of the first player over the second one; calls are those of the first."""
    margin, calls = 0.0, []
    for number in range(deals):
        rng = random.Random(f"{seed} {number}")
        match = new_match(options, number % len(_chairs(options)))
        decks = [shuffled(match, rng), shuffled(match, rng)]
        for mine in (0, 1):
            result, sides = _one(match, (first, second), mine, decks, random.Random(number))
            margin += _margin(result, sides, mine)
            calls += [made for seat, _, made in result.calls if sides[seat] == mine]
    ordered = sorted(times) or [0.0]
    return Strength(
        rounds=2 * deals,
        places=not new_match(options).variant.scored,
        margin=margin / (2 * deals),
        decisions=len(times),
        milliseconds=1000 * sum(ordered) / len(ordered),
        slowest=1000 * ordered[int(0.99 * (len(ordered) - 1))],
        calls=len(calls),
        made=sum(calls),
    )


def _chairs(options: Options) -> range:
    return range(new_match(options).variant.chairs(options))


def _one(
    match: Match,
    players: tuple[Player, Player],
    mine: int,
    decks: list[list[int]],
    rng: random.Random,
) -> tuple[RoundResult, Sequence[int]]:
    """One round with the first player on side `mine`; in Grand Seigneur one with an exchange."""
    if match.variant.scored:
        sides = match.variant.seating(match, match.first_dealer).teams
    else:
        sides = tuple(seat % 2 for seat in _chairs(match.options))
    seats = [players[side != mine] for side in sides]
    match = play_round(match, seats, decks[0], rng)
    if not match.variant.scored:
        match = play_round(match, seats, decks[1], rng)
    return match.results[-1], sides


def _margin(result: RoundResult, sides: Sequence[int], mine: int) -> float:
    if not result.score:
        places = [*result.out, *(set(range(len(sides))) - set(result.out))]
        ours = [place for place, seat in enumerate(places) if sides[seat] == mine]
        theirs = [place for place, seat in enumerate(places) if sides[seat] != mine]
        return sum(theirs) / len(theirs) - sum(ours) / len(ours)
    if len(result.score) == 2:
        return result.score[mine] - result.score[1 - mine]
    us, them = list(sides).index(mine), list(sides).index(1 - mine)
    return result.score[us] - result.score[them]
