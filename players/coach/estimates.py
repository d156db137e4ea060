"""Values of estimates, without the code that makes them."""

from __future__ import annotations

from typing import NamedTuple


class Estimate(NamedTuple):
    """Mean with a 95 % interval, in points."""

    mean: float
    low: float
    high: float


class Chances(NamedTuple):
    """Chances of a seat's team, from 0 to 1."""

    round: float
    """Chance to score more points in the round than the other team."""
    match: float
    """Chance to win the match."""
