"""People of the past matches, each a computer player with a rate of mistakes.

Used only to play the past matches.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from engine import Action, Bomb, CallTichu, Phase, View
from players.levels import Level, choose
from players.manners import Manner

PLAYOUTS = 300
"""Number of deals for which an Expert plays to the end before a decision.

A number and not a time, so that the same matches are played every time.
"""


class Style(NamedTuple):
    """Playing style of a person."""

    level: Level
    """Level of the computer player that decides for them."""
    slips: float = 0.0
    """Share of their turns, 0 to 1, in which they make a random legal move instead."""
    manner: Manner = "steady"
    """Preference between nearly equal choices."""

    def choose(self, view: View, rng: Random) -> Action | None:
        """Return the action in this view; `None` if the seat has no decision to make."""
        playouts = PLAYOUTS if self.level == "expert" else None
        action = choose(self.level, view, rng.getrandbits(32), 0.0, playouts, manner=self.manner)
        if view.phase not in (Phase.LEAD, Phase.TURN) or action is None:
            return action
        if rng.random() >= self.slips:
            return action
        turns = [turn for turn in view.actions if not isinstance(turn, CallTichu | Bomb)]
        return rng.choice(turns) if turns else action


STYLES = {
    "Ada": Style("expert", 0.02),
    "Ben": Style("novice"),
    "Cleo": Style("expert", manner="bold"),
    "Dan": Style("novice", 0.15),
    "Eva": Style("novice", 0.02),
    "Finn": Style("novice", 0.4),
    "Gina": Style("expert", 0.1),
    "Hugo": Style("expert", manner="bold"),
    "Iris": Style("novice"),
    "Jack": Style("novice", 0.6),
    "Kim": Style("novice", 0.05),
    "Leo": Style("novice", 0.25),
}
