"""Tables of the chance to win a match, by the scores of both sides before a round.

They are for matches to a target and for matches of a fixed number of rounds.
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
"""Distance of two scores in the table, in points."""
LOWEST = -500
"""Lowest score in the table."""
_OVER_TARGET = 400
"""Highest score in the table above the target: a double victory and a Grand Tichu."""
_COARSE = 25
"""Distance of two scores in the computation, in points; its result is interpolated."""
_CONVERGED = 1e-5
"""Change of all chances by a further round at which the computation ends."""
_ROUNDS = 200
"""Maximum number of rounds to compute backwards; the table converges far sooner."""
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


_ROUND_DEVIATION = 200.0
"""Standard deviation of the difference between two sides in a round."""
_LAST_DEVIATION = 40.0
"""Standard deviation that is assumed after the last round.

So more points are better even in the round that decides the match.
"""
LEVEL = 450
"""Score in the table that stands for equality, in a match of a fixed number of rounds."""


@compiled
def score_index(odds: Any, score: int) -> int:
    """Return the table index of a score, clamped to the table."""
    return min(len(odds) - 1, max(0, (score - LOWEST) // STEP))


@cache
def match_odds() -> Any:
    """Return the table of a team's chance to win the match.

    The indices `[ours, theirs]` are places of both scores in a match to `TARGET`. The chances are
    computed backwards from the end of the match, with the results of rounds between two equal
    teams.
    """
    size = (TARGET + _OVER_TARGET - LOWEST) // _COARSE + 1
    scores = LOWEST + _COARSE * np.arange(size)
    odds, over = _final_odds(scores)
    results = _round_results()
    for _ in range(_ROUNDS):
        updated = np.zeros_like(odds)
        for (won, lost), chance in results.items():
            updated += chance * _shift(odds, won // _COARSE, lost // _COARSE)
        updated = np.where(over, odds, updated)
        change = float(np.abs(updated - odds).max())
        odds = updated
        if change < _CONVERGED:
            break

    fine_scores = np.arange(scores[0], scores[-1] + 1, STEP)
    fine_rows = np.stack([np.interp(fine_scores, scores, column) for column in odds.T], axis=1)
    interpolated = np.stack([np.interp(fine_scores, scores, row) for row in fine_rows])
    final, over = _final_odds(fine_scores)
    return np.where(over, final, interpolated)


@cache
def round_odds(rounds_left: int) -> Any:
    """Return the table of the chance to have more points than an opponent in the end.

    `rounds_left` rounds are still to be played. The layout is that of `match_odds`, but only the
    difference of the scores counts.
    """
    # A normal distribution with deviation s is below x with the chance (1 + erf(x / s√2)) / 2.
    spread = sqrt(2 * (rounds_left * _ROUND_DEVIATION**2 + _LAST_DEVIATION**2))
    size = len(range(LOWEST, TARGET + _OVER_TARGET + 1, STEP))
    by_difference = np.array(
        [(1 + erf(STEP * ahead / spread)) / 2 for ahead in range(1 - size, size)]
    )
    scores = np.arange(size)
    return by_difference[scores[:, None] - scores[None, :] + size - 1]


def _final_odds(scores: Any) -> tuple[Any, Any]:
    """Return the chances at the end of a match, and where in the table the match is over.

    Elsewhere the chances are a first guess.
    """
    ours, theirs = scores[:, None], scores[None, :]
    over = (np.maximum(ours, theirs) >= TARGET) & (ours != theirs)
    return np.where(ours > theirs, 1.0, np.where(ours < theirs, 0.0, 0.5)), over


def _round_results() -> dict[tuple[int, int], float]:
    """Return the possible results of a round (the points of both teams) with their chances."""
    card_points = {(200, 0): _DOUBLE}
    points = np.arange(-25, 126, _COARSE)
    chances = np.exp(-(((points - _CARDS) / _SPREAD) ** 2) / 2)
    chances *= (1 - _DOUBLE) / chances.sum()
    card_points.update(
        ((won, 100 - won), chance)
        for won, chance in zip(points.tolist(), chances.tolist(), strict=True)
    )
    results: dict[tuple[int, int], float] = {}
    for (won, lost), chance in card_points.items():
        for our_calls, our_chance in _CALLS_FIRST:
            for their_calls, their_chance in _CALLS_OTHER:
                first, other = won + our_calls, lost + their_calls
                # Each team is the one that goes out first in half of the rounds.
                for result in ((first, other), (other, first)):
                    result_chance = chance * our_chance * their_chance / 2
                    results[result] = results.get(result, 0.0) + result_chance
    return results


def _shift(odds: Any, ours: int, theirs: int) -> Any:
    """Return the table of the chances once the scores are higher by `ours` and `theirs` steps.

    Beyond the edge of the table the chances are those at the edge.
    """
    indices = np.arange(len(odds))
    last = len(odds) - 1
    rows = np.clip(indices + ours, 0, last)
    columns = np.clip(indices + theirs, 0, last)
    return odds[np.ix_(rows, columns)]
