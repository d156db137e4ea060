"""Automatic moves of people who have no choice: a pass with nothing to play, or the only play.

A move comes after a pause like a person's, so that others cannot tell it from a deliberate one.
"""

from __future__ import annotations

import math
import random
from datetime import timedelta

from bot.table.state import Game
from engine import Pass, Phase, Play, Seat

MEDIAN_PAUSE, LONGEST_PAUSE = 3.0, 12.0
"""Seconds until the move: median and maximum."""
_SPREAD = 0.6
"""Standard deviation of the logarithm of that time."""


def automatic_move(game: Game) -> Pass | Play | None:
    """Return the move that the seat on turn makes automatically, if any.

    Its player is a person who is present, has not switched automatic moves off and does not stay
    in this trick. They pass if nothing in the hand beats the play on the table, and the hand has no
    bomb. They play if a single play is their only legal action, so that they could not even call
    Tichu. At turn-based pace there are no automatic moves: where others take hours to think, a move
    after seconds would reveal something about the hand.
    """
    seat = game.round.turn
    if game.options.turn_based or game.phase not in (Phase.LEAD, Phase.TURN) or game.computer(seat):
        return None
    if game.decider(seat) not in game.notes.auto_pass_always or seat in game.kept.stays_in:
        return None
    actions = game.situation(seat).upcoming.actions
    if len(actions) == 1 and isinstance(actions[0], Play):
        return actions[0]
    if any(isinstance(action, Play) for action in actions) or game.round.hands[seat].bombs():
        return None
    return Pass(seat) if Pass(seat) in actions else None


def auto_pass_seat(game: Game) -> Seat | None:
    """Return the seat on turn if it is to pass automatically, else `None`."""
    move = automatic_move(game)
    return move.seat if isinstance(move, Pass) else None


def pause(game: Game) -> timedelta:
    """Return the random pause before an automatic move, the same for the same position.

    The times are distributed like those of people: mostly short, sometimes long, hardly ever close
    to the maximum. The seed contains the secret of the deal, because a predictable pause would
    reveal that the move was automatic.
    """
    rng = random.Random(f"{game.deal.dealt}:{game.id}:{game.revision}:pass")
    seconds = math.inf
    while seconds > LONGEST_PAUSE:
        seconds = rng.lognormvariate(math.log(MEDIAN_PAUSE), _SPREAD)
    return timedelta(seconds=seconds)
