"""Comparison of one result on a board with the others."""

from __future__ import annotations

from typing import Final, NamedTuple

FEWEST_FOR_SHARE: Final = 5
"""Number of other results from which a share in percent says something."""


class Comparison(NamedTuple):
    """Numbers of other results on a board that are worse, equal and better."""

    worse: int
    equal: int
    better: int

    @property
    def others(self) -> int:
        """Number of other results."""
        return self.worse + self.equal + self.better

    @property
    def share(self) -> float | None:
        """Match points from 0 to 1: the share of worse results, ties half; `None` if too few."""
        if self.others < FEWEST_FOR_SHARE:
            return None
        return (self.worse + self.equal / 2) / self.others
