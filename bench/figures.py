"""Figures with 95 % confidence intervals, computed from the boards of a tournament.

An observation is a deal: all rounds with the same cards are one, because they are not independent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

from bench.duplicate import Played
from engine import Points

_Z = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval."""

    value: float
    """The value."""
    low: float
    """The lower bound."""
    high: float
    """The upper bound."""


def mean(observations: Iterable[Sequence[float]]) -> Estimate:
    """The mean of all numbers, where those in one observation are not independent.

    The bounds are those of a ratio of two sums over the observations. With equally long ones that
    is the mean of their means. A single observation has infinite bounds.
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
    """The part of the tries that succeeded, with Wilson's bounds, which lie between 0 and 1."""
    value = successes / tries
    middle = (value + _Z**2 / (2 * tries)) / (1 + _Z**2 / tries)
    half = sqrt(value * (1 - value) / tries + _Z**2 / (4 * tries**2)) / (1 + _Z**2 / tries) * _Z
    return Estimate(value, middle - half, middle + half)


class Times(NamedTuple):
    """How long decisions took, in milliseconds."""

    mean: float
    """The mean."""
    p95: float
    """The 95th percentile: the least time that 95 % of the decisions do not exceed."""
    most: float
    """The maximum."""


def times_of(milliseconds: Sequence[float]) -> Times:
    """The figures of such times; there is at least one."""
    ordered = sorted(milliseconds)
    return Times(fmean(ordered), ordered[-(-95 * len(ordered) // 100) - 1], ordered[-1])


class Side(NamedTuple):
    """What one player of a pair did."""

    calls: Mapping[Points, tuple[int, int]]
    """By stake: how many calls succeeded, and how many there were."""
    from_calls: float
    """The points that calls brought, a round."""
    sweeps: int
    """The number of double victories."""
    times: Times | None
    """How long decisions took; `None` without any."""
    exchanges: Times | None
    """How long exchanges took; `None` without any."""


class Standing(NamedTuple):
    """How the first player of a pair stands against the second."""

    rounds: int
    """The number of rounds."""
    deals: int
    """The number of deals that they were played with."""
    margin: Estimate
    """What the first player made more than the second, a round."""
    matches: int
    """The number of matches."""
    won: Estimate | None
    """The first player's share of the matches; `None` without any. They are taken as independent,
    which makes the bounds a little too wide, because swapped sides even out luck."""
    sides: tuple[Side, Side]
    """What each of the two did."""


def standing(boards: Mapping[int, Played]) -> Standing:
    """The figures of boards, which are given by their numbers; there is at least one."""
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
    """The figures of one player of a pair: 0 for the first, 1 for the second."""
    rounds = [played for board in boards for played in board.rounds]
    calls: dict[Points, tuple[int, int]] = {}
    for played in rounds:
        for caller, stake, success in played.calls:
            if caller == player:
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
