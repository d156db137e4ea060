"""Statistics of tournament boards with 95 % confidence intervals.

All rounds with the same cards form one observation, because they are not independent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from math import sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

from bench.duplicate import Called, Played, Round
from engine import Call

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
    """Return the mean of all numbers, where those in one observation are not independent.

    The bounds are those of a ratio of two sums over the observations. With observations of equal
    length that is the mean of their means. A single observation has infinite bounds.
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
    """Return the share of successes with Wilson's bounds, which are between 0 and 1."""
    value = successes / tries
    middle = (value + _Z**2 / (2 * tries)) / (1 + _Z**2 / tries)
    half = sqrt(value * (1 - value) / tries + _Z**2 / (4 * tries**2)) / (1 + _Z**2 / tries) * _Z
    return Estimate(value, middle - half, middle + half)


class Times(NamedTuple):
    """Processor time of decisions in milliseconds."""

    mean: float
    """The mean."""
    p99: float
    """The 99th percentile: the least time that 99 % of the decisions do not exceed."""
    most: float
    """The maximum."""


def times_of(milliseconds: Sequence[float]) -> Times:
    """Return the statistics of these times, of which there must be one at least."""
    ordered = sorted(milliseconds)
    return Times(fmean(ordered), ordered[-(-99 * len(ordered) // 100) - 1], ordered[-1])


class CallKind(Enum):
    """The kinds of calls in the statistics."""

    ALONE = "Tichu uncontested"
    """A Tichu without an opponent's call."""
    OVER = "Tichu over a call"
    """A Tichu after an opponent's call."""
    GRAND = "Grand Tichu"
    """A Grand Tichu."""


class Calls(NamedTuple):
    """The calls of one kind that a player made."""

    made: int
    """The number of successful calls."""
    tried: int
    """The number of calls."""
    success: Estimate | None
    """The share of successful calls; `None` without calls."""
    a_round: Estimate
    """The number of calls per round; with two teams also per team and round."""


class Side(NamedTuple):
    """Statistics of one player of a pair."""

    calls: Mapping[CallKind, Calls]
    """The calls of each kind."""
    from_calls: Estimate
    """The points from calls per round."""
    sweeps: Estimate
    """The share of rounds that were double victories of this player."""
    times: Times | None
    """The times of decisions; `None` without any."""
    exchanges: Times | None
    """The times of exchanges; `None` without any."""


class Comparison(NamedTuple):
    """Comparison of the first player of a pair with the second."""

    rounds: int
    """The number of rounds."""
    deals: int
    """The number of different deals in these rounds."""
    margin: Estimate
    """The first player's lead over the second per round."""
    ahead: Estimate
    """The first player's share of the rounds: those it won, and half of the ties."""
    matches: int
    """The number of matches."""
    won: Estimate | None
    """The first player's share of the matches; `None` without any.

    Matches are taken as independent. That makes the bounds a little too wide, because swapped sides
    cancel out luck.
    """
    sides: tuple[Side, Side]
    """The statistics of each player."""


def compare(boards: Mapping[int, Played]) -> Comparison:
    """Return the statistics of boards by number, of which there must be one at least."""
    ordered = [boards[number] for number in sorted(boards)]
    deals: dict[tuple[int, int], list[Round]] = defaultdict(list)
    for number in sorted(boards):
        for played in boards[number].rounds:
            deals[number, played.number].append(played)
    by_deal = list(deals.values())
    won = [share for board in ordered for share in board.won]
    return Comparison(
        rounds=sum(map(len, by_deal)),
        deals=len(by_deal),
        margin=_a_round(by_deal, lambda played: played.margin),
        ahead=_a_round(by_deal, lambda played: (1 + (played.margin > 0) - (played.margin < 0)) / 2),
        matches=len(won),
        won=share(sum(won), len(won)) if won else None,
        sides=(_side(ordered, by_deal, 0), _side(ordered, by_deal, 1)),
    )


def _a_round(by_deal: Sequence[Sequence[Round]], number: Callable[[Round], float]) -> Estimate:
    """Return the mean of a number per round, given the rounds of each deal."""
    return mean([number(played) for played in rounds] for rounds in by_deal)


def _side(boards: Sequence[Played], by_deal: Sequence[Sequence[Round]], player: int) -> Side:
    """Return the statistics of one player of a pair: 0 for the first, 1 for the second."""

    def earned(played: Round) -> float:
        mine = [call for call in played.calls if call.player == player]
        return sum(call.stake if call.made else -call.stake for call in mine)

    times = [took for board in boards for took in board.times[player]]
    exchanges = [took for board in boards for took in board.exchanges[player]]
    return Side(
        calls={kind: _calls(by_deal, player, kind) for kind in CallKind},
        from_calls=_a_round(by_deal, earned),
        sweeps=_a_round(by_deal, lambda played: played.sweep == player),
        times=times_of(times) if times else None,
        exchanges=times_of(exchanges) if exchanges else None,
    )


def _calls(by_deal: Sequence[Sequence[Round]], player: int, kind: CallKind) -> Calls:
    """Return the statistics of a player's calls of this kind."""

    def called(played: Round) -> list[Called]:
        return [call for call in played.calls if call.player == player and _kind(call) is kind]

    found = [call for rounds in by_deal for played in rounds for call in called(played)]
    made, tried = sum(call.made for call in found), len(found)
    return Calls(
        made=made,
        tried=tried,
        success=share(made, tried) if tried else None,
        a_round=_a_round(by_deal, lambda played: len(called(played))),
    )


def _kind(call: Called) -> CallKind:
    """Return the kind of a call."""
    if call.stake == Call.GRAND.value:
        return CallKind.GRAND
    return CallKind.OVER if call.over else CallKind.ALONE
