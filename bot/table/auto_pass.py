"""Passing by itself, for whoever has chosen that, whenever they have nothing to play.

It comes after a pause such as a person takes. So nobody can tell it from a pass that was thought
about.
"""

from __future__ import annotations

import math
import random
from datetime import timedelta

from bot.table.state import Game
from engine import Phase, Seat, legal_plays, may_pass

MEDIAN_PAUSE, LONGEST_PAUSE = 3.0, 12.0
"""Seconds until the pass: half of the time fewer than the one, never more than the other."""
_SPREAD = 0.6
"""The standard deviation of the logarithm of that time."""


def passes_by_itself(game: Game) -> Seat | None:
    """The seat on turn, if it is to pass by itself.

    Its person has chosen so and is there, nothing in its hand beats what lies on the table, and it
    holds no bomb. Not at turn-based pace: where others take hours to think, a pass after seconds
    would tell of the hand.
    """
    seat = game.round.turn
    if game.options.turn_based:
        return None
    if game.phase is not Phase.TURN or game.computer(seat):
        return None
    if game.decider(seat) not in game.notes.auto_pass_always or not may_pass(game.match, seat):
        return None
    if legal_plays(game.match, seat) or game.round.hands[seat].bombs():
        return None
    return seat


def pause(game: Game) -> timedelta:
    """How long it takes this time: by chance, but the same for the same position.

    The times are spread as those of people are, mostly short and now and then long, and nothing
    marks their end: a pass that comes later than all of them is hardly ever seen. The chance is
    seeded with the secret of the deal, too: who could foresee the pause could tell that the pass
    came by itself.
    """
    rng = random.Random(f"{game.deal.dealt}:{game.id}:{game.revision}:pass")
    seconds = math.inf
    while seconds > LONGEST_PAUSE:
        seconds = rng.lognormvariate(math.log(MEDIAN_PAUSE), _SPREAD)
    return timedelta(seconds=seconds)
