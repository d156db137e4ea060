"""Probability to win a match from the scores before a round.

There are tables for matches to a target and for matches of a number of rounds.
"""

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
"""Step in points for the computation, whose result is interpolated to `STEP`."""
_ROUNDS = 200
"""Maximum rounds to compute backwards; the table converges far sooner."""
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

It makes more points better even in the round that decides the match.
"""
LEVEL = 450
"""Table score of both sides at equality in a match of rounds."""


@compiled
def place_of(odds: Any, score: int) -> int:
    """Return the table index of a score, clamped to the table."""
    return min(len(odds) - 1, max(0, (score - LOWEST) // STEP))


@cache
def match_odds() -> Any:
    """Return the table of a team's chance to win the match.

    The indices `[ours, theirs]` are places of both scores in a match to `TARGET`. The chances are
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
    """Return the table of the chance to have more points than an opponent after `left` rounds.

    It is laid out as in `match_odds`, but only the difference of the scores counts.
    """
    spread = sqrt(2 * (left * _A_ROUND**2 + _BLUR**2))
    places = len(range(LOWEST, TARGET + 401, STEP))
    by_difference = np.array(
        [(1 + erf(STEP * ahead / spread)) / 2 for ahead in range(1 - places, places)]
    )
    scores = np.arange(places)
    return by_difference[scores[:, None] - scores[None, :] + places - 1]


def _known(scores: Any) -> tuple[Any, Any]:
    """Return the odds where the match is over, a first guess elsewhere, and where it is over."""
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
