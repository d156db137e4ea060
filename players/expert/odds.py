"""Chance to win a match by the scores before a round, to a target or of some rounds."""

from __future__ import annotations

from functools import cache
from math import erf, sqrt
from typing import Any

import numpy as np

from players.expert.compiled import compiled

TARGET = 1000
"""Score that ends the match."""
STEP = 5
"""Step of the table, in points."""
LOWEST = -500
"""Lowest score in the table."""
_COARSE = 25
"""Step while the table is computed, in points; then the table is interpolated."""
_ROUNDS = 200
"""Most rounds to compute backwards; the table converges far sooner."""
_DOUBLE = 0.3
"""Chance that a round between two equal teams ends with a double victory."""
_CARDS, _SPREAD = 60.0, 29.0
"""Mean and standard deviation of the card points of the team that goes out first.

Rounds with a double victory are not included.
"""
_CALLS_FIRST = ((0, 0.48), (100, 0.43), (-100, 0.02), (200, 0.07))
"""Points from calls of the team that goes out first, with their chances."""
_CALLS_OTHER = ((0, 0.77), (-100, 0.2), (-200, 0.03))
"""Points from calls of the other team, with their chances."""


_A_ROUND = 200.0
"""Standard deviation of the difference between two sides in a round."""
_BLUR = 40.0
"""Standard deviation assumed after the last round.

With it, more points are better also in a round that decides the match.
"""
LEVEL = 450
"""Table score of both sides of a match of rounds when they are equal."""


@compiled
def place_of(odds: Any, score: int) -> int:
    """Return the place of a score in the table, at the nearest end if it is beyond."""
    return min(len(odds) - 1, max(0, (score - LOWEST) // STEP))


@cache
def match_odds() -> Any:
    """Return the chance that a team wins the match.

    `[ours, theirs]` are the places of both scores, as in a match to `TARGET`. The chances are
    computed backwards from the end of the match, with the results of rounds between two equal
    teams.
    """
    size = (TARGET + 400 - LOWEST) // _COARSE + 1
    scores = LOWEST + _COARSE * np.arange(size)
    odds, over = _known(scores)
    results = _results()
    for _ in range(_ROUNDS):
        after = np.zeros_like(odds)
        for (won, lost), chance in results.items():
            after += chance * _shifted(odds, won // _COARSE, lost // _COARSE)
        after = np.where(over, odds, after)
        moved = float(np.abs(after - odds).max())
        odds = after
        if moved < 1e-5:
            break
    fine = np.arange(scores[0], scores[-1] + 1, STEP)
    once = np.stack([np.interp(fine, scores, column) for column in odds.T], axis=1)
    bent = np.stack([np.interp(fine, scores, row) for row in once])
    known, over = _known(fine)
    return np.where(over, known, bent)


@cache
def round_odds(left: int) -> Any:
    """Return the chance to have more points than an opponent after `left` more rounds.

    The table is laid out as in `match_odds`, but only the difference of the scores counts.
    """
    spread = sqrt(2 * (left * _A_ROUND**2 + _BLUR**2))
    places = len(range(LOWEST, TARGET + 401, STEP))
    by_difference = np.array(
        [(1 + erf(STEP * ahead / spread)) / 2 for ahead in range(1 - places, places)]
    )
    scores = np.arange(places)
    return by_difference[scores[:, None] - scores[None, :] + places - 1]


def _known(scores: Any) -> tuple[Any, Any]:
    """Return the odds where they are known, and whether the match is over.

    Where it is not over, the odds are a first guess.
    """
    ours, theirs = scores[:, None], scores[None, :]
    over = (np.maximum(ours, theirs) >= TARGET) & (ours != theirs)
    return np.where(ours > theirs, 1.0, np.where(ours < theirs, 0.0, 0.5)), over


def _results() -> dict[tuple[int, int], float]:
    """Return the possible results of a round, as points of both teams, with their chances."""
    cards = {(200, 0): _DOUBLE}
    points = np.arange(-25, 126, _COARSE)
    normal = np.exp(-(((points - _CARDS) / _SPREAD) ** 2) / 2)
    normal *= (1 - _DOUBLE) / normal.sum()
    cards.update(
        ((won, 100 - won), chance)
        for won, chance in zip(points.tolist(), normal.tolist(), strict=True)
    )
    results: dict[tuple[int, int], float] = {}
    for (won, lost), chance in cards.items():
        for ours, likely in _CALLS_FIRST:
            for theirs, other in _CALLS_OTHER:
                for key in ((won + ours, lost + theirs), (lost + theirs, won + ours)):
                    results[key] = results.get(key, 0.0) + chance * likely * other / 2
    return results


def _shifted(odds: Any, ours: int, theirs: int) -> Any:
    """Return the table shifted to scores higher by `ours` and `theirs` places.

    Beyond the edge the odds are those at the edge.
    """
    places = np.arange(len(odds))
    last = len(odds) - 1
    rows = np.clip(places + ours, 0, last)
    columns = np.clip(places + theirs, 0, last)
    return odds[np.ix_(rows, columns)]
