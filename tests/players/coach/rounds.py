"""Finished rounds for the tests of the coach."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from bench.walks import is_action, random_options, walks
from engine import Action, Match, Phase


class PlayedRound(NamedTuple):
    """Finished round: the match after its deal, and all actions after it."""

    dealt: Match
    actions: tuple[Action, ...]


def random_round(game: str, seed: int) -> PlayedRound:
    """Return the first round of a random walk, with bombs, calls and changed exchanges."""
    rng = Random(seed)
    dealt: Match | None = None
    actions: list[Action] = []
    for match, log in walks(rng, random_options(rng, game)):
        if not log:
            continue
        if is_action(log[-1]):
            actions.append(log[-1])
        else:
            dealt = match
        if match.phase in (Phase.ROUND_END, Phase.MATCH_END):
            break
    assert dealt is not None
    return PlayedRound(dealt, tuple(actions))
