"""Match points of results on a board.

The match points of a result are the share of the other results that are worse, ties half, in
percent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple


class BoardMatchPoints(NamedTuple):
    """Match points of all results on a board with at least two."""

    by_points: dict[int, float]
    """Match points by the points of a result."""
    chance: float
    """Variance by chance alone, for comparisons of two people (see `chance_variance`)."""


def match_points(results: Iterable[int]) -> BoardMatchPoints | None:
    """Return the match points of these results, one for each person; `None` if nobody compares."""
    counts = sorted(Counter(results).items())
    size = sum(count for _, count in counts)
    if size < 2:
        return None
    others = size - 1
    worse = accumulate((count for _, count in counts), initial=0)
    by_points = {
        points: 100 * (below + (count - 1) / 2) / others
        for (points, count), below in zip(counts, worse, strict=False)
    }
    return BoardMatchPoints(by_points, chance_variance(size))


def chance_variance(size: int) -> float:
    """Return half the variance of the difference of two people if lots decide their places.

    `size` is the number of results on the board. With many it is 833, the variance of a uniform
    distribution. With few it is larger, because one person's gain is then the other's loss.
    """
    others = size - 1
    return 100**2 * size * (size + 1) / (12 * others**2)
