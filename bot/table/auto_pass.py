"""Automatic passes of people who have nothing to play.

They come after a pause like a person's, so that nobody can tell them from deliberate passes.
"""

from __future__ import annotations

import math
import random
from datetime import timedelta

from bot.table.state import Game
from engine import Phase, Seat, legal_plays, may_pass

MEDIAN_PAUSE, LONGEST_PAUSE = 3.0, 12.0
"""Seconds until the pass: median and maximum."""
_SPREAD = 0.6
"""Standard deviation of the logarithm of that time."""


def auto_pass_seat(game: Game) -> Seat | None:
    """Return the seat on turn if it is to pass automatically, else `None`.

    Its person is present, has not switched this off and does not stay in this trick, nothing in its
    hand beats the play on the table, and it holds no bomb. There are no automatic passes at
    turn-based pace: where others take hours to think, a pass after seconds would reveal something
    about the hand.
    """
    seat = game.round.turn
    if game.options.turn_based:
        return None
    if game.phase is not Phase.TURN or game.computer(seat):
        return None
    if game.decider(seat) not in game.notes.auto_pass_always or not may_pass(game.match, seat):
        return None
    if seat in game.kept.stays_in:
        return None
    if legal_plays(game.match, seat) or game.round.hands[seat].bombs():
        return None
    return seat


def pause(game: Game) -> timedelta:
    """Return the random pause before an automatic pass, the same for the same position.

    The times are distributed like those of people: mostly short, sometimes long, hardly ever close
    to the maximum. The seed contains the secret of the deal, because a predictable pause would
    reveal that the pass was automatic.
    """
    rng = random.Random(f"{game.deal.dealt}:{game.id}:{game.revision}:pass")
    seconds = math.inf
    while seconds > LONGEST_PAUSE:
        seconds = rng.lognormvariate(math.log(MEDIAN_PAUSE), _SPREAD)
    return timedelta(seconds=seconds)
