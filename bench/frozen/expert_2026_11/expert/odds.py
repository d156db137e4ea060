"""The chance to win a match to a target score, by the scores of both teams before a round."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from bench.frozen.expert_2026_11.expert.compiled import compiled

TARGET = 1000
STEP = 5
LOWEST = -500
_COARSE = 25
"""Points from one place to the next of the table that is solved; between them it is straight."""
_ROUNDS = 200
_DOUBLE = 0.16
"""How often a round is a double victory of one of two equal teams."""
_SPREAD = 28.0
"""Deviation of the card points of a team in points, around 50."""
_CALLS = ((0, 0.62), (100, 0.26), (-100, 0.10), (200, 0.01), (-200, 0.01))
"""What a team's calls bring in a round, and how often."""


@compiled
def place_of(odds: Any, score: int) -> int:
    """Where a score is in the table; beyond its ends it is the last one."""
    return min(len(odds) - 1, max(0, (score - LOWEST) // STEP))


@cache
def match_odds() -> Any:
    """Chance of the first team: `[ours, theirs]` in steps of `STEP` points from `LOWEST` on.

    The scores are those of a match to `TARGET`; what counts is how far both are from it. Solved
    backwards from the target over the spread of results of rounds between equal teams.
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


def _known(scores: Any) -> tuple[Any, Any]:
    """The odds where the match is over (else a first guess), and where that is."""
    ours, theirs = scores[:, None], scores[None, :]
    over = (np.maximum(ours, theirs) >= TARGET) & (ours != theirs)
    return np.where(ours > theirs, 1.0, np.where(ours < theirs, 0.0, 0.5)), over


def _results() -> dict[tuple[int, int], float]:
    """Results of a round for both teams, in points, with their chances."""
    cards: dict[tuple[int, int], float] = {(200, 0): _DOUBLE / 2, (0, 200): _DOUBLE / 2}
    points = np.arange(-25, 126, _COARSE)
    normal = np.exp(-(((points - 50) / _SPREAD) ** 2) / 2)
    normal *= (1 - _DOUBLE) / normal.sum()
    for won, chance in zip(points.tolist(), normal.tolist(), strict=True):
        cards[(won, 100 - won)] = cards.get((won, 100 - won), 0.0) + chance
    results: dict[tuple[int, int], float] = {}
    for (won, lost), chance in cards.items():
        for ours, likely in _CALLS:
            for theirs, other in _CALLS:
                key = (won + ours, lost + theirs)
                results[key] = results.get(key, 0.0) + chance * likely * other
    return results


def _shifted(odds: Any, ours: int, theirs: int) -> Any:
    """The table seen from scores that are so many places higher; beyond the edge it goes on."""
    places = np.arange(len(odds))
    last = len(odds) - 1
    rows = np.clip(places + ours, 0, last)
    columns = np.clip(places + theirs, 0, last)
    return odds[np.ix_(rows, columns)]
