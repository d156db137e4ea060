"""Passing by itself, for whoever has chosen that, whenever they have nothing to play.

It comes after a pause such as a person takes. So nobody can tell it from a pass that was thought
about.
"""

from __future__ import annotations

import random
from datetime import timedelta

from bot.table.state import Game
from engine import Phase, Seat, legal_plays, may_pass

PAUSES = (1.5, 5.0)
"""Seconds until the pass, at least and at most."""


def passes_by_itself(game: Game) -> Seat | None:
    """The seat on turn, if it is to pass by itself.

    Its person has chosen so and is there, nothing in its hand beats what lies on the table, and it
    holds no bomb.
    """
    seat = game.round.turn
    if game.phase is not Phase.TURN or game.computer(seat):
        return None
    if game.decider(seat) not in game.notes.auto_pass_always or not may_pass(game.match, seat):
        return None
    if legal_plays(game.match, seat) or game.round.hands[seat].bombs():
        return None
    return seat


def pause(game: Game) -> timedelta:
    """How long it takes this time: by chance, but the same for the same position.

    The chance is seeded with the secret of the deal, too: who could foresee the pause could tell
    that the pass came by itself.
    """
    chance = random.Random(f"{game.deal.dealt}:{game.id}:{game.revision}:pass")
    return timedelta(seconds=chance.uniform(*PAUSES))
