"""Ratings of people who solve puzzles, and of puzzles: Plackett-Luce, by openskill.

A person and a puzzle play against each other: the person wins by the right answer.
"""

from __future__ import annotations

from openskill.models import PlackettLuce

from bot.score_records import Rating

_MU, _SIGMA = 1500.0, 350.0
"""Initial rating of a person and its standard deviation, as in matches."""
_BETA = 120.0
"""Standard deviation of a single performance: an answer depends less on luck than a round."""
_TAU = 3.5
"""Uncertainty added with every answer, for changes of skill."""

PUZZLE_BEGINNER = Rating(_MU, _SIGMA)
"""Rating of a person before their first puzzle."""

_PUZZLE_SIGMA = 100.0
"""Standard deviation of the initial rating of a puzzle, small because it was measured."""

_model = PlackettLuce(mu=_MU, sigma=_SIGMA, beta=_BETA, tau=_TAU)


def initial_rating(difficulty: float) -> Rating:
    """Return the rating of a puzzle before its first answer."""
    return Rating(difficulty, _PUZZLE_SIGMA)


def rate_answer(person: Rating, puzzle: Rating, solved: bool) -> tuple[Rating, Rating]:
    """Return the ratings of a person and a puzzle after an answer."""
    teams = [[_model.rating(*person)], [_model.rating(*puzzle)]]
    (new_person,), (new_puzzle,) = _model.rate(teams, ranks=[1, 2] if solved else [2, 1])
    return Rating(new_person.mu, new_person.sigma), Rating(new_puzzle.mu, new_puzzle.sigma)
