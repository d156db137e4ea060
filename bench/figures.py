"""Figures with their 95 % confidence intervals, and how a tournament's are counted up.

Observations are deals: all that was played with the same cards is one, since it hangs together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

from bench.duplicate import Played

_Z = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A value and the bounds that hold the true one in 95 of 100 cases."""

    value: float
    low: float
    high: float


def mean(observations: Iterable[Sequence[float]]) -> Estimate:
    """The mean of all numbers, where those in one observation hang together.

    The bounds are those of a ratio of two sums over observations; of equally long ones, those of
    the mean of their means. With a single observation nothing is known about them.
    """
    sums = [(sum(numbers), len(numbers)) for numbers in observations]
    count, many = sum(length for _, length in sums), len(sums)
    value = sum(total for total, _ in sums) / count
    if many < 2:
        return Estimate(value, float("-inf"), float("inf"))
    squares = sum((total - value * length) ** 2 for total, length in sums)
    half = _Z * sqrt(squares * many / (many - 1)) / count
    return Estimate(value, value - half, value + half)


def share(successes: float, tries: int) -> Estimate:
    """The part of tries that succeeded, with Wilson's bounds, which never leave 0 to 1."""
    value = successes / tries
    middle = (value + _Z**2 / (2 * tries)) / (1 + _Z**2 / tries)
    half = sqrt(value * (1 - value) / tries + _Z**2 / (4 * tries**2)) / (1 + _Z**2 / tries) * _Z
    return Estimate(value, middle - half, middle + half)


class Times(NamedTuple):
    """How long decisions took, in milliseconds."""

    mean: float
    p95: float
    most: float


def times_of(milliseconds: Sequence[float]) -> Times:
    """Mean, 95th percentile (the least time that 95 % do not exceed) and maximum."""
    ordered = sorted(milliseconds)
    return Times(fmean(ordered), ordered[-(-95 * len(ordered) // 100) - 1], ordered[-1])


class Side(NamedTuple):
    """What one player of a pair did: calls as (made, all) by stake, double victories, times."""

    calls: Mapping[int, tuple[int, int]]
    from_calls: float
    sweeps: int
    times: Times | None
    exchanges: Times | None


class Standing(NamedTuple):
    """How the first player of a pair stands against the second.

    `margin` is by round; `won` its share of the matches, which are counted as if they had nothing
    to do with each other. That makes the bounds a little too wide, for swapped sides even out luck.
    """

    rounds: int
    deals: int
    margin: Estimate
    matches: int
    won: Estimate | None
    sides: tuple[Side, Side]


def standing(boards: Mapping[int, Played]) -> Standing:
    """Count up boards, given by their numbers; at least one has to be there."""
    ordered = [boards[number] for number in sorted(boards)]
    deals: dict[tuple[int, int], list[float]] = defaultdict(list)
    for number in sorted(boards):
        for played in boards[number].rounds:
            deals[number, played.number].append(played.margin)
    won = [share for board in ordered for share in board.won]
    return Standing(
        rounds=sum(map(len, deals.values())),
        deals=len(deals),
        margin=mean(deals.values()),
        matches=len(won),
        won=share(sum(won), len(won)) if won else None,
        sides=(_side(ordered, 0), _side(ordered, 1)),
    )


def _side(boards: Sequence[Played], player: int) -> Side:
    rounds = [played for board in boards for played in board.rounds]
    calls: dict[int, tuple[int, int]] = {}
    for played in rounds:
        for who, stake, success in played.calls:
            if who == player:
                made, tried = calls.get(stake, (0, 0))
                calls[stake] = made + success, tried + 1
    times = [took for board in boards for took in board.times[player]]
    exchanges = [took for board in boards for took in board.exchanges[player]]
    earned = sum(stake * (2 * made - tried) for stake, (made, tried) in calls.items())
    return Side(
        calls=calls,
        from_calls=earned / len(rounds),
        sweeps=sum(played.sweep == player for played in rounds),
        times=times_of(times) if times else None,
        exchanges=times_of(exchanges) if exchanges else None,
    )
