"""Scales of axes, and the choice of the values to write along them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

from bot.pictures.charts.sheet import width_of

_STEPS = (1.0, 2.0, 2.5, 5.0)
"""Steps between ticks, to be multiplied by a power of ten."""
_BETWEEN = 34
"""Minimum space between two numbers along an axis, in pixels."""


class Scale(NamedTuple):
    """Linear scale of an axis: two values and their positions in pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the position of a value; the middle of the axis if `low` equals `high`."""
        share = 0.5 if self.high == self.low else (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def ticks(low: float, high: float, most: int) -> list[int]:
    """Return as many round numbers in this range as possible, at most `most`, in equal steps."""
    for power in count():
        for factor in _STEPS:
            step = factor * 10**power
            if step != int(step):
                continue
            multiples = range(math.ceil(low / step), math.floor(high / step) + 1)
            if len(multiples) <= most:
                return [int(step) * multiple for multiple in multiples]
    raise AssertionError


def rounds_along(first: int, last: int, room: float, write: Callable[[int], str]) -> list[int]:
    """Return the numbers of the match's rounds to write along an axis of length `room`."""
    most = int(room // (width_of(write(last)) + _BETWEEN))
    return ticks(first, last, max(2, most))


def spread(positions: Sequence[float], gap: float) -> list[float]:
    """Move positions apart until any two have a distance of `gap`, each as little as possible."""
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    # Positions that are too close form a group around their mean.
    groups: list[tuple[float, list[int]]] = []  # middle of the group, indexes of its members
    for index in order:
        middle, members = positions[index], [index]
        # merge it with the groups before, as long as they overlap
        while groups and middle - groups[-1][0] < gap * (len(members) + len(groups[-1][1])) / 2:
            _, members_before = groups.pop()
            members = members_before + members
            middle = sum(positions[member] for member in members) / len(members)
        groups.append((middle, members))

    result = [0.0] * len(positions)
    for middle, members in groups:
        for place, member in enumerate(members):
            result[member] = middle + gap * (place - (len(members) - 1) / 2)
    return result
