"""The people of the past and how well each of them plays: as a computer player does, with slips.

Used to play the past matches; whoever is on the page of the demo plays as they like.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from engine.actions import Action, Bomb, CallTichu
from engine.state import Phase
from engine.view import View
from players.levels import Level, choose

PLAYOUTS = 300
"""How many deals an Expert plays on. A number and no time, so that every run plays the same."""


class Style(NamedTuple):
    """How somebody plays: like a computer player of this level, but some turns (0..1) are slips."""

    level: Level
    slips: float = 0.0

    def choose(self, seen: View, chance: Random) -> Action | None:
        """The action for this view, `None` if nothing is asked. A slip is any legal turn."""
        playouts = PLAYOUTS if self.level == "expert" else None
        action = choose(self.level, seen, chance.getrandbits(32), 0.0, playouts)
        if seen.phase not in (Phase.LEAD, Phase.TURN) or action is None:
            return action
        if chance.random() >= self.slips:
            return action
        turns = [turn for turn in seen.actions if not isinstance(turn, CallTichu | Bomb)]
        return chance.choice(turns) if turns else action


STYLES = {
    "Ada": Style("expert", 0.02),
    "Ben": Style("novice"),
    "Cleo": Style("expert"),
    "Dan": Style("novice", 0.15),
    "Eva": Style("novice", 0.02),
    "Finn": Style("novice", 0.4),
    "Gina": Style("expert", 0.1),
    "Hugo": Style("expert"),
    "Iris": Style("novice"),
    "Jack": Style("novice", 0.6),
    "Kim": Style("novice", 0.05),
    "Leo": Style("novice", 0.25),
}
