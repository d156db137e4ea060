"""Choice of the next puzzle for a person, by its rating."""

from __future__ import annotations

import random
from collections.abc import Mapping

from bot.score_records import Rating

_NEAREST = 10
"""Number of puzzles with the fitting ratings, of which one is drawn."""


def next_puzzle(
    person: Rating,
    puzzles: Mapping[str, Rating],
    answered: Mapping[str, int],
    rng: random.Random,
) -> str:
    """Return a puzzle that the person has answered least often, near their rating.

    It is near the lower edge of what their rating may be. So new people begin with easy puzzles,
    and everybody solves more than half of them. `answered` has the number of answers by puzzle.
    """
    fewest = min(answered.get(name, 0) for name in puzzles)
    left = [name for name in puzzles if answered.get(name, 0) == fewest]
    rng.shuffle(left)  # many have the same rating
    fitting = person.mu - person.sigma
    left.sort(key=lambda name: abs(puzzles[name].mu - fitting))
    return rng.choice(left[:_NEAREST])
